/// A time as HTTP headers tell it: `Sun, 06 Nov 1994 08:49:37 GMT`.
/// - SeeAlso: RFC 9110, 5.6.7, the preferred form; the two obsolete ones are not read.
struct HTTPDate: Hashable, Sendable {
    /// Since 1970.
    var milliseconds: Int64

    init?(header: String) {
        let parts = header.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int64(parts[1]), (1...31).contains(day),
            let month = Self.months.firstIndex(of: String(parts[2])), let year = Int64(parts[3]),
            (1970...9999).contains(year)
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int64($0) }
        guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        let days = Self.days(year, Int64(month) + 1, day)
        milliseconds = (((days * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]) * 1000
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Days from 1970-01-01, in the Gregorian calendar with its years begun in March.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
