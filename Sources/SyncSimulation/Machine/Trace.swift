/// What happened in a world, line by line: all of it as a hash, the last of it as text.
struct Trace {
    /// FNV-1a over all lines: equal in two runs where everything was equal, in the same order.
    private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    private(set) var lines: [String] = []
    /// Lines that are kept; all where it is `nil`.
    let limit: Int?

    init(keeping limit: Int?) {
        self.limit = limit
    }

    /// Keeps a line for whoever reads the whole trace; the hash is without it.
    mutating func remark(_ line: String) {
        if limit == nil { lines.append(line) }
    }

    mutating func note(_ line: String) {
        for byte in line.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ 10) &* 0x100_0000_01B3
        lines.append(line)
        if let limit, lines.count > 2 * limit { lines.removeFirst(limit) }
    }
}
