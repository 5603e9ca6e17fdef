import CloudKitClient
import Logging
import ProblemSentences
import StateStorage
import SyncModel
import SyncTiming

/// What `events` tells: setups, imports and exports, each with its beginning, its end, its files and how it ended (S1.16, S1.17).
extension FolderSession {
    /// Notes that an event begins; it is stored once something comes of it.
    func beginEvent(_ kind: SyncEvent.Kind) {
        eventLog.begin(kind, at: environment.clock.milliseconds)
    }

    /// The id of the event that goes on, whose beginning is stored from now on.
    @discardableResult
    func storedEvent(_ kind: SyncEvent.Kind) throws -> Int64 {
        beginEvent(kind)
        guard let event = eventLog.current(kind), event.id == 0 else { return eventLog.current(kind)?.id ?? 0 }
        let id = try environment.store.beginEvent(event)
        eventLog.noteStored(kind, as: id)
        return id
    }

    /// Ends the event that goes on, if one does.
    func endEvent(_ kind: SyncEvent.Kind) throws {
        switch eventLog.end(kind, at: environment.clock.milliseconds) {
        case .nothing: break
        case .end(let event): try environment.store.endEvent(event)
        case .whole(let event):
            var event = event
            event.id = try environment.store.beginEvent(event)
            try environment.store.endEvent(event)
        case .forget(let id): try environment.store.removeEvent(id)
        }
    }

    /// Notes that a request failed, in the event that it was part of.
    func noteFailure(of key: RetryKey, code: String, message: String) {
        guard let kind = key.eventKind else { return }
        eventLog.fail(kind, code: code, message: message, at: environment.clock.milliseconds)
    }

    /// Notes that a request failed and what is done about it. What asks for the account is told of the setup, once it is known: an
    /// import or an export that is not allowed did not happen (S1.5).
    func noteFailure(of key: RetryKey, _ reaction: ErrorReaction, code: String, message: String) {
        switch reaction {
        case .signIn,
            .hold(.noPermission) where account.status == nil:
            break
        default: noteFailure(of: key, code: code, message: message)
        }
    }

    /// The same changes, each as part of the event that goes on.
    func withEvents(_ outcomes: [Outcome]) throws -> [Outcome] {
        try outcomes.map { outcome in
            guard let change = outcome.change else { return outcome }
            var outcome = outcome
            outcome.change?.event = try storedEvent(change.kind)
            eventLog.note(change)
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
