import FolderControl
import FolderHistory
import FolderSettings
import LocalFolder
import SyncModel
import SyncService

/// Files that the zone alone has and that come from it once more, since notes in the folder name them: no deletion of such a file
/// goes out, so that it never comes into the history.
struct FilesFromZone {
    private let directory: StateDirectory
    private let reader: FolderReader

    init(of directory: StateDirectory) throws {
        self.directory = directory
        reader = FolderReader(root: try FolderRoot(opening: directory.folder))
    }

    /// So long a file may take before it is said to be on its way.
    private static let patience = Duration.seconds(10)

    /// Has a daemon bring some files, and waits for them; nothing where none runs, or it has no such files.
    func bring(_ paths: [FolderPath]) async throws -> [RestoreLine] {
        guard !paths.isEmpty, FolderLock.holder(of: directory) != nil else { return [] }
        // It may be of another version, or just end: what is left out is told then.
        let coming = (try? await ControlClient(for: directory).fetchAgain(paths)) ?? []
        let deadline = ContinuousClock.now + Self.patience
        var lines: [RestoreLine] = []
        for path in coming {
            while reader.stamp(of: path) == nil, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(50))
            }
            lines.append(RestoreLine(path, hasCome: reader.stamp(of: path) != nil, in: directory))
        }
        return lines
    }
}
