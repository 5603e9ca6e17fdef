import CloudKitWire
import Hummingbird
import NIOPosix

/// Who has turns of their own: a person, a key, or all who come to a container without an account.
struct TurnOwner: Hashable, Sendable {
    private let identity: Caller.Identity
    private let place: String

    init(_ caller: Caller) {
        identity = caller.identity
        place = "\(caller.environment)/\(caller.container)"
    }
}

extension WebServicesResponder {
    /// Performs a call off the event loop, once it is its caller's turn; and whoever lets too many wait is told to slow down.
    ///
    /// Who calls is found out first, for which every call finds a thread and a reader of the database: those that are under
    /// way by turns are fewer than there are.
    func perform(_ call: OperationCall, under faults: [Fault]) async throws -> (Answer, items: Int) {
        // A server that fails on demand is for tests, and a fault comes before anybody is asked who they are.
        guard server.faults == nil else { return try await server.pool.runIfActive { call.perform(under: faults) } }
        let turns = call.target.isWriting ? server.writingTurns : server.readingTurns
        let begun = try await server.pool.runIfActive { () -> BegunCall in
            switch call.admit() {
            case .refused(let answer): .done(answer, items: 0)
            case .admitted(let caller, let headers):
                // Mostly nobody is before it, and it stays on this thread.
                turns.now(TurnOwner(caller)) { call.perform(as: caller, headers) }.map { .done($0, items: $1) }
                    ?? .waits(caller, headers)
            }
        }
        switch begun {
        case .done(let answer, let items): return (answer, items)
        case .waits(let caller, let headers):
            do {
                return try await turns.inTurn(TurnOwner(caller)) {
                    try await server.pool.runIfActive { call.perform(as: caller, headers) }
                }
            } catch is TooManyWait {
                var refusal = ErrorDictionary(.throttled, reason: "too many requests of this user at once")
                refusal.retryAfter = 5
                return (.error(refusal, uuid: call.uuid).with(headers), 0)
            }
        }
    }
}

/// What became of a call that was just admitted.
private enum BegunCall: Sendable {
    case done(Answer, items: Int)
    case waits(Caller, HTTPFields)
}
