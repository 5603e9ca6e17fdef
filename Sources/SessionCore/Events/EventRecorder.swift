package import CloudKitClient
package import FolderControl
import LocalFolder
import RemoteZone
import StateRows
package import StateStorage
package import SyncModel
package import SyncTiming

/// What `events` tells: setups, imports and exports, each with its beginning, its end, its files and how it ended (S1.16, S1.17).
package final class EventRecorder {
    private let store: StateStore
    private let clock: SessionClock
    private var log = EventLog()

    /// No event goes on.
    package init(store: StateStore, clock: SessionClock) { (self.store, self.clock) = (store, clock) }

    /// What was done since the start, file by file.
    package var work: StatusReport.Work { log.work }

    /// What the event that goes on has changed and deleted; nothing where none does.
    package func counts(of kind: SyncEvent.Kind) -> SyncEvent.Counts { log.current(kind)?.counts ?? SyncEvent.Counts() }

    /// Notes that an event begins; it is stored once something comes of it.
    package func begin(_ kind: SyncEvent.Kind) { log.begin(kind, at: clock.milliseconds) }

    /// The id of the event that goes on, whose beginning is stored from now on.
    @discardableResult
    package func stored(_ kind: SyncEvent.Kind) throws -> Int64 {
        begin(kind)
        guard let event = log.current(kind), event.id == 0 else { return log.current(kind)?.id ?? 0 }
        let id = try store.beginEvent(event)
        log.noteStored(kind, as: id)
        return id
    }

    /// Ends the event that goes on, if one does.
    package func end(_ kind: SyncEvent.Kind) throws {
        switch log.end(kind, at: clock.milliseconds) {
        case .nothing: break
        case .end(let event): try store.endEvent(event)
        case .whole(let event):
            var event = event
            event.id = try store.beginEvent(event)
            try store.endEvent(event)
        case .forget(let id): try store.removeEvent(id)
        }
    }

    /// Adds to what an event that goes on has changed and deleted.
    package func count(_ kind: SyncEvent.Kind, changed: Int = 0, deleted: Int = 0) {
        log.count(kind, changed: changed, deleted: deleted)
    }

    /// Notes that all is well again with events of a kind, also where none was stored.
    package func succeeded(_ kind: SyncEvent.Kind) { log.succeeded(kind) }

    /// Notes that a request failed, in the event that it was part of.
    package func noteFailure(of key: RetryKey, code: String, message: String) {
        guard let kind = key.eventKind else { return }
        log.fail(kind, code: code, message: message, at: clock.milliseconds)
    }

    /// Notes that a request failed and what is done about it. What asks for the account is told of the setup, once it is known: an
    /// import or an export that is not allowed did not happen (S1.5).
    /// - Parameter isAccountKnown: Whether nobody asks for the account.
    package func noteFailure(
        of key: RetryKey, _ reaction: ErrorReaction, code: String, message: String, isAccountKnown: Bool
    ) {
        switch reaction {
        case .signIn: break
        case .hold(.noPermission) where !isAccountKnown: break
        default: noteFailure(of: key, code: code, message: message)
        }
    }

    /// The same changes, each as part of the event that goes on.
    func recording(_ outcomes: [Outcome]) throws -> [Outcome] {
        try outcomes.map { outcome in
            guard let change = outcome.change else { return outcome }
            var outcome = outcome
            outcome.change?.event = try stored(change.kind)
            log.note(change)
            return outcome
        }
    }
}

extension RetryKey {
    /// The kind of event that a request is part of; `nil` for none.
    fileprivate var eventKind: SyncEvent.Kind? {
        switch self {
        case .account, .zone, .subscription: .setup
        case .databaseChanges, .zoneChanges: .import
        case .record, .path: .export
        case .state: nil
        }
    }
}
