#if canImport(Glibc)
    import Glibc
#endif

/// A moment of the past as a person names it, in milliseconds since 1970.
enum Moment {
    /// What can be written, for a message and for a help text.
    static let forms = "2026-11-24, 2026-11-24T10:00, yesterday, 10:30, or 2h (ago; s, m, h, d or w)"

    /// Reads a moment; `nil` where it is none of ``forms``.
    ///
    /// A day alone is its end, 10:30 the last time that it was. Times are those of the person's time zone, unless they end in
    /// Z.
    static func parse(_ text: String, now: Int64) -> Int64? {
        if text == "yesterday" { return startOfDay(now) - 1 }
        if let span = span(text) { return now - span }
        let seconds: Int64?
        if let time = TimeOfDay(text) {
            let start = startOfDay(now) / 1000
            let today = civil(now)
            let moment = time.seconds(on: today, inUTC: false) ?? start
            seconds = moment * 1000 <= now ? moment : time.seconds(on: civil(start * 1000 - 1), inUTC: false)
        } else {
            seconds = dateAndTime(text, now: now)
        }
        guard let seconds else { return nil }
        return seconds * 1000
    }

    private static func span(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let unit = text.last.flatMap({ units[$0] }), text.utf8.count <= 9,
            text.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(text.dropLast())
        else { return nil }
        return count * unit * 1000
    }

    /// `2026-11-24`, `2026-11-24T10:00`, `2026-11-24 10:00:05` or one of the latter with a Z.
    private static func dateAndTime(_ text: String, now: Int64) -> Int64? {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        let numbers = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 3, numbers[0].utf8.count == 4, numbers.allSatisfy({ isNumber($0) }),
            let year = Int32(numbers[0]), let month = Int32(numbers[1]), let day = Int32(numbers[2])
        else { return nil }
        var date = tm()
        (date.tm_year, date.tm_mon, date.tm_mday) = (year - 1900, month - 1, day)
        guard parts.count == 2 else {
            guard let midnight = TimeOfDay.midnight.seconds(on: date, inUTC: false) else { return nil }
            date.tm_mday += 1
            // The next day may be in the next month, which the C library sees to.
            date.tm_isdst = -1
            let end = Int64(mktime(&date)) - 1
            return midnight * 1000 <= now ? min(end, now / 1000) : end
        }
        let isUTC = parts[1].hasSuffix("Z")
        return TimeOfDay(String(isUTC ? parts[1].dropLast() : parts[1]))?.seconds(on: date, inUTC: isUTC)
    }

    private static func startOfDay(_ milliseconds: Int64) -> Int64 {
        (TimeOfDay.midnight.seconds(on: civil(milliseconds), inUTC: false) ?? milliseconds / 1000) * 1000
    }

    private static func civil(_ milliseconds: Int64) -> tm {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    fileprivate static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// `10:30` or `10:30:05`.
private struct TimeOfDay {
    var hour: Int32
    var minute: Int32
    var second: Int32

    static let midnight = TimeOfDay(hour: 0, minute: 0, second: 0)

    private init(hour: Int32, minute: Int32, second: Int32) {
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ $0.utf8.count <= 2 && Moment.isNumber($0) }) else {
            return nil
        }
        let numbers = parts.compactMap { Int32($0) }
        guard numbers[0] < 24, numbers[1] < 60, numbers.count == 2 || numbers[2] < 60 else { return nil }
        self.init(hour: numbers[0], minute: numbers[1], second: numbers.count == 3 ? numbers[2] : 0)
    }

    /// Seconds since 1970 of this time on a day; `nil` where there is no such day.
    func seconds(on day: tm, inUTC: Bool) -> Int64? {
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (day.tm_year, day.tm_mon, day.tm_mday)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
        parts.tm_isdst = -1
        let seconds = inUTC ? timegm(&parts) : mktime(&parts)
        guard parts.tm_mday == day.tm_mday, parts.tm_mon == day.tm_mon else { return nil }
        return Int64(seconds)
    }
}
