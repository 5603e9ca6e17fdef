/// Times as text: ISO 8601 with milliseconds, UTC, as in `2026-01-31T12:00:00.000Z`.
enum TimestampText {
    /// The plain spelling, or `nil` outside the years 0000 to 9999.
    static func text(_ milliseconds: Int64) -> String? {
        let (days, inDay) = milliseconds.quotientAndRemainder(floored: 86_400_000)
        let (year, month, day) = civil(fromDays: days)
        guard (0...9999).contains(year) else { return nil }
        let clock = [inDay / 3_600_000, inDay / 60_000 % 60, inDay / 1000 % 60].map { padded($0, 2) }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
            + clock.joined(separator: ":") + ".\(padded(inDay % 1000, 3))Z"
    }

    /// Reads a date, or a date and time with seconds and an offset (`Z` or `+hh:mm`); digits beyond milliseconds
    /// are cut.
    static func milliseconds(_ text: String) -> Int64? {
        var rest = Array(text.utf8)[...]
        guard let year = digits(4, &rest), skip("-", &rest), let month = digits(2, &rest), skip("-", &rest),
            let day = digits(2, &rest), (1...12).contains(month), day >= 1, day <= daysIn(month, year)
        else { return nil }
        let midnight = days(year, month, day) * 86_400_000
        if rest.isEmpty { return midnight }
        guard skip("T", &rest) || skip("t", &rest) || skip(" ", &rest),
            let hour = digits(2, &rest), skip(":", &rest), let minute = digits(2, &rest), hour < 24, minute < 60
        else { return nil }
        var time = hour * 3_600_000 + minute * 60_000
        if skip(":", &rest) {
            guard let second = digits(2, &rest), second < 60 else { return nil }
            time += second * 1000
            if skip(".", &rest) {
                let fraction = rest.prefix { (0x30...0x39).contains($0) }
                guard !fraction.isEmpty else { return nil }
                rest = rest[fraction.endIndex...]
                for (place, digit) in fraction.prefix(3).enumerated() {
                    time += Int64(digit - 0x30) * [100, 10, 1][place]
                }
            }
        }
        guard let offset = offset(&rest), rest.isEmpty else { return nil }
        return midnight + time - offset
    }

    private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        if skip("Z", &rest) || skip("z", &rest) { return 0 }
        let sign: Int64
        if skip("+", &rest) { sign = 1 } else if skip("-", &rest) { sign = -1 } else { return nil }
        guard let hours = digits(2, &rest) else { return nil }
        _ = skip(":", &rest)
        guard let minutes = digits(2, &rest), hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 3_600_000 + minutes * 60_000)
    }

    private static func digits(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Int64? {
        guard rest.count >= count else { return nil }
        var number: Int64 = 0
        for byte in rest.prefix(count) {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + Int64(byte - 0x30)
        }
        rest = rest.dropFirst(count)
        return number
    }

    private static func skip(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func daysIn(_ month: Int64, _ year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Int(month) - 1]
    }

    // Days since 1970 in the proleptic Gregorian calendar, counted in years that begin in March, so that the leap
    // day is the last of its year.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = marchYear.quotientAndRemainder(floored: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(floored: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}

extension Int64 {
    /// Division that rounds down, so that times before 1970 fall into the right day.
    fileprivate func quotientAndRemainder(floored divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
