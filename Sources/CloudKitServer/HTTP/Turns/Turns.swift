import Synchronization

/// Lets calls be carried out in the order of ``TurnOrder``.
final class Turns<Owner: Hashable & Sendable>: Sendable {
    private struct State {
        var order: TurnOrder<Owner>
        var waiting: [TurnOrder<Owner>.Ticket: CheckedContinuation<Void, any Error>] = [:]
        var lastTicket = 0
        var isClosed = false
    }

    private let state: Mutex<State>

    init(_ limits: TurnLimits) {
        state = Mutex(State(order: TurnOrder(limits)))
    }

    /// How many calls wait for their turn.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Carries out what is the owner's turn already.
    /// - Returns: `nil` where it is not.
    func now<Answer>(_ owner: Owner, _ body: () throws -> Answer) rethrows -> Answer? {
        guard state.withLock({ !$0.isClosed && $0.order.begin(owner) }) else { return nil }
        defer { end(owner) }
        return try body()
    }

    /// Carries something out once it is the owner's turn.
    /// - Throws: ``TooManyWait``; `CancellationError` also where turns are given to nobody any more.
    func inTurn<Answer>(_ owner: Owner, _ body: () async throws -> Answer) async throws -> Answer {
        try await wait(owner)
        defer { end(owner) }
        return try await body()
    }

    /// Sends away all who wait, and all who come.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            state.order.withdrawAll()
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(throwing: CancellationError()) }
    }

    private func wait(_ owner: Owner) async throws {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    // Who is cancelled later is found among those who wait.
                    guard !state.isClosed, !Task.isCancelled else { return .failure(CancellationError()) }
                    if state.order.begin(owner) { return .success(()) }
                    guard state.order.wait(ticket, of: owner) else { return .failure(TooManyWait()) }
                    state.waiting[ticket] = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.order.withdraw(ticket, of: owner)
                return state.waiting.removeValue(forKey: ticket)
            }
            continuation?.resume(throwing: CancellationError())
        }
    }

    private func end(_ owner: Owner) {
        let begun = state.withLock { state in
            state.order.end(of: owner).compactMap { state.waiting.removeValue(forKey: $0) }
        }
        for continuation in begun { continuation.resume() }
    }
}

/// So many calls of one owner wait that this one is refused.
struct TooManyWait: Error {}
