/// Repeatable numbers (SplitMix64): the same seed gives the same ones on every machine.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) {
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number below a bound, which must be positive.
    public mutating func below(_ bound: Int) -> Int {
        Int(next() % UInt64(bound))
    }

    /// True once in so many times.
    public mutating func once(in times: Int) -> Bool {
        below(times) == 0
    }

    /// One of some values, of which there must be any.
    public mutating func pick<Value>(_ values: [Value]) -> Value {
        values[below(values.count)]
    }

    /// A generator whose numbers do not depend on how many this one gives.
    public mutating func split() -> SeededRandom {
        SeededRandom(seed: next())
    }
}
