/// A pause that a person asked for, as it began.
public struct PauseOutcome: Codable, Hashable, Sendable {
    public var sinceMilliseconds: Int64
    /// When it ends by itself; `nil`: only `zonefolder resume` ends it.
    public var untilMilliseconds: Int64?
    /// Whether nothing was under way any more; `false`: what was, is brought to its end first.
    public var isAtRest: Bool
    /// Whether a daemon watches the folder meanwhile. It says nothing of itself: whoever asked knows.
    public var isWatched: Bool?

    /// A pause of a folder.
    public init(sinceMilliseconds: Int64, untilMilliseconds: Int64?, isAtRest: Bool) {
        self.sinceMilliseconds = sinceMilliseconds
        self.untilMilliseconds = untilMilliseconds
        self.isAtRest = isAtRest
    }
}
