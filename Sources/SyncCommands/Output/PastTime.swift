/// A moment in the past as a person writes it, in their own time zone: `2026-11-24`, `2026-11-24T10:00`,
/// `2026-11-24T10:00:30`, `today`, `yesterday`, `10:30`, or how long ago it was: `90s`, `45m`, `2h`, `3d`, `1w`.
///
/// A day alone is its beginning. A time of day alone is the last one that was: after it today, before it yesterday.
enum PastTime: Hashable, Sendable {
    /// Milliseconds ago.
    case ago(Int64)
    case day(Day)
    case moment(Day, Time)
    /// At the beginning of a day, so many days before today.
    case daysBefore(Int)
    /// The last time that it was this time of day.
    case last(Time)

    struct Day: Hashable, Sendable {
        var year: Int
        var month: Int
        var day: Int
    }

    struct Time: Hashable, Sendable {
        var hour = 0
        var minute = 0
        var second = 0
        var millisecond = 0
    }

    /// Reads what a person wrote; `nil` for what is none of these.
    init?(_ text: String) {
        switch text {
        case "today": self = .daysBefore(0)
        case "yesterday": self = .daysBefore(1)
        default:
            if let span = Self.span(text) {
                self = .ago(span)
            } else if let time = Self.time(text[...]) {
                self = .last(time)
            } else {
                let parts = text.split(omittingEmptySubsequences: false, whereSeparator: { "Tt ".contains($0) })
                guard let first = parts.first, parts.count <= 2, let day = Self.day(first) else { return nil }
                guard parts.count == 2 else {
                    self = .day(day)
                    return
                }
                guard let time = Self.time(parts[1]) else { return nil }
                self = .moment(day, time)
            }
        }
    }

    /// For messages: what can be written.
    static let forms = "2026-11-24, 2026-11-24T10:00, today, yesterday, 10:30, or how long ago: 90s, 45m, 2h, 3d, 1w"

    private static func span(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000]
        guard let last = text.last, let unit = units[last], let number = number(text.dropLast(), digits: 1...6) else {
            return nil
        }
        return Int64(number) * unit
    }

    private static func day(_ text: Substring) -> Day? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = number(parts[0], digits: 4...4), let month = number(parts[1], digits: 1...2),
            let day = number(parts[2], digits: 1...2), (1...12).contains(month),
            (1...length(of: month, in: year)).contains(day), year >= 1970
        else { return nil }
        return Day(year: year, month: month, day: day)
    }

    private static func time(_ text: Substring) -> Time? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        let seconds = parts.count == 3 ? parts[2].split(separator: ".", omittingEmptySubsequences: false) : ["0"]
        let numbers = (parts.prefix(2) + [seconds[0]]).compactMap { number($0, digits: 1...2) }
        guard numbers.count == 3, numbers[0] < 24, numbers[1...].allSatisfy({ $0 < 60 }), seconds.count <= 2,
            let millisecond = seconds.count == 2 ? number(seconds[1], digits: 3...3) : 0
        else { return nil }
        return Time(hour: numbers[0], minute: numbers[1], second: numbers[2], millisecond: millisecond)
    }

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func length(of month: Int, in year: Int) -> Int {
        let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}

extension PastTime {
    /// Whether it is a whole day.
    var isDay: Bool {
        switch self {
        case .day, .daysBefore: true
        case .ago, .moment, .last: false
        }
    }

    /// Milliseconds since 1970.
    /// - Parameters:
    ///   - now: Milliseconds since 1970.
    ///   - zone: What the clocks on the wall say, and back.
    func milliseconds(now: Int64, in zone: some CivilZone) -> Int64 {
        switch self {
        case .ago(let span): return now - span
        case .day(let day): return zone.milliseconds(of: day, Time())
        case .moment(let day, let time): return zone.milliseconds(of: day, time) + Int64(time.millisecond)
        case .daysBefore(let count): return zone.milliseconds(of: zone.day(at: now, before: count), Time())
        case .last(let time):
            let (today, yesterday) = (zone.day(at: now, before: 0), zone.day(at: now, before: 1))
            let last = zone.milliseconds(of: today, time) + Int64(time.millisecond)
            return last <= now ? last : zone.milliseconds(of: yesterday, time) + Int64(time.millisecond)
        }
    }
}

/// The civil time of some place.
protocol CivilZone {
    /// The day there, or one some days before.
    func day(at milliseconds: Int64, before count: Int) -> PastTime.Day
    /// The moment at which it is this time there.
    func milliseconds(of day: PastTime.Day, _ time: PastTime.Time) -> Int64
}
