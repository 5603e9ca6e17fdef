import Testing

@testable import SyncCommands

/// The time zone is the machine's; the days are far from any change of summer time.
@Suite("A time as people write it")
struct MomentTests {
    /// 2026-11-25 15:00:00 here.
    private static let now = Moment.parse("2026-11-25T15:00", now: 4_000_000_000_000)!
    private static let hour: Int64 = 3_600_000

    @Test(
        "A time of day is the last one, a day its end, and a span counts back from now",
        arguments: [
            ("15:00", 0), ("10:30", -4.5), ("10:30:00", -4.5), ("2026-11-25 10:30:00.000", -4.5), ("16:00", -23),
            ("2h", -2), ("90m", -1.5), ("0s", 0),
            ("1d", -24), ("1w", -168), ("2026-11-25T10:00", -5), ("2026-11-25 10:00:00", -5), ("2026-11-23T15:00", -48),
        ])
    func hours(_ row: (text: String, hours: Double)) {
        #expect(Moment.parse(row.text, now: Self.now) == Self.now + Int64(row.hours * Double(Self.hour)))
    }

    @Test("`yesterday` and its date are its last second; today's date is now")
    func days() {
        let midnight = Self.now - 15 * Self.hour
        #expect(Moment.parse("yesterday", now: Self.now).map { $0 / 1000 } == midnight / 1000 - 1)
        #expect(Moment.parse("2026-11-24", now: Self.now) == midnight - 1000)
        #expect(Moment.parse("2026-11-25", now: Self.now) == Self.now)
        #expect(Moment.parse("2026-11-25", now: Self.now, isBeginning: true) == midnight)
        #expect(
            Moment.parse("2026-02-28", now: Self.now).map { $0 + 1000 }
                == Moment.parse("2026-03-01T00:00", now: Self.now))
    }

    @Test("A Z means UTC")
    func utc() {
        #expect(Moment.parse("2026-11-24T10:00Z", now: Self.now) == 1_795_514_400_000)
        #expect(Moment.parse("2026-11-24T10:00:00.002Z", now: Self.now) == 1_795_514_400_002)
        #expect(Moment.parse("10:30:00.002", now: Self.now) == Moment.parse("10:30", now: Self.now).map { $0 + 2 })
    }

    @Test(
        "Anything else is no time",
        arguments: [
            "", "soon", "2026-13-01", "2026-02-30", "2026-11-24T25:00", "24:00", "10:60", "10", "h", "2y", "-2h", "2 h",
            "2026-11-24T", "2026-11-24x10:00", "26-11-24", "2026-11-24T10:00ZZ", "10:00:00.1", "10:00.123",
            "10:00:00.123.4", "١٠:٣٠", "99999999999h",
        ])
    func none(text: String) {
        #expect(Moment.parse(text, now: Self.now) == nil)
    }
}
