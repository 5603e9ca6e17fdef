import LocalFolder

/// Reads a file from its beginning to its end for a request that asks by offset.
actor SequentialSource {
    private let file: FileReader
    private var position: Int64 = 0
    private(set) var hasChanged = false

    init(_ file: FileReader) {
        self.file = file
    }

    func read(at offset: Int64, count: Int) throws -> [UInt8] {
        precondition(offset == position, "An asset is read once, in order")
        let bytes = try file.next(maxBytes: count) ?? []
        position += Int64(bytes.count)
        return bytes
    }

    func finish() throws -> FileReader.Check {
        let check = try file.finish()
        if check == .changed { hasChanged = true }
        return check
    }
}
