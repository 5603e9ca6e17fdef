import CloudKitClient
import RequestPacing
import SeededRandomness
import Testing

/// A point in time that the test moves.
struct TestInstant: InstantProtocol {
    var since: Duration = .zero
    func advanced(by duration: Duration) -> Self { Self(since: since + duration) }
    func duration(to other: Self) -> Duration { other.since - since }
    static func < (left: Self, right: Self) -> Bool { left.since < right.since }
}

@Suite("Backoff")
struct BackoffTests {
    @Test("Waits double up to the longest, each between half and all of it", arguments: 0..<UInt64(20))
    func growth(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var backoff = Backoff(policy: .init(first: .seconds(1), longest: .seconds(60)))
        for expected in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
            let wait = backoff.failed(using: &random)
            #expect(wait >= .seconds(expected) / 2 && wait <= .seconds(expected))
        }
        #expect(backoff.failures == 9)
    }

    @Test("The server's time is never cut short, and hardly lengthened", arguments: 0..<UInt64(20))
    func retryAfter(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var backoff = Backoff()
        let wait = backoff.failed(retryAfter: .seconds(110_207), using: &random)
        #expect(wait >= .seconds(110_207) && wait <= .seconds(110_213))
    }

    @Test("A server that asks for no time at all still gets a growing one")
    func zeroRetryAfter() {
        var random = SeededGenerator(seed: 1)
        var backoff = Backoff(policy: .init(first: .seconds(1), longest: .seconds(60)))
        let first = backoff.failed(retryAfter: .zero, using: &random)
        let second = backoff.failed(retryAfter: .zero, using: &random)
        #expect(first >= .milliseconds(500) && second >= .seconds(1))
    }

    @Test("A success starts over")
    func reset() {
        var random = SeededGenerator(seed: 1)
        var backoff = Backoff(policy: .init(first: .seconds(1), longest: .seconds(60)))
        for _ in 0..<10 { _ = backoff.failed(using: &random) }
        backoff.succeeded()
        let wait = backoff.failed(using: &random)
        #expect(wait <= .seconds(1))
    }

    @Test("Failures without number overflow nothing")
    func manyFailures() {
        var random = SeededGenerator(seed: 1)
        var backoff = Backoff(policy: .init(first: .nanoseconds(1), longest: .seconds(1_000_000_000)))
        var longest = Duration.zero
        for _ in 0..<10_000 { longest = max(longest, backoff.failed(using: &random)) }
        #expect(longest <= .seconds(1_000_000_000))
    }
}
