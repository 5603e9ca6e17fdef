import Testing

@testable import SyncCommands

@Suite("Times that a person names")
struct PastTimeTests {
    /// A place whose days have 24 hours, two hours ahead of UTC, and begin with day 1 of 1970-01.
    private struct Plain: CivilZone {
        let ahead: Int64 = 7_200_000

        func day(at milliseconds: Int64, before count: Int) -> PastTime.Day {
            .init(year: 1970, month: 1, day: Int((milliseconds + ahead) / 86_400_000) + 1 - count)
        }

        func milliseconds(of day: PastTime.Day, _ time: PastTime.Time) -> Int64 {
            Int64(day.day - 1) * 86_400_000 + Int64(time.hour * 3600 + time.minute * 60 + time.second) * 1000 - ahead
        }
    }

    @Test(
        "Days, times of day and lengths are moments of the person's own time zone",
        arguments: [
            ("90s", 859_110_000), ("45m", 856_500_000), ("2h", 852_000_000), ("3d", 600_000_000), ("1w", 254_400_000),
            ("today", 856_800_000), ("yesterday", 770_400_000), ("1970-01-05", 338_400_000),
            ("1970-01-05T10:00", 374_400_000), ("1970-01-05 10:00:30", 374_430_000), ("00:30", 858_600_000),
            ("10:30", 808_200_000),
        ] as [(String, Int64)])
    func moments(text: String, expected: Int64) throws {
        // There it is 00:40 on the eleventh.
        #expect(try #require(PastTime(text)).milliseconds(now: 859_200_000, in: Plain()) == expected)
    }

    @Test(
        "What is no time is none",
        arguments: [
            "", "tomorrow", "5", "5x", "-5m", "+5m", "1h30m", "24:00", "10:60", "10", "2026-13-01", "2026-02-30",
            "2026-1", "1969-01-01", "2026-01-01T10", "2026-01-01T10:00Z", "٣d", "9999999d",
        ])
    func none(text: String) {
        #expect(PastTime(text) == nil)
    }

    @Test(
        "A leap day is one in its years only",
        arguments: [("2024-02-29", true), ("2100-02-29", false), ("2000-02-29", true)])
    func leapDay(text: String, isOne: Bool) {
        #expect((PastTime(text) != nil) == isOne)
    }

    @Test("The time zone of the process gives back what it was given, over a year of days")
    func local() {
        let zone = LocalZone()
        for number in 0..<366 {
            let noon = 1_767_268_800_000 + Int64(number) * 86_400_000
            let day = zone.day(at: noon, before: 0)
            #expect(zone.day(at: zone.milliseconds(of: day, .init(hour: 12)), before: 0) == day)
        }
    }
}
