import Testing

@testable import CloudKitClient
@testable import RequestPacing

@Suite("What comes to nothing")
struct StandstillsTests {
    @Test("What comes to nothing waits from the third time in a row on")
    func repeated() {
        var standstills = Standstills<String>()
        var mustWait = (0..<4).map { _ in standstills.note("a") }
        #expect(mustWait == [false, false, true, true])
        standstills.forget("a")
        mustWait = ["a", "b"].map { standstills.note($0) }
        #expect(mustWait == [false, false])
    }

    @Test("What the plan no longer has is forgotten, and told")
    func over() {
        var standstills = Standstills<String>()
        for key in ["a", "b", "b"] { _ = standstills.note(key) }
        let over = standstills.keep(only: ["b"])
        #expect(over == ["a"])
        let mustWait = ["a", "b"].map { standstills.note($0) }
        #expect(mustWait == [false, true])
        _ = standstills.keep(only: [])
        #expect(standstills.isEmpty)
    }

    @Test("What came to nothing too often waits as after a failure, and is forgotten with it")
    func schedule() {
        var schedule = RetrySchedule<String, ContinuousClock.Instant>()
        var random = SystemRandomNumberGenerator()
        let now = ContinuousClock.now
        #expect(schedule.isMoving)
        let isDue = (0..<3).map { _ in
            schedule.cameToNothing("a", at: now, using: &random)
            return schedule.isDue("a", at: now)
        }
        #expect(isDue == [true, true, false])
        #expect(!schedule.isMoving)
        schedule.keepStandstills(of: ["b"])
        #expect(schedule.isMoving && schedule.isDue("a", at: now))
    }
}
