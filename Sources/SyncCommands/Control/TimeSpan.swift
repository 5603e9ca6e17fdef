import ArgumentParser

/// A length of time as a person writes it: `90s`, `30m`, `1h`, `2d`, `1h30m`.
struct TimeSpan: ExpressibleByArgument, Hashable, CustomStringConvertible {
    let seconds: Int64
    let description: String

    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    /// Ten years.
    private static let longest: Int64 = 3650 * 86_400

    var duration: Duration { .seconds(seconds) }

    /// Fails for anything but numbers with a unit each, for nothing at all, and for more than ten years.
    init?(argument: String) {
        var seconds: Int64 = 0
        var digits = ""
        for character in argument {
            if character.isASCII, character.isNumber {
                digits.append(character)
                guard digits.count <= 10 else { return nil }
            } else {
                guard let unit = Self.units[character], let number = Int64(digits) else { return nil }
                seconds += number * unit
                digits = ""
            }
        }
        guard digits.isEmpty, (1...Self.longest).contains(seconds) else { return nil }
        self.seconds = seconds
        description = argument
    }
}
