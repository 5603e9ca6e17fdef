import Synchronization
import Testing

@testable import SyncService

@Suite("What the supervisor is told of the engine", .timeLimit(.minutes(5)))
struct EngineWatchdogTests {
    @Test("It is told at once and after each interval, as long as every part of the engine answers; then no more")
    func stopped() async {
        let time = HandMovedClock()
        let told = Mutex(0)
        let gate = Gate()
        let watchdog = EngineWatchdog(interval: .seconds(150), clock: time.clock) { told.withLock { $0 += 1 } }
        let running = Task { await watchdog.run(asking: [{}, { await gate.pass() }]) }
        for count in 1...3 {
            await time.untilAsleep()
            #expect(told.withLock(\.self) == count)
            if count == 3 { await gate.close() }
            time.advance(by: .seconds(150))
        }
        await until { await gate.waits }
        time.advance(by: .seconds(1000))
        #expect(told.withLock(\.self) == 3)

        // What stood still goes on.
        await gate.open()
        await time.untilAsleep()
        #expect(told.withLock(\.self) == 4)
        running.cancel()
        await running.value
    }

    /// A part of the engine that answers, or stands still.
    private actor Gate {
        private var isOpen = true
        private var waiters: [CheckedContinuation<Void, Never>] = []

        var waits: Bool { !waiters.isEmpty }

        func close() { isOpen = false }

        func open() {
            isOpen = true
            for waiter in waiters { waiter.resume() }
            waiters = []
        }

        func pass() async {
            if !isOpen { await withCheckedContinuation { waiters.append($0) } }
        }
    }
}
