/// A moment as people write it in names: `20260115T101112Z`.
package struct CivilTime {
    /// Seconds since 1970.
    package var seconds: Int64

    /// The moment so many seconds after 1970 began.
    package init(seconds: Int64) { self.seconds = seconds }

    /// Sixteen ASCII characters; years before 0 and after 9999 are shown as those.
    package var text: String {
        let day = Int((Double(seconds) / 86400).rounded(.down))
        let second = Int(seconds) - day * 86400
        let date = Self.date(ofDay: day)
        return Self.digits(min(max(date.year, 0), 9999), 4) + Self.digits(date.month, 2) + Self.digits(date.day, 2)
            + "T" + Self.digits(second / 3600, 2) + Self.digits(second / 60 % 60, 2) + Self.digits(second % 60, 2)
            + "Z"
    }

    /// Reads what `text` writes, or gives `nil` for anything else.
    package static func parse(_ text: some Collection<UInt8>) -> CivilTime? {
        let bytes = Array(text)
        guard looksLikeTime(bytes) else { return nil }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1) - 0x30 } }
        let (month, day) = (number(4..<6), number(6..<8))
        let (hour, minute, second) = (number(9..<11), number(11..<13), number(13..<15))
        guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60 else { return nil }
        let days = self.day(year: number(0..<4), month: month, day: day)
        return CivilTime(seconds: Int64(days * 86400 + hour * 3600 + minute * 60 + second))
    }

    static func looksLikeTime(_ bytes: some Collection<UInt8>) -> Bool {
        guard bytes.count == 16 else { return false }
        for (index, byte) in bytes.enumerated() {
            switch index {
            case 8: if byte != UInt8(ascii: "T") { return false }
            case 15: if byte != UInt8(ascii: "Z") { return false }
            default: if !(0x30...0x39).contains(byte) { return false }
            }
        }
        return true
    }

    private static func digits(_ value: Int, _ width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    // Days are counted from 1970, years from March, so that a leap day comes last (the proleptic Gregorian
    // calendar repeats every 146,097 days).
    private static func date(ofDay number: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * march + 2) / 5 + 1)
    }

    private static func day(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
