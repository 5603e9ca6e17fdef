import ArgumentParser
import FolderControl
import Testing

@testable import SyncCommands

@Suite("Lengths of time as arguments")
struct TimeSpanTests {
    @Test(
        "A number and its unit, or several of them; nothing else",
        arguments: [
            ("90s", 90), ("30m", 1800), ("1h", 3600), ("2d", 172_800), ("1h30m", 5400), ("3650d", 315_360_000),
            ("0s", nil), ("", nil), ("5", nil), ("1h5", nil), ("h", nil), ("-1h", nil), ("1.5h", nil), ("1 h", nil),
            ("1H", nil), ("3651d", nil), ("99999999999s", nil), ("٣h", nil),
        ] as [(String, Int64?)])
    func spans(text: String, seconds: Int64?) {
        #expect((try? TimeSpan(argument: text))?.seconds == seconds)
    }

    @Test(
        "A wrong one is refused with what can be written, or with both limits",
        arguments: [
            ("0s", "1s"), ("0d", "3650d"), ("3651d", "The shortest is 1s, the longest 3650d."),
            ("99999999999s", "3650d"), ("5", "a unit each"), ("soon", "90s, 2d or 1h30m"),
            ("1h5", "a unit each"),
            ("9999999999d9999999999d", "3650d"),
        ])
    func refused(text: String, says: String) throws {
        let error = try #require(throws: (any Error).self) {
            try ZonefolderCommand.parseAsRoot(["pause", "--for=\(text)"])
        }
        let message = ZonefolderCommand.message(for: error)
        #expect(message.hasPrefix("The value '\(text)' is invalid for '--for <time>': "), "\(message)")
        #expect(message.contains(says), "\(message)")
    }

    @Test("A paused folder's status names since when, until when, and the way on")
    func status() {
        var report = StatusReport.quiet
        report.pause = .init(sinceMilliseconds: 0, untilMilliseconds: 7_200_000)
        let text = StatusText.text(of: report, now: 3_600_000)
        #expect(text.contains("in 60 min\n           → zonefolder resume /home/ada/notes"), "\(text)")
        report.pause?.untilMilliseconds = nil
        #expect(StatusText.text(of: report, now: 0).contains("until you resume it"))
    }
}
