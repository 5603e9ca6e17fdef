import NIOCore

/// Cuts a stream of bytes into lines, none longer than a limit.
struct LineBuffer {
    /// The stream holds a line over the limit.
    struct LineTooLong: Error {}

    private var bytes: [UInt8] = []
    private var searched = 0
    private let limit: Int

    /// - Parameter limit: The most bytes of one line, without its newline.
    init(limit: Int) {
        self.limit = limit
    }

    /// Takes what arrived.
    mutating func append(_ buffer: ByteBuffer) {
        bytes.append(contentsOf: buffer.readableBytesView)
    }

    /// The next whole line, without its newline; `nil` until more arrives.
    mutating func next() throws(LineTooLong) -> [UInt8]? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            guard bytes.count <= limit else { throw LineTooLong() }
            return nil
        }
        guard end <= limit else { throw LineTooLong() }
        let line = Array(bytes[..<end])
        bytes.removeFirst(end + 1)
        searched = 0
        return line
    }
}
