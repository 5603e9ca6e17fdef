/// Those who wait for one thing, in the order in which they came.
///
/// Each is answered exactly once: by what it waits for, or by whoever gives up for it, whichever comes first.
struct Waiters<Asked: Sendable, Answer: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let number: Int
        let asked: Asked
        let continuation: CheckedContinuation<Answer, Never>
    }

    private var waiting: [Waiter] = []
    private var count = 0

    var isEmpty: Bool { waiting.isEmpty }

    /// Takes in one more.
    /// - Returns: Its number, to give up with.
    mutating func add(_ asked: Asked, _ continuation: CheckedContinuation<Answer, Never>) -> Int {
        count += 1
        waiting.append(Waiter(number: count, asked: asked, continuation: continuation))
        return count
    }

    /// Answers those who are meant.
    mutating func answer(where isMeant: (Asked) -> Bool, with answer: (Asked) -> Answer) {
        for waiter in take({ isMeant($0.asked) }) { waiter.continuation.resume(returning: answer(waiter.asked)) }
    }

    /// Answers one, if nobody did.
    mutating func answer(_ number: Int, with answer: (Asked) -> Answer) {
        for waiter in take({ $0.number == number }) { waiter.continuation.resume(returning: answer(waiter.asked)) }
    }

    private mutating func take(_ isMeant: (Waiter) -> Bool) -> [Waiter] {
        let meant = waiting.filter(isMeant)
        waiting.removeAll(where: isMeant)
        return meant
    }
}
