import FolderWriting
import LocalFolder
public import SyncModel
public import SystemPackage

/// Writes kept versions to a directory elsewhere, and changes nothing in the folder.
public struct CopiedVersions: Sendable {
    private let versions: KeptVersions
    private let directory: FilePath
    private let target: CopyTarget

    /// - Parameter directory: One that exists, in the folder or outside of it.
    /// - Throws: `FolderError` where it cannot be opened.
    public init(of versions: KeptVersions, to directory: FilePath) throws {
        self.versions = versions
        self.directory = directory
        target = try CopyTarget(opening: directory)
    }

    /// Writes one version; nothing that is there is replaced.
    /// - Parameter path: Where to, relative to the directory.
    /// - Throws: An error for people, where it is not written.
    public func write(_ version: KeptVersion, to path: FolderPath) throws {
        var reader = try versions.open(version)
        var copy = try target.begin(path)
        while let piece = try reader.next() { try copy.write(piece) }
        guard try copy.finish(executable: reader.isExecutable) else { throw RestoreError.taken(path, in: directory) }
    }

    /// Writes a file as it stands in the folder now; nothing that is there is replaced.
    /// - Parameter path: Where to, relative to the directory.
    /// - Throws: An error for people, where it is not written.
    public func write(standing file: FolderPath, to path: FolderPath) throws {
        for _ in 0..<8 {
            let reader = try FolderReader(root: versions.root).open(file)
            var copy = try target.begin(path)
            while let piece = try reader.next() { try copy.write(piece) }
            guard case .unchanged = try reader.finish() else { continue }
            guard try copy.finish(executable: reader.stamp.executable) else {
                throw RestoreError.taken(path, in: directory)
            }
            return
        }
        throw RestoreError.changing(file)
    }
}
