public import SyncModel

/// What one finished action made true, in all three trees at once.
///
/// Commit it only after the act itself is done: the file durable and verified, or the save acknowledged.
public struct Outcome: Hashable, Sendable {
    /// What became of the base.
    public enum Base: Hashable, Sendable {
        case unchanged
        /// Both sides agree on this; the document is the JSON text of a structured record, `nil` for a file record.
        case agreed(BaseEntry, document: [UInt8]?)
        /// What both sides agree on is here only in part (`BaseEntry.isPartial`).
        case partial(RecordName)
        /// Both sides agree that the record is no more; its tombstone is settled too.
        case removed(RecordName)
    }

    /// What is known of the server now.
    public enum Remote: Hashable, Sendable {
        case unchanged
        case saved(RemoteRow)
        /// It has the record as this device sent it, without that it answered; the trees know it already.
        case recognized
        case deleted(RecordName)
    }

    /// Why the text on which both sides agreed so far is kept, and since when it is no longer theirs.
    public struct Keeping: Hashable, Sendable {
        public var reason: KeptReason
        public var atMilliseconds: Int64

        public init(_ reason: KeptReason, atMilliseconds: Int64) {
            self.reason = reason
            self.atMilliseconds = atMilliseconds
        }
    }

    public var base: Base
    public var remote: Remote
    /// Files as the action left them.
    public var local: [LocalEntry]
    /// Files that the action moved away or deleted; removed before ``local`` is put in.
    public var removedLocal: [FolderPath]
    /// A line for the journal.
    public var change: JournalEntry?
    /// Whether the text of a structured record that ``base`` takes away can be had back; `nil`: it is not kept.
    public var keeping: Keeping?

    /// What one finished action made true; leave out what it did not touch.
    public init(
        base: Base = .unchanged, remote: Remote = .unchanged, local: [LocalEntry] = [],
        removedLocal: [FolderPath] = [], change: JournalEntry? = nil
    ) {
        self.base = base
        self.remote = remote
        self.local = local
        self.removedLocal = removedLocal
        self.change = change
    }
}

extension Outcome.Base {
    /// The record that it is about.
    public var name: RecordName? {
        switch self {
        case .unchanged: nil
        case .agreed(let entry, _): entry.name
        case .partial(let name), .removed(let name): name
        }
    }
}
