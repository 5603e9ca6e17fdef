/// Lets one task in at a time, in the order of their coming. A cancelled task stops waiting.
package actor SerialGate {
    /// Proof of having entered; hand it back with ``leave(_:)``.
    package struct Turn: Hashable, Sendable {
        fileprivate var number: UInt64
    }

    private var last: UInt64 = 0
    private var holder: UInt64?
    private var waiting: [(number: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []

    /// A gate with nobody inside.
    package init() {}

    /// Waits until everybody before has left.
    package func enter() async throws -> Turn {
        last += 1
        let number = last
        guard holder != nil else {
            holder = number
            return Turn(number: number)
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    waiting.append((number, continuation))
                }
            }
        } onCancel: {
            Task { await self.giveUp(number) }
        }
        return Turn(number: number)
    }

    /// Lets the next one in.
    package func leave(_ turn: Turn) {
        guard holder == turn.number else { return }
        guard !waiting.isEmpty else {
            holder = nil
            return
        }
        let next = waiting.removeFirst()
        holder = next.number
        next.continuation.resume()
    }

    private func giveUp(_ number: UInt64) {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: place).continuation.resume(throwing: CancellationError())
    }
}
