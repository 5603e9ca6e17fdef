public import FolderSettings
import FolderWriting
import LocalFolder
public import SyncModel
import SyncTiming
import SystemPackage

/// Puts kept versions back, as a person would who saves them: the daemon sends them like any edit, and none need run.
///
/// What stands at a path is filed in the history first, so that a restore can be undone by another one.
public struct Restoring: Sendable {
    /// What is kept.
    public let versions: KeptVersions
    private let writer: FolderWriter
    /// A daemon that starts leaves alone what is staged here.
    private let lock: StagingLock

    /// What became of one file.
    public enum Result: Hashable, Sendable {
        /// It is back; with whether something stood there, which is kept now.
        case restored(replaced: Bool)
        /// The file has these bytes already.
        case alreadySo
        /// Another file stands there, and was to be left alone.
        case taken
        /// It is as it was, for a reason that names the file and the way out.
        case failed(String)
    }

    /// Opens the folder to write to it.
    /// - Throws: `StateError` where the folder is another user's; `FolderError` where it cannot be written to.
    public init(in directory: StateDirectory, atOrBelow path: FolderPath?) throws {
        try directory.prepare()
        lock = try StagingLock(sharedIn: directory)
        versions = try KeptVersions(of: directory, atOrBelow: path)
        let root = try FolderRoot(opening: directory.folder)
        let clock = SessionClock.system
        writer = try FolderWriter(
            root: root, device: try FolderConfiguration(of: directory).device, clock: clock.wall)
    }

    /// Whether a file stands at a path now.
    public func isThere(_ path: FolderPath) -> Bool {
        FolderReader(root: writer.root).stamp(of: path) != nil
    }

    /// Puts a version back at its path.
    /// - Parameter isToReplace: Whether it takes the place of a file that stands there.
    public func restore(_ version: KeptVersion, replacing isToReplace: Bool = true) -> Result {
        do {
            for _ in 0..<8 {
                if let result = try tryToRestore(version, isToReplace) { return result }
            }
            throw RestoreError.changing(version.path)
        } catch {
            return .failed("\(error)")
        }
    }

    /// - Returns: `nil` where somebody saved the file in this moment.
    private func tryToRestore(_ version: KeptVersion, _ isToReplace: Bool) throws -> Result? {
        let path = version.path
        var reader = try versions.open(version)
        let staged = try writer.stage()
        while let piece = try reader.next() { try staged.write(piece) }
        let hash = try staged.finish(executable: reader.isExecutable)
        let outcome: WriteOutcome
        var isReplaced = false
        if let current = try currentFile(at: path) {
            if current.hash == hash, current.stamp.executable == reader.isExecutable { return .alreadySo }
            guard isToReplace else { return .taken }
            isReplaced = true
            outcome = try writer.replace(path, with: staged, expecting: current.stamp, current.hash, as: .restored)
        } else {
            outcome = try writer.create(path, staged)
        }
        switch outcome {
        case .done, .superseded(.overtaken, _): return .restored(replaced: isReplaced)
        case .superseded: return nil
        case .blocked(let reason): return .failed("\(path) is not restored: \(reason)")
        }
    }

    /// The file that stands at a path, or `nil` where none does.
    private func currentFile(at path: FolderPath) throws -> (stamp: FileStamp, hash: ContentHash)? {
        do throws(FolderError) {
            for _ in 0..<8 {
                let file = try FolderReader(root: writer.root).open(path)
                while try file.next() != nil {}
                if case .unchanged(let hash) = try file.finish() { return (file.stamp, hash) }
            }
        } catch {
            // What stands in the way is named by the attempt to put a file there.
            if error.code == .notFound || error.code == .notAFile { return nil }
            throw error
        }
        throw RestoreError.changing(path)
    }
}

/// Why a file could not be restored, where no library below says so.
struct RestoreError: Error, CustomStringConvertible {
    /// Names the file, what is wrong, and the way out.
    let description: String

    static func changing(_ path: FolderPath) -> Self {
        Self(description: "\(path) is being written to. Close the program that does, and restore it again.")
    }

    static func removed(_ path: FolderPath) -> Self {
        Self(description: "That version of \(path) was old, and was removed in this moment. Choose a newer one.")
    }

    static func taken(_ path: FolderPath, in directory: FilePath) -> Self {
        Self(description: "\(path) is in \(directory) already. Name another directory, or move that file away.")
    }
}
