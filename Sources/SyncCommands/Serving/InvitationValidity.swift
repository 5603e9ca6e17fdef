import ArgumentParser

/// How long an invitation is good, as a person writes it: `30m`, `24h`, `7d`.
struct InvitationValidity: Hashable, CustomStringConvertible {
    var duration: Duration

    /// From a minute to 30 days: a link that is forgotten must end.
    private static let limits: ClosedRange<Duration> = .seconds(60)...(.seconds(30 * 86_400))
    private static let units: [(Character, Int)] = [("m", 60), ("h", 3600), ("d", 86_400)]

    static let standard = Self(duration: .seconds(86_400))

    init(duration: Duration) {
        self.duration = duration
    }

    /// - Throws: A mistake in the command line, which names both limits.
    init(argument: String) throws {
        guard let unit = Self.units.first(where: { $0.0 == argument.last }),
            let number = Int(argument.dropLast()), (1...100_000).contains(number),
            Self.limits.contains(.seconds(number * unit.1))
        else { throw ValidationError("Write a number and m, h or d. The shortest is 1m, the longest 30d.") }
        duration = .seconds(number * unit.1)
    }

    var description: String {
        let seconds = Int(duration.components.seconds)
        // A day is said in hours, as the help says it.
        let unit = Self.units.last { seconds >= 2 * $0.1 && seconds.isMultiple(of: $0.1) } ?? Self.units[0]
        return "\(seconds / unit.1)\(unit.0)"
    }
}
