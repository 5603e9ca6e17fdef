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
        #expect(TimeSpan(argument: text)?.seconds == seconds)
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
