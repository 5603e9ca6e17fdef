import FolderControl
import StateRows
import SyncModel

/// The setup, the import and the export that go on, each at most once at a time.
///
/// Decides what of them is stored: an event once something came of it, and again when it has ended; a failure once, however
/// often the same is tried again.
struct EventLog: Sendable {
    /// What is to be stored of an event that has ended.
    enum Ending: Hashable, Sendable {
        case nothing
        /// Its beginning is stored already, under its id.
        case end(SyncEvent)
        /// It begins and ends at once, as a failure before anything came of it does.
        case whole(SyncEvent)
        /// It failed as the one before it, and nothing came of it: the event with this id goes.
        case forget(Int64)
    }

    /// What was done since the start, file by file.
    private(set) var work = StatusReport.Work()
    private var open: [SyncEvent.Kind: SyncEvent] = [:]
    /// How the last one ended, where it failed and nothing of its kind has succeeded since.
    private var failures: [SyncEvent.Kind: String] = [:]

    /// The event that goes on, if one does.
    func current(_ kind: SyncEvent.Kind) -> SyncEvent? { open[kind] }

    /// Notes that an event begins, where none of its kind goes on.
    mutating func begin(_ kind: SyncEvent.Kind, at milliseconds: Int64) {
        guard open[kind] == nil else { return }
        open[kind] = SyncEvent(
            kind: kind, author: kind == .import ? .device(nil) : .person, beganMilliseconds: milliseconds)
    }

    /// Notes the id under which the beginning was stored.
    mutating func noteStored(_ kind: SyncEvent.Kind, as id: Int64) {
        open[kind]?.id = id
    }

    /// Counts a change that is part of an event that goes on.
    mutating func note(_ change: JournalEntry) { work.note(change) }

    /// Adds to what an event that goes on has changed and deleted.
    mutating func count(_ kind: SyncEvent.Kind, changed: Int = 0, deleted: Int = 0) {
        open[kind]?.counts.changed += changed
        open[kind]?.counts.deleted += deleted
    }

    /// Notes that something of an event failed. The first failure is the event's; what comes after it follows from it, as a rule.
    mutating func fail(_ kind: SyncEvent.Kind, code: String, message: String, at milliseconds: Int64) {
        begin(kind, at: milliseconds)
        if open[kind]?.outcome == nil { open[kind]?.outcome = .error(code: code, message: message) }
    }

    /// Notes that all is well again with events of a kind, also where none was stored.
    mutating func succeeded(_ kind: SyncEvent.Kind) {
        failures[kind] = nil
    }

    /// Ends the event that goes on, if one does.
    mutating func end(_ kind: SyncEvent.Kind, at milliseconds: Int64) -> Ending {
        guard var event = open.removeValue(forKey: kind) else { return .nothing }
        event.endedMilliseconds = milliseconds
        let isStored = event.id != 0
        guard case .error(let code, _)? = event.outcome else {
            guard isStored else { return .nothing }
            // What was sent was taken back, or was not allowed, which is told of the setup (S1.5): nothing went out.
            if kind == .export, event.counts == SyncEvent.Counts() { return .forget(event.id) }
            failures[kind] = nil
            event.outcome = .success
            return .end(event)
        }
        let isNews = failures.updateValue(code, forKey: kind) != code || event.counts != SyncEvent.Counts()
        if isNews { return isStored ? .end(event) : .whole(event) }
        return isStored ? .forget(event.id) : .nothing
    }
}
