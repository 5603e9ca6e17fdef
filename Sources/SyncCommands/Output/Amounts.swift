/// Numbers in words for people.
enum Amounts {
    /// `1 file`, `2 files`.
    static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(number) \(number == 1 ? one : many ?? one + "s")"
    }

    /// Bytes with at most one decimal: `999 B`, `1.5 kB`, `20 MB`.
    static func bytes(_ number: Int64) -> String {
        var value = Double(number)
        var unit = "B"
        for larger in ["kB", "MB", "GB", "TB"] where value >= 1000 {
            value /= 1000
            unit = larger
        }
        guard unit != "B", value < 10 else { return "\(Int64(value.rounded(.down))) \(unit)" }
        return "\((value * 10).rounded(.down) / 10) \(unit)"
    }

    /// How long it is until a moment: `now`, `in 5 s`, `in 3 min`.
    static func wait(until milliseconds: Int64, now: Int64) -> String {
        // Rounded up: what is tried in half a second is not tried yet.
        milliseconds <= now ? "now" : "in \(span(milliseconds - now + 999))"
    }

    /// A length of time in its largest fitting unit: `0 s`, `119 s`, `2 min`.
    static func span(_ milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds / 1000)
        switch seconds {
        case ..<120: return "\(seconds) s"
        case ..<7200: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3600) h"
        default: return "\(seconds / 86_400) days"
        }
    }

    /// How long ago a moment was: `just now`, `5 s ago`, `3 min ago`.
    static func age(of milliseconds: Int64?, now: Int64) -> String {
        guard let milliseconds else { return "never" }
        return now - milliseconds < 1000 ? "just now" : "\(span(now - milliseconds)) ago"
    }
}
