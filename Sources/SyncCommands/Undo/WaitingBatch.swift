import ArgumentParser
import FolderControl
import FolderSettings
import LocalFolder
import StateRows
import StateStorage
import SyncEngine
import SyncModel
import SyncService
import SystemPackage

/// Something that waits for `approve`, and that all but the question of a new zone can be rejected.
struct WaitingBatch {
    enum Side {
        /// Files were deleted here; their records wait.
        case zone
        /// Records were deleted in the zone; their files wait.
        case folder
        /// Whether this folder's files are to be sent into a new or another zone.
        case newZone
    }

    var name: String
    var side: Side
    /// Files.
    var count: Int
    /// What went before them, without that anybody was asked.
    var unasked: UnaskedText?

    /// Those that wait in a folder, as its daemon knows them.
    static func all(in directory: StateDirectory, of client: ControlClient) async throws -> [WaitingBatch] {
        let report = try await client.status()
        let batches = try StateStore.look(at: directory) { store in
            let recent = try store.recentDeletions()
            let reader = FolderReader(root: try FolderRoot(opening: directory.folder))
            return try store.batchesAwaitingApproval().filter { $0.approvedMilliseconds == nil }.map { batch in
                let side: Side = batch.deletionKind == .deleteFile ? .folder : .zone
                let unasked = try UnaskedDeletions(before: batch, among: recent, in: store) {
                    try store.gone($0, from: reader)
                }.map {
                    UnaskedText(
                        $0.count, since: $0.sinceMilliseconds, isInZone: side == .zone, in: directory.folder.string)
                }
                return WaitingBatch(name: batch.id, side: side, count: batch.count, unasked: unasked)
            }
        }
        return (report.asksForNewZone ? [WaitingBatch(name: "zone", side: .newZone, count: 0)] : []) + batches
    }

    /// What it is about, for a list.
    var line: String {
        switch side {
        case .zone: "\(name): \(Amounts.count(count, "file")) deleted here, to be deleted in the zone"
        case .folder: "\(name): \(Amounts.count(count, "file")) deleted in the zone, to be deleted here"
        case .newZone: "\(name): whether this folder's files are sent into its new zone"
        }
    }
}

/// The batch of `approve` and `reject`, and the folder.
struct BatchArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The batch, as status names it, which can be left out where one waits; then the folder, or a path in it.",
            valueName: "batch-and-folder"))
    var words: [String] = []

    func validate() throws {
        if words.count > 2 { throw ValidationError("A batch and a folder are taken, and no more: \(words[2]).") }
    }

    /// Whether a word alone names a batch: no person calls a folder so.
    static func isBatch(_ word: String) -> Bool {
        word == "zone"
            || word.utf8.count == 16 && word.utf8.allSatisfy { $0 < 0x80 && Character(UnicodeScalar($0)).isHexDigit }
    }

    private var parts: (batch: String?, folder: String?) {
        switch words.count {
        case 0: (nil, nil)
        case 1: Self.isBatch(words[0]) ? (words[0], nil) : (nil, words[0])
        default: (words[0], words[1])
        }
    }

    var stateDirectory: StateDirectory {
        get throws { try FolderArgument.of(parts.folder).stateDirectory }
    }

    /// The batch that is meant among those that wait.
    func batch(among waiting: [WaitingBatch], in folder: FilePath) throws -> WaitingBatch {
        if let name = parts.batch {
            guard let batch = waiting.first(where: { $0.name == name }) else { throw CommandFailure.batchUnknown(name) }
            return batch
        }
        guard let batch = waiting.first else { throw CommandFailure.nothingWaits(in: folder) }
        guard waiting.count == 1 else { throw CommandFailure.severalWait(waiting) }
        return batch
    }
}

extension CommandFailure {
    static func nothingWaits(in folder: FilePath) -> Self {
        Self(
            status: .error,
            message: "Nothing waits for a word in \(folder). What is to be done there: "
                + "`zonefolder plan \(ShellWord.quoted(folder.string))`.")
    }

    static func severalWait(_ batches: [WaitingBatch]) -> Self {
        Self(
            status: .usage,
            message: "Several batches wait. Name the one that you mean:\n"
                + batches.map { "  \($0.line)" }.joined(separator: "\n"))
    }

    static let noDeletion = Self(
        status: .error,
        message:
            "There is nothing to put back: 'zone' asks whether this folder's files are sent into its new zone. As long "
            + "as it is not approved, none is sent and none is deleted.")
}
