public import SyncModel

/// One change of one file or record, with its author.
public struct JournalEntry: Hashable, Sendable {
    /// Rises with every change of the folder; 0 until it is stored.
    public var id: Int64
    /// The import or export that it was part of.
    public var event: Int64?
    public var atMilliseconds: Int64
    /// What was done, in one word, such as `update`.
    public var action: String
    public var author: Author
    public var path: FolderPath?
    public var record: RecordName?

    /// The file went into the zone.
    public static let sent = "send"
    /// The file's deletion went into the zone.
    public static let recordDeleted = "delete-record"
    /// The record came into the folder.
    public static let received = "receive"
    /// The file went where its record says.
    public static let moved = "move"
    /// The file went as its record had.
    public static let fileDeleted = "delete-file"
    /// What a file's edit here outlived: its deletion in the zone.
    public static let keptEditHere = "keep-edit-here"
    /// What a record's edit in the zone outlived: its file's deletion here.
    public static let keptEditThere = "keep-edit-there"
    /// Both sides changed the same thing, and this device's version went into a copy.
    public static let conflict = "conflict"
    /// The record of a file that was deleted here stays, and the file comes back.
    public static let putBack = "put-back"
    /// A file was received whose record tells the `sha256` of other bytes.
    public static let staleHash = "receive-over-stale-hash"

    /// A change that was made just now.
    public init(
        event: Int64? = nil, atMilliseconds: Int64, action: String, author: Author, path: FolderPath? = nil,
        record: RecordName? = nil
    ) {
        id = 0
        self.event = event
        self.atMilliseconds = atMilliseconds
        self.action = action
        self.author = author
        self.path = path
        self.record = record
    }

    /// The kind of event that the change is part of.
    public var kind: SyncEvent.Kind {
        switch action {
        case Self.sent, Self.recordDeleted, Self.keptEditHere: .export
        default: .import
        }
    }
}
