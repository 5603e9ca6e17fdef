import LocalFolder
import SyncModel

/// The bytes of a kept version, piece by piece.
public struct VersionReader: Sendable {
    private enum Source {
        case file(FileReader)
        case bytes([UInt8])
    }

    private var source: Source
    /// Whether the file could be executed.
    public let isExecutable: Bool
    /// In bytes, as it was when it was opened.
    public let size: Int64

    init(_ file: FileReader) {
        source = .file(file)
        isExecutable = file.stamp.executable
        size = file.stamp.size
    }

    init(_ bytes: [UInt8], isExecutable: Bool) {
        source = .bytes(bytes)
        self.isExecutable = isExecutable
        size = Int64(bytes.count)
    }

    /// The next piece, or `nil` at the end.
    public mutating func next() throws -> [UInt8]? {
        switch source {
        case .file(let file): return try file.next()
        case .bytes(let bytes):
            source = .bytes([])
            return bytes.isEmpty ? nil : bytes
        }
    }
}
