import CloudKitClient
import RequestPacing
import SeededRandomness
import Testing

@Suite("When what failed may be tried again")
struct RetryScheduleTests {
    private let start = TestInstant()

    /// A schedule with its randomness, so that a test reads as a story of failures.
    private struct Story {
        var schedule = RetrySchedule<String, TestInstant>(policy: .init(first: .seconds(1), longest: .seconds(300)))
        var random = SeededGenerator(seed: 7)

        @discardableResult
        mutating func fail(
            _ key: String, after: Duration? = nil, _ pause: ErrorReaction.Pause,
            for obstacle: RetryObstacle = .server, at now: TestInstant
        ) -> TestInstant {
            schedule.failed(key, after: after, pausing: pause, for: obstacle, at: now, using: &random)
        }
    }

    private func later(_ seconds: Int) -> TestInstant { start.advanced(by: .seconds(seconds)) }

    @Test("One item's failure leaves the others alone")
    func oneItem() {
        var story = Story()
        let next = story.fail("a", .item, at: start)
        #expect(next > start)
        #expect(!story.schedule.isDue("a", at: start))
        #expect(story.schedule.isDue("a", at: next))
        #expect(story.schedule.isDue("b", at: start))
        #expect(story.schedule.failures(of: "a") == 1)
    }

    @Test("Each wait that is begun is counted once, with its length")
    func counted() {
        var story = Story()
        #expect(story.schedule.waits == 0 && story.schedule.waited == .zero)
        let first = start.duration(to: story.fail("a", .item, at: start))
        story.fail("b", after: .seconds(100), .database, at: start)
        #expect(story.schedule.waits == 2)
        #expect(story.schedule.waited >= first + .seconds(100) && story.schedule.waited <= first + .seconds(110))
        // Together with the one before, and no wait of its own.
        story.fail("c", .database, at: start)
        story.schedule.networkReturned()
        story.schedule.succeeded("a", at: later(200))
        #expect(story.schedule.waits == 2 && story.schedule.waited >= .seconds(100))
    }

    @Test("Throttling pauses the whole database (protocol §9)")
    func throttled() {
        var story = Story()
        let next = story.fail("a", after: .seconds(110_207), .database, at: start)
        #expect(next >= later(110_207))
        #expect(!story.schedule.isDue("b", at: later(110_206)))
        #expect(story.schedule.isDue("b", at: next))
    }

    @Test("Requests that fail together count as one failure")
    func together() {
        var story = Story()
        let nexts = ["a", "b", "c", "d"].map { story.fail($0, .database, at: start) }
        #expect(Set(nexts).count == 1)
    }

    @Test("That they do also where the server says how long to wait: for each of 200 operations of a request, say")
    func togetherAsAsked() {
        var story = Story()
        let nexts = (0..<200).map { story.fail("\($0)", after: .seconds(5), .database, at: start) }
        #expect(Set(nexts).count == 1)
        #expect(story.schedule.isDue("0", at: later(10)))
        #expect(story.schedule.waits == 1)
    }

    @Test("A longer time from a later answer counts, a shorter one does not")
    func longest() {
        var story = Story()
        story.fail("a", after: .seconds(100), .database, at: start)
        story.fail("b", after: .seconds(10), .database, at: start)
        #expect(!story.schedule.isDue("b", at: later(99)))
        story.fail("c", after: .seconds(500), .database, at: start)
        #expect(!story.schedule.isDue("a", at: later(499)))
    }

    @Test("A request that was under way and succeeds does not end a throttling")
    func successWhileThrottled() {
        var story = Story()
        story.fail("a", after: .seconds(100), .database, at: start)
        story.schedule.succeeded("b", at: later(1))
        #expect(!story.schedule.isDue("b", at: later(99)))
    }

    @Test("A success ends the pause and starts the count over")
    func success() {
        var story = Story()
        var next = start
        for _ in 0..<8 { next = story.fail("a", .database, at: next) }
        story.schedule.succeeded("a", at: next)
        #expect(story.schedule.databaseResumes == nil)
        let again = story.fail("a", .database, at: next)
        #expect(again <= next.advanced(by: .seconds(1)))
    }

    @Test("When the network is back, what waits for it is due at once; what the server refused is not (S0.33)")
    func networkReturned() {
        var story = Story()
        for _ in 0..<10 {
            story.fail("away", .item, for: .network, at: start)
            story.fail("busy", .item, at: start)
        }
        story.schedule.networkReturned()
        #expect(story.schedule.isDue("away", at: start) && story.schedule.failures(of: "away") == 0)
        #expect(!story.schedule.isDue("busy", at: later(100)))

        story.fail("x", .database, for: .network, at: start)
        #expect(!story.schedule.isDue("y", at: start))
        #expect(story.schedule.ownNext(for: "y") == nil, "what needs no database does not wait for it")
        story.schedule.networkReturned()
        #expect(story.schedule.isDue("y", at: start))
        // Without a time of its own a refusal has its back-off, with one that time.
        story.fail("x", .database, at: start)
        let busy = story.schedule.databaseResumes
        story.fail("x", .database, for: .network, at: start)
        story.schedule.networkReturned()
        #expect(story.schedule.databaseResumes == busy)
        story.fail("x", after: .seconds(60), .database, at: start)
        story.schedule.networkReturned()
        #expect(!story.schedule.isDue("y", at: later(59)))
        #expect(story.schedule.isDue("y", at: later(70)))
    }

    @Test("An answer ends what waits for the network; what fails without one all the same soon waits its time")
    func networkAnswered() {
        var story = Story()
        for early in 0..<2 {
            story.fail("a", .item, for: .network, at: start)
            story.fail("b", .database, for: .network, at: start)
            story.schedule.networkAnswered()
            #expect(story.schedule.isDue("a", at: start), "\(early)")
        }
        story.fail("a", .item, for: .network, at: start)
        story.schedule.networkAnswered()
        #expect(!story.schedule.isDue("a", at: start), "others are answered, it is not: the network is there")
        #expect(story.schedule.isDue("c", at: start))
        story.fail("b", .database, for: .network, at: start)
        story.schedule.networkAnswered()
        #expect(!story.schedule.isDue("c", at: start))
        // Its return after an outage is another matter, and so is a success.
        story.schedule.networkReturned()
        #expect(story.schedule.isDue("a", at: start) && story.schedule.isDue("c", at: start))
        story.fail("a", .item, for: .network, at: start)
        story.schedule.networkAnswered()
        #expect(story.schedule.isDue("a", at: start))
    }

    @Test("An answer does not end what the server refused")
    func answeredWhileRefused() {
        var story = Story()
        story.fail("a", .item, at: start)
        story.fail("b", after: .seconds(60), .database, at: start)
        story.schedule.networkAnswered()
        #expect(!story.schedule.isDue("a", at: start) && !story.schedule.isDue("c", at: later(59)))
    }

    @Test("Nobody waits for the network longer than half a minute")
    func longestForNetwork() {
        var story = Story()
        var now = start
        for _ in 0..<20 {
            let next = story.fail("a", .database, for: .network, at: now)
            #expect(next <= now.advanced(by: .seconds(30)))
            now = next
        }
    }

    @Test("A person's word lets everything be tried, but for what the server asked to wait for")
    func tryEverything() {
        var story = Story()
        for _ in 0..<10 { story.fail("a", .item, at: start) }
        _ = story.schedule.failed(
            "own", after: nil, atLeast: .seconds(100), pausing: .item, at: start, using: &story.random)
        #expect(!story.schedule.isDue("own", at: later(99)))
        story.fail("b", after: .seconds(100), .item, at: start)
        story.fail("c", .database, at: start)
        story.schedule.tryEverything()
        #expect(story.schedule.isDue("a", at: start) && story.schedule.isDue("c", at: start))
        #expect(story.schedule.isDue("own", at: start))
        #expect(!story.schedule.isDue("b", at: later(99)) && story.schedule.isDue("b", at: later(100)))
        story.fail("c", after: .seconds(60), .database, at: start)
        story.schedule.tryEverything()
        #expect(!story.schedule.isDue("a", at: later(59)))
        #expect(story.schedule.isDue("a", at: later(60)))
    }

    @Test("What is no longer wanted is forgotten")
    func forget() {
        var story = Story()
        story.fail("a", after: .seconds(60), .item, at: start)
        story.schedule.forget("a")
        #expect(story.schedule.isDue("a", at: start))
    }
}
