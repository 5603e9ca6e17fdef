import FolderControl
import FolderSettings
import FolderWriting
import LocalFolder
import StateStorage
import SyncModel
import SyncService
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// Settles conflicts in a folder, with a daemon or without: it takes what is done here as a person's edits.
///
/// The file is written first and the copy goes after it, so that no kill between the two loses a version; what either was
/// before is in the history.
struct ConflictSettlement {
    private let folder: FilePath
    private let reader: FolderReader
    private let writer: FolderWriter
    private let directory: StateDirectory

    /// What stands in the file once it is settled.
    enum Choice: Hashable {
        /// This device's version of the fields that collided, or the zone's.
        case mine, theirs
        /// What a person made of both.
        case merged([UInt8])
    }

    /// One settled conflict; its JSON form is that of `resolve --json`.
    struct Settled: Encodable, Hashable {
        var path: String
        var copy: String
        /// `mine`, `theirs` or `merged`.
        var stands: String
        /// Whether the file has other bytes now.
        var isChanged: Bool
        /// Where the copy is from now on, relative to the folder.
        var history: String?

        var text: String { "\(path) is settled: \(sentence)" }

        private var sentence: String {
            switch stands {
            case "mine": "your version stands."
            case "theirs": "the zone's version stands."
            default: "what you made of both stands."
            }
        }
    }

    /// - Throws: `StateError` for another user's folder.
    init(_ directory: StateDirectory) throws {
        try directory.prepare()
        self.directory = directory
        folder = directory.folder
        let root = try FolderRoot(opening: folder)
        reader = FolderReader(root: root)
        writer = try FolderWriter(
            root: root, device: FolderConfiguration(of: directory).device, clock: { WallClock.now * 1_000_000 })
    }

    /// The bytes of a conflict's file and of its copy, to look at.
    func versions(of conflict: StatusReport.Conflict) throws -> (file: [UInt8]?, copy: [UInt8]) {
        (try contents(conflict.path)?.bytes, try copyContents(conflict).bytes)
    }

    /// - Parameter seen: The file's bytes that a merge was made of: where it has others now, nothing is done.
    /// - Throws: ``CommandFailure`` where file or copy were changed in that instant; then nothing was done.
    func settle(
        _ conflict: StatusReport.Conflict, by choice: Choice, seen: [UInt8]? = nil
    ) throws -> Settled {
        // A daemon that starts leaves alone what is staged here.
        let lock = try StagingLock(sharedIn: directory)
        defer { withExtendedLifetime(lock) {} }
        let copy = try copyContents(conflict)
        let file = try contents(conflict.path)
        if let seen, file?.bytes != seen { throw CommandFailure.changedMeanwhile(conflict.path) }
        let bytes: [UInt8]
        let stands: String
        switch choice {
        case .mine, .theirs:
            let takesCopy = (choice == .theirs) == conflict.holdsZoneVersion
            stands = choice == .mine ? "mine" : "theirs"
            // Where the file is gone its version was to be gone.
            guard takesCopy || file != nil else {
                return try end(conflict, copy, stands: stands, isChanged: false)
            }
            bytes =
                takesCopy
                ? ConflictMerge.taking(conflict.fields, of: copy.bytes, into: file?.bytes) : file?.bytes ?? []
        case .merged(let merged): (bytes, stands) = (merged, "merged")
        }
        let isChanged = bytes != file?.bytes
        if isChanged { try write(bytes, to: conflict.path, insteadOf: file, like: copy.stamp.executable) }
        return try end(conflict, copy, stands: stands, isChanged: isChanged)
    }

    private func end(
        _ conflict: StatusReport.Conflict, _ copy: FolderReader.Contents, stands: String, isChanged: Bool
    ) throws -> Settled {
        let path = try Self.path(conflict.copy)
        try check(writer.delete(path, expecting: copy.stamp, copy.hash, as: .deletedHere), conflict.copy)
        let entry = try writer.history.entries().first { $0.path == path }
        return Settled(
            path: conflict.path, copy: conflict.copy, stands: stands, isChanged: isChanged,
            history: entry?.location)
    }

    private func write(
        _ bytes: [UInt8], to text: String, insteadOf file: FolderReader.Contents?, like isExecutable: Bool
    ) throws {
        let path = try Self.path(text)
        let staged = try writer.stage(bytes, executable: file?.stamp.executable ?? isExecutable)
        if let file {
            try check(
                writer.replace(path, with: staged, expecting: file.stamp, file.hash, as: .changedHere), text)
        } else {
            try check(writer.create(path, staged), text)
        }
    }

    private func check(_ outcome: WriteOutcome, _ path: String) throws(CommandFailure) {
        switch outcome {
        case .done: return
        case .superseded: throw .changedMeanwhile(path)
        case .blocked(let reason): throw CommandFailure(status: .error, message: "\(reason)")
        }
    }

    private func copyContents(_ conflict: StatusReport.Conflict) throws -> FolderReader.Contents {
        guard let contents = try contents(conflict.copy) else { throw CommandFailure.changedMeanwhile(conflict.copy) }
        return contents
    }

    /// `nil` where no file is there.
    private func contents(_ text: String) throws -> FolderReader.Contents? {
        let path = try Self.path(text)
        do throws(FolderError) {
            return try reader.read(path)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    private static func path(_ text: String) throws -> FolderPath {
        guard let path = FolderPath(shown: text) else {
            throw CommandFailure(
                status: .error, message: "\(text) has a name that cannot be written here. Delete the copy yourself.")
        }
        return path
    }
}

extension CommandFailure {
    static func changedMeanwhile(_ path: String) -> Self {
        Self(
            status: .error,
            message:
                "\(path) was changed in this very moment, so nothing was done with it. Look again with `zonefolder "
                + "conflicts`, and say it once more.")
    }
}
