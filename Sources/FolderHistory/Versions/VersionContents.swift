import Crypto
import LocalFolder
public import SyncModel

/// What a file holds, or a version of it: to be compared.
public struct VersionContents: Sendable {
    /// In bytes.
    public let size: Int64
    public let hash: ContentHash
    /// All of them; `nil` for more than ``limit``, which nobody reads line by line.
    public let bytes: [UInt8]?

    /// In bytes.
    public static let limit = 8 << 20

    init(_ next: () throws -> [UInt8]?) throws {
        var hasher = SHA256()
        var size: Int64 = 0
        var bytes: [UInt8]? = []
        while let piece = try next() {
            hasher.update(data: piece)
            size += Int64(piece.count)
            if size > Self.limit { bytes = nil } else { bytes? += piece }
        }
        self.size = size
        hash = ContentHash(bytes: Array(hasher.finalize()))!
        self.bytes = bytes
    }
}

extension KeptVersions {
    /// What a version holds.
    public func contents(of version: KeptVersion) throws -> VersionContents {
        var reader = try open(version)
        return try VersionContents { try reader.next() }
    }

    /// What the file at a path holds now; `nil` where no file is there. No symbolic link is followed.
    public func currentContents(at path: FolderPath) throws -> VersionContents? {
        do {
            let file = try FolderReader(root: root).open(path)
            return try VersionContents { try file.next() }
        } catch let error as FolderError where error.code == .notFound || error.code == .notAFile {
            return nil
        }
    }
}
