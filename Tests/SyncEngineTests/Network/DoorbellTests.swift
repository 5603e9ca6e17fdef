import SyncTiming
import Testing

@Suite("The wait for a ring", .timeLimit(.minutes(30)))
struct DoorbellTests {
    @Test("Time that passes between a look at the clock and the wait is not waited for once more")
    func passedMeanwhile() async {
        let time = HandMovedClock()
        let slow = SessionClock(wall: SessionClock.system.wall, steady: { time.now }) { moment in
            time.advance(by: .seconds(5))
            try await time.clock.sleepUntil(moment)
        }
        await Doorbell().wait(until: slow.now.advanced(by: .seconds(5)), on: slow)
        #expect(time.now == .seconds(5))
    }

    @Test("A ring ends a wait at once, also one that came before it")
    func rings() async {
        let (time, doorbell) = (HandMovedClock(), Doorbell())
        doorbell.ring()
        await doorbell.wait(until: time.clock.now.advanced(by: .seconds(5)), on: time.clock)
        async let waited: Void = doorbell.wait(until: time.clock.now.advanced(by: .seconds(5)), on: time.clock)
        await time.untilAsleep()
        doorbell.ring()
        await waited
        #expect(time.now == .zero)
    }
}
