/// One step that brings folder and zone nearer to each other, with what must still be true when its turn comes.
///
/// An action does exactly what it says, or reports *superseded* and changes nothing: its preconditions name the
/// version of each side that the planner saw.
public struct Action: Hashable, Sendable {
    /// What to do.
    public enum Kind: Hashable, Sendable {
        /// Send a file as a new record. The record name is the action's, or a new one where that is `nil`.
        case createRecord
        /// Send what changed in a file, its path, or both.
        case updateRecord(content: Bool, path: Bool)
        /// Delete the record of a file that is gone.
        case deleteRecord
        /// Write a record into the folder, as a new file or over the one that both sides agreed on.
        case writeFile
        /// Move a file to where its record is now.
        case moveFile(to: FolderPath)
        /// Move the file of a deleted record into history.
        case deleteFile
        /// Both sides have a version of their own: adopt if equal, else merge, else keep both.
        case reconcile
        /// Both sides are without it: forget what they once agreed on.
        case forget
    }

    public var kind: Kind
    /// The record, or `nil` for a file that has none yet.
    public var record: RecordName?
    /// The file: where it is, or where it is to be written.
    public var path: FolderPath
    /// The file's version as planned with, or `nil` where there must be none.
    public var local: LocalVersion?
    /// The record's change tag as planned with, or `nil` where there must be none.
    public var changeTag: String?
    /// `true` where an edit outlives a deletion on the other side; reported once.
    public var outlivesDeletion: Bool

    /// An action on one file, one record, or both.
    public init(
        _ kind: Kind, record: RecordName?, path: FolderPath, local: LocalVersion?, changeTag: String?,
        outlivesDeletion: Bool = false
    ) {
        self.kind = kind
        self.record = record
        self.path = path
        self.local = local
        self.changeTag = changeTag
        self.outlivesDeletion = outlivesDeletion
    }

    /// Whether the action changes the zone rather than the folder.
    public var isSending: Bool {
        switch kind {
        case .createRecord, .updateRecord, .deleteRecord: true
        case .writeFile, .moveFile, .deleteFile, .reconcile, .forget: false
        }
    }

    /// Whether the action takes something away on one side.
    public var isDeleting: Bool {
        kind == .deleteRecord || kind == .deleteFile
    }
}

/// A file's version: what is in it, and what `stat` said when that was read.
public struct LocalVersion: Hashable, Sendable {
    /// Stored once: a plan may have as many actions as there are files, and is handed on in parts.
    private final class Seen: Sendable {
        let stamp: FileStamp
        let hash: ContentHash

        init(_ stamp: FileStamp, _ hash: ContentHash) {
            self.stamp = stamp
            self.hash = hash
        }
    }

    private let seen: Seen

    public var stamp: FileStamp { seen.stamp }
    public var hash: ContentHash { seen.hash }

    /// Takes what a scan found.
    public init(stamp: FileStamp, hash: ContentHash) {
        seen = Seen(stamp, hash)
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.seen === right.seen || left.stamp == right.stamp && left.hash == right.hash
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(stamp)
        hasher.combine(hash)
    }
}

/// The actions that make folder and zone agree, computed from the three trees.
public struct Plan: Hashable, Sendable {
    /// In the order in which they are to be started: creations and moves before what may depend on them,
    /// deletions last.
    public var actions: [Action]
    /// Actions that wait for a person's word, because they would delete too much.
    public var awaitingApproval: [Action]
    /// The kinds of deletions of which a person is asked because they are many: they wait for the answer, whatever is done
    /// meanwhile.
    public var asked: Set<Action.Kind> = []
    /// What keeps a file from being synced although the planner knows both sides.
    public var problems: [FolderPath: Problem]
    /// Records whose files count as edited, whatever their bytes, and how they stand then; note it before anything is done,
    /// for what shows it may be gone by then (``BaseEntry/isRenewed``).
    public var renewed: [RecordName: BaseEntry.Standing] = [:]
    /// Records of files that both sides have as assets of other records, with the same bytes: both agree on them; note it
    /// (``BaseEntry/Standing/yielded``).
    public var yielded: [RecordName: BaseEntry] = [:]

    /// A plan; an empty one means that folder and zone agree, but for problems and what awaits approval.
    public init(actions: [Action] = [], awaitingApproval: [Action] = [], problems: [FolderPath: Problem] = [:]) {
        self.actions = actions
        self.awaitingApproval = awaitingApproval
        self.problems = problems
    }

    /// How many of the actions delete, send and receive.
    public var counts: (deletions: Int, uploads: Int, downloads: Int) {
        var counts = (deletions: 0, uploads: 0, downloads: 0)
        // By their places: to copy an action costs more than to look at its kind.
        for index in actions.indices {
            switch actions[index].kind {
            case .deleteRecord, .deleteFile: counts.deletions += 1
            case .createRecord, .updateRecord: counts.uploads += 1
            case .forget: break
            case .writeFile, .moveFile, .reconcile: counts.downloads += 1
            }
        }
        return counts
    }
}
