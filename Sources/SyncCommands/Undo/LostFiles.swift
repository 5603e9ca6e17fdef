import FolderControl
import FolderSettings
import LocalFolder
import StateRows
import StateStorage
import SyncEngine
import SyncModel
import SystemPackage

/// What of a folder was deleted in large numbers: whoever wants back all of it, and names no time, means most likely that.
struct LostFiles {
    /// How many deletions wait for a person's word.
    var waiting: Int?
    /// How many files went at last, and are gone.
    var gone: Int?
    /// Since when these went, in milliseconds since 1970.
    var sinceMilliseconds: Int64?
}

extension LostFiles {
    /// - Throws: `StateError` or `FolderError` where it cannot be read.
    init(of directory: StateDirectory) throws {
        let limit = try FolderConfiguration(of: directory).deletionLimit
        let reader = FolderReader(root: try FolderRoot(opening: directory.folder))
        self = try StateStore.look(at: directory) { store in
            let waiting = try store.batchesAwaitingApproval().first { $0.approvedMilliseconds == nil }
            if let waiting {
                let unasked = try UnaskedDeletions(before: waiting, among: try store.recentDeletions(), in: store) {
                    try store.gone($0, from: reader)
                }
                return LostFiles(
                    waiting: waiting.count, gone: unasked?.count, sinceMilliseconds: unasked?.sinceMilliseconds)
            }
            let stroke = try DeletionStroke.last(ofMoreThan: limit, in: store) { try store.gone($0, from: reader) }
            return LostFiles(gone: stroke?.paths.count, sinceMilliseconds: stroke?.sinceMilliseconds)
        }
    }
}

extension CommandFailure {
    static func restoresAll(_ folder: FilePath, _ lost: LostFiles) -> Self {
        var ways: [String] = []
        if let count = lost.waiting {
            ways.append(
                "The deletion of \(Amounts.count(count, "file")) waits for your word; "
                    + "`zonefolder reject \(ShellWord.quoted(folder.string))` undoes it.")
        }
        if let count = lost.gone, let since = lost.sinceMilliseconds {
            ways.append(
                "\(Amounts.count(count, "file")) went from \(WallClock.text(since)) on; "
                    + "`\(UnaskedText.command(since: since, in: folder.string))` puts back what went since then and is "
                    + "gone, and changes no file that is there.")
        }
        if ways.isEmpty {
            ways.append(
                "Say since when with --deleted-since TIME, which changes no file that is there, or which time to go back "
                    + "to with --at TIME, or name a file or a folder in it.")
        }
        return Self(
            status: .usage,
            message:
                "\(folder) is a whole synced folder, in which files were deleted on purpose too. "
                + ways.joined(separator: " "))
    }
}
