/// How much may be done in a time: a bucket that fills at a steady rate, and from which is taken what is done.
///
/// What is taken at once may be more than is there: whoever takes then waits until the bucket is even again, and the next
/// one behind them. So the rate holds over any time that is longer than ``burst``, whatever the pieces are.
public struct Allowance: Hashable, Sendable {
    /// Of bytes or requests, a second; at least 1.
    public let rate: Int
    /// What may be done at once after a rest: as much as in a second.
    public var burst: Int { rate }

    private var level: Double
    private var last: Duration?

    /// A full bucket.
    public init(rate: Int) {
        self.rate = max(1, rate)
        level = Double(max(1, rate))
    }

    /// Takes so much out.
    /// - Parameter now: Steady time, from any origin that stays the same.
    /// - Returns: How long to wait before it is done.
    public mutating func take(_ amount: Int, at now: Duration) -> Duration {
        if let last, now > last { level = min(Double(burst), level + Double(rate) * ((now - last) / .seconds(1))) }
        last = max(now, last ?? now)
        level -= Double(max(0, amount))
        return level < 0 ? .seconds(-level / Double(rate)) : .zero
    }
}
