public import FolderSettings
import GRDB
public import StateRows
public import SyncModel

/// What happened: the events, and the single changes with their authors. Both keep their newest rows only.
extension StateStore {
    /// How many events are kept.
    public static let keptEvents = 1_000
    /// How many changes are kept.
    public static let keptChanges = 20_000

    /// Stores an event that begins, or is over at once.
    /// - Returns: Its id, under which ``endEvent(_:)`` completes it.
    @discardableResult
    public func beginEvent(_ event: SyncEvent) throws(StateError) -> Int64 {
        try write(.ordered) { db in try JournalTable.append(event, keeping: Self.keptEvents, db) }
    }

    /// Stores the end, the outcome and the counts of an event that was begun.
    public func endEvent(_ event: SyncEvent) throws(StateError) {
        try write(.ordered) { db in try JournalTable.update(event, db) }
    }

    /// Removes an event that is none, since nothing came of it. What it names stays.
    public func removeEvent(_ id: Int64) throws(StateError) {
        try write(.ordered) { db in try JournalTable.removeEvent(id, db) }
    }

    /// The newest events, oldest first.
    /// - Parameter id: Gives only events with a higher id; 0 gives all.
    public func events(after id: Int64 = 0, limit: Int = 100) throws(StateError) -> [SyncEvent] {
        try read { db in try JournalTable.events(after: id, limit: limit, db) }
    }

    /// When the event of a kind began that went on at a moment; `nil` where none did, as far as is kept. Both are in milliseconds
    /// since 1970.
    public func beginning(of kind: SyncEvent.Kind, at moment: Int64) throws(StateError) -> Int64? {
        try read { db in try JournalTable.beginning(of: kind, at: moment, db) }
    }

    /// The newest changes, oldest first.
    /// - Parameter id: Gives only changes with a higher id; 0 gives all.
    public func changes(after id: Int64 = 0, limit: Int = 100) throws(StateError) -> [JournalEntry] {
        try read { db in try JournalTable.changes(after: id, limit: limit, db) }
    }

    /// The changes that were part of an event, oldest first.
    public func changes(of event: Int64) throws(StateError) -> [JournalEntry] {
        try read { db in try JournalTable.changes(of: event, db) }
    }
}
