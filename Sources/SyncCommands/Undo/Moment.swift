/// The moment to which a person wants to go back, in milliseconds since 1970: a ``PastTime`` whose days are their ends, unless what came since is meant.
enum Moment {
    /// What can be written, for a message and for a help text.
    static let forms = "2026-11-24, 2026-11-24T10:00, yesterday, 10:30, or 2h (ago; s, m, h, d or w)"

    /// Reads a moment; `nil` where it is none of ``forms``.
    ///
    /// A day alone is its last second, 10:30 the last time that it was. Times are those of the person's time zone, unless
    /// they end in Z.
    /// - Parameter isBeginning: A day alone is its first second.
    static func parse(_ text: String, now: Int64, isBeginning: Bool = false) -> Int64? {
        if text.hasSuffix("Z") {
            guard case .moment(let day, let time)? = PastTime(String(text.dropLast())) else { return nil }
            return UniversalZone().milliseconds(of: day, time) + Int64(time.millisecond)
        }
        guard let time = PastTime(text) else { return nil }
        let zone = LocalZone()
        let begin = time.milliseconds(now: now, in: zone)
        guard time.isDay, !isBeginning else { return begin }
        let end = zone.milliseconds(of: zone.day(at: begin, before: -1), PastTime.Time()) - 1000
        return begin <= now ? min(end, now) : end
    }
}
