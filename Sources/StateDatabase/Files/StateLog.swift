package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The files of a state that nobody has open: whether the log beside a database is of that one (``StateFiles``).
package struct StateLog {
    private let path: FilePath

    /// Where the header of a database, which is the beginning of its first page, has the number.
    static let (numberOffset, numberSize) = (60, 4)
    private static let (headerSize, logHeaderSize, frameHeaderSize) = (100, 32, 24)

    /// - Parameter path: That of the database.
    package init(of path: FilePath) { self.path = path }

    /// Whether there is a log with anything in it.
    var hasContent: Bool {
        var status = stat()
        return lstat(path.string + "-wal", &status) == 0 && status.st_size > 0
    }

    /// Removes the log where it is of another database, with the index that SQLite makes of it.
    /// - Parameter former: The number of one that is not there any more.
    package func removeIfForeign(to former: UInt32? = nil) {
        guard isOfDatabase(besides: former) == false else { return }
        for part in ["-wal", "-shm"] { unlink(path.string + part) }
    }

    /// Whether the log is of the database that is there; `nil` where that is not told: there is none, or nothing in it, or one of
    /// both had no number yet.
    /// - Parameter former: The number of one that is not there any more: its log is not that of one without a number.
    package func isOfDatabase(besides former: UInt32? = nil) -> Bool? {
        guard let header, let number = Bytes(header).number(at: Self.numberOffset) else { return nil }
        let numbers = numbersInLog()
        if number == 0 { return former.map(numbers.contains) == true ? false : nil }
        return numbers.isEmpty ? nil : numbers.contains(number)
    }

    /// Whether there is as much of a database as its header tells.
    package var isWhole: Bool {
        guard let header, header.starts(with: Array("SQLite format 3\0".utf8)),
            let pages = Bytes(header).number(at: 28), let file = open(path)
        else { return false }
        defer { try? file.close() }
        guard let size = try? file.seek(offset: 0, from: .end) else { return false }
        let pageSize = Int64(header[16]) << 8 | Int64(header[17])
        // 65536 is written as 1.
        return size >= Int64(pages) * (pageSize == 1 ? 65536 : pageSize)
    }

    private var header: [UInt8]? {
        guard let file = open(path) else { return nil }
        defer { try? file.close() }
        return file.bytes(at: 0, count: Self.headerSize)
    }

    /// The numbers of the database in the first pages that the log has, of which there are at most as many as transactions.
    private func numbersInLog() -> Set<UInt32> {
        guard let file = open(FilePath(path.string + "-wal")) else { return [] }
        defer { try? file.close() }
        guard let log = file.bytes(at: 0, count: Self.logHeaderSize), let pageSize = Bytes(log).number(at: 8),
            (512...65536).contains(pageSize)
        else { return [] }
        var numbers: Set<UInt32> = []
        var offset = Int64(Self.logHeaderSize)
        let needed = Self.frameHeaderSize + Self.numberOffset + Self.numberSize
        // What is left of an earlier log behind this one has other salts.
        while let frame = file.bytes(at: offset, count: needed), frame[8..<16] == log[16..<24] {
            if Bytes(frame).number(at: 0) == 1, let number = Bytes(frame).number(at: needed - Self.numberSize) {
                numbers.insert(number)
            }
            offset += Int64(Self.frameHeaderSize) + Int64(pageSize)
        }
        return numbers
    }

    private func open(_ path: FilePath) -> FileDescriptor? {
        try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking, .noFollow])
    }
}

/// The numbers in a part of a file, which begin with their highest byte.
private struct Bytes {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func number(at offset: Int) -> UInt32? {
        guard offset + 4 <= bytes.count else { return nil }
        return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension FileDescriptor {
    /// So many bytes; `nil` where there are fewer, or they cannot be read.
    fileprivate func bytes(at offset: Int64, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = bytes.withUnsafeMutableBytes { try? self.read(fromAbsoluteOffset: offset, into: $0) }
        return read == count ? bytes : nil
    }
}
