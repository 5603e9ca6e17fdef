import Synchronization

/// A value that comes once, and those who wait for it.
final class FirstValue<Value: Sendable>: Sendable {
    private enum State {
        case waiting([CheckedContinuation<Value, any Error>])
        case done(Result<Value, any Error>)
    }

    private let state = Mutex(State.waiting([]))

    /// The value, once it came.
    func value() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state -> Result<Value, any Error>? in
                switch state {
                case .done(let result): return result
                case .waiting(let others):
                    state = .waiting(others + [continuation])
                    return nil
                }
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// Gives the value to all; only the first counts.
    func fulfill(_ value: Value) { finish(.success(value)) }

    /// Tells all that no value will come.
    func fail(_ error: any Error) { finish(.failure(error)) }

    private func finish(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
            guard case .waiting(let waiting) = state else { return [] }
            state = .done(result)
            return waiting
        }
        for continuation in waiting { continuation.resume(with: result) }
    }
}
