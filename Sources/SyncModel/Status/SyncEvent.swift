/// One setup, import or export, from its begin to its end.
public struct SyncEvent: Hashable, Sendable {
    /// What was done.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Account, zone and subscription were made ready.
        case setup
        /// Changes came from the zone into the folder.
        case `import`
        /// Changes went from the folder to the zone.
        case export
    }

    /// How it ended.
    public enum Outcome: Hashable, Sendable {
        case success
        /// With the code to branch on and a sentence for people.
        case error(code: String, message: String)
    }

    /// How many records it changed and deleted.
    public struct Counts: Hashable, Sendable {
        public var changed: Int
        public var deleted: Int

        /// Numbers of records.
        public init(changed: Int = 0, deleted: Int = 0) {
            self.changed = changed
            self.deleted = deleted
        }
    }

    /// Rises with every event of the folder; 0 until the event is stored.
    public var id: Int64
    public var kind: Kind
    public var author: Author
    /// In milliseconds since 1970.
    public var beganMilliseconds: Int64
    /// In milliseconds since 1970; `nil` while it goes on, and for ever where the process was killed in it.
    public var endedMilliseconds: Int64?
    /// `nil` while it goes on.
    public var outcome: Outcome?
    public var counts: Counts

    /// An event that begins; set the end, the outcome and the counts when it is over.
    public init(
        id: Int64 = 0, kind: Kind, author: Author, beganMilliseconds: Int64, endedMilliseconds: Int64? = nil,
        outcome: Outcome? = nil, counts: Counts = Counts()
    ) {
        self.id = id
        self.kind = kind
        self.author = author
        self.beganMilliseconds = beganMilliseconds
        self.endedMilliseconds = endedMilliseconds
        self.outcome = outcome
        self.counts = counts
    }
}
