import CloudKitClient
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
            _ key: String, after: Duration? = nil, _ pause: ErrorReaction.Pause, at now: TestInstant
        ) -> TestInstant {
            schedule.failed(key, after: after, pausing: pause, at: now, using: &random)
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

    @Test("When the network is back everything is due at once, but for what the server asked for (S0.33)")
    func networkReturned() {
        var story = Story()
        for _ in 0..<10 { story.fail("a", .item, at: start) }
        story.fail("b", .database, at: start)
        story.schedule.networkReturned()
        #expect(story.schedule.isDue("a", at: start) && story.schedule.isDue("b", at: start))
        story.fail("a", after: .seconds(60), .database, at: start)
        story.schedule.networkReturned()
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
