import Testing

@testable import SyncCommands

@Suite("How often systemd wants to hear of the daemon (sd_watchdog_enabled(3))")
struct WatchdogTests {
    @Test(
        "Twice in the time that it allows, and only the process that it names",
        arguments: [
            ("300000000", nil, Duration.seconds(150)), ("300000000", "7", .seconds(150)), ("300000000", "8", nil),
            ("300000000", "x", nil), (nil, "7", nil), ("0", nil, nil), ("-5", nil, nil), ("soon", nil, nil),
        ] as [(String?, String?, Duration?)])
    func interval(microseconds: String?, process: String?, interval: Duration?) {
        #expect(
            ProgramEnvironment.watchdogInterval(microseconds: microseconds, process: process, own: 7) == interval)
    }
}
