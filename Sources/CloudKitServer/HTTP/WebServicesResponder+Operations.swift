import CloudKitWire
import Hummingbird
import NIOCore
import NIOPosix

extension WebServicesResponder {
    /// Performs a call off the event loop, once it is its caller's turn; and whoever lets too many wait is told to slow down.
    ///
    /// Who calls is found out first, for which every call finds a thread and a reader of the database: those that are under
    /// way by turns are fewer than there are.
    func perform(
        _ call: OperationCall, under faults: [Fault], over channel: any Channel
    ) async throws -> (Answer, items: Int) {
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
                return try await unlessHungUp(channel) {
                    try await turns.inTurn(TurnOwner(caller)) {
                        try await server.pool.runIfActive { call.perform(as: caller, headers) }
                    }
                }
            } catch is TooManyWait {
                var refusal = ErrorDictionary(.throttled, reason: "too many requests of this user at once")
                refusal.retryAfter = 5
                return (.error(refusal, uuid: call.uuid).with(headers), 0)
            }
        }
    }

    /// Lets a call wait for as long as its client does: one whose client hangs up takes no turn. What has begun goes on.
    ///
    /// A client that only says that it will send nothing more, as few do, looks like one that hung up.
    /// - Throws: ``ConnectionCut`` where the client hung up.
    func unlessHungUp<Answer: Sendable>(
        _ channel: any Channel, _ body: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let connection = try await channel.pipeline.handler(type: HangUpDetector.self).get()
        let call = Task { try await body() }
        connection.onHangUp { call.cancel() }
        defer { connection.onHangUp(nil) }
        do {
            return try await withTaskCancellationHandler {
                try await call.value
            } onCancel: {
                call.cancel()
            }
        } catch is CancellationError where connection.isHungUp {
            throw ConnectionCut()
        }
    }
}

/// What became of a call that was just admitted.
private enum BegunCall: Sendable {
    case done(Answer, items: Int)
    case waits(Caller, HTTPFields)
}
