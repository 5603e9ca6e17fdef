import ArgumentParser

/// A length of time as a person writes it: `90s`, `30m`, `1h`, `2d`, `1h30m`.
struct TimeSpan: Hashable, CustomStringConvertible {
    let seconds: Int64
    let description: String

    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    /// From one second to ten years.
    private static let limits: ClosedRange<Int64> = 1...3650 * 86_400

    var duration: Duration { .seconds(seconds) }

    /// Takes numbers with a unit each, of a second to ten years together.
    /// - Throws: A mistake in the command line, which says what can be written, or names both limits.
    init(argument: String) throws {
        var seconds: Int64 = 0
        var digits = ""
        for character in argument {
            if character.isASCII, character.isNumber {
                digits.append(character)
                // A sum of such numbers is far from the end of what is counted in.
                guard digits.count <= 10 else { throw Self.outOfRange }
            } else {
                guard let unit = Self.units[character], let number = Int64(digits) else { throw Self.unreadable }
                seconds += number * unit
                digits = ""
                guard seconds <= Self.limits.upperBound else { throw Self.outOfRange }
            }
        }
        guard digits.isEmpty, !argument.isEmpty else { throw Self.unreadable }
        guard Self.limits.contains(seconds) else { throw Self.outOfRange }
        self.seconds = seconds
        description = argument
    }

    private static let unreadable = ValidationError(
        "Write numbers with a unit each, which is s, m, h or d, such as 90s, 2d or 1h30m.")
    private static let outOfRange = ValidationError("The shortest is 1s, the longest 3650d.")
}
