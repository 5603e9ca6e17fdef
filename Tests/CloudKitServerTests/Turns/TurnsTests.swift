import Synchronization
import Testing

@testable import CloudKitServer

@Suite("Calls that wait for their turn", .timeLimit(.minutes(30)))
struct TurnsTests {
    /// One place, which is taken until it is left.
    private func withTakenPlace(
        _ body: (_ turns: Turns<String>, _ leave: @escaping @Sendable () -> Void) async throws -> Void
    ) async throws {
        let turns = Turns<String>(TurnLimits(places: 1, share: 1, waiting: 2))
        let (taken, takes) = AsyncStream<Void>.makeStream()
        let (left, leaves) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                try await turns.inTurn("first") {
                    takes.finish()
                    for await _ in left {}
                }
            }
            for await _ in taken {}
            try await body(turns) { leaves.finish() }
            leaves.finish()
            try await tasks.waitForAll()
        }
    }

    @Test("A call finds no place while another one has it, and is carried out when that ends")
    func waiting() async throws {
        try await withTakenPlace { turns, leave in
            let isAtOnce = turns.now("second") { true }
            #expect(isAtOnce == nil)
            async let answer = turns.inTurn("second") { 2 }
            leave()
            let answered = try await answer
            #expect(answered == 2)
            let next = turns.now("third") { 3 }
            #expect(next == 3)
        }
    }

    @Test("Who is cancelled waits no longer, and takes no turn from others")
    func cancellation() async throws {
        try await withTakenPlace { turns, leave in
            let waiting = Task { try await turns.inTurn("second") {} }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            leave()
            let next = try await turns.inTurn("third") { 3 }
            #expect(next == 3)
        }
    }

    @Test("When there are no turns any more, those who wait and those who come are sent away")
    func closing() async throws {
        try await withTakenPlace { turns, leave in
            let waiting = Task { try await turns.inTurn("second") {} }
            turns.close()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            leave()
            await #expect(throws: CancellationError.self) { try await turns.inTurn("third") {} }
            let isAtOnce = turns.now("third") { true }
            #expect(isAtOnce == nil)
        }
    }

    @Test("A place is given back by a call that fails")
    func failure() async throws {
        struct Failure: Error {}
        let turns = Turns<String>(TurnLimits(places: 1, share: 1, waiting: 0))
        #expect(throws: Failure.self) { try turns.now("first") { throw Failure() } }
        await #expect(throws: Failure.self) { try await turns.inTurn("first") { throw Failure() } }
        let next = turns.now("second") { 2 }
        #expect(next == 2)
    }

    @Test("A thousand calls of ten owners all get their turns, and never are more under way than there may be")
    func many() async throws {
        let limits = TurnLimits(places: 3, share: 2, waiting: 100)
        let turns = Turns<Int>(limits)
        let underWay = UnderWay()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for call in 0..<1000 {
                tasks.addTask {
                    try await turns.inTurn(call % 10) {
                        underWay.begin(call % 10)
                        await Task.yield()
                        underWay.end(call % 10)
                    }
                }
            }
            try await tasks.waitForAll()
        }
        #expect(underWay.all.ended == 1000)
        #expect(underWay.all.most <= limits.places && underWay.all.mostOfOne <= limits.share)
    }

    private final class UnderWay: Sendable {
        private let counts = Mutex((now: [Int: Int](), most: 0, mostOfOne: 0, ended: 0))

        var all: (now: [Int: Int], most: Int, mostOfOne: Int, ended: Int) { counts.withLock { $0 } }

        func begin(_ owner: Int) {
            counts.withLock { counts in
                counts.now[owner, default: 0] += 1
                counts.mostOfOne = max(counts.mostOfOne, counts.now[owner]!)
                counts.most = max(counts.most, counts.now.values.reduce(0, +))
            }
        }

        func end(_ owner: Int) {
            counts.withLock { counts in
                counts.now[owner]! -= 1
                counts.ended += 1
            }
        }
    }
}
