/// When to try again after failures in a row: exponential, with jitter, and never before the server said.
///
/// A value without a clock: the time and the randomness are handed in.
public struct Backoff: Hashable, Sendable {
    /// How the waits grow.
    public struct Policy: Hashable, Sendable {
        /// After the first failure, at most.
        public var first: Duration = .milliseconds(500)
        /// However many failures. What the server asks for itself has no limit.
        public var longest: Duration = .seconds(300)

        /// Half a second, doubling up to five minutes.
        public init() {}

        /// A policy with its own bounds.
        public init(first: Duration, longest: Duration) {
            self.first = first
            self.longest = longest
        }
    }

    /// How the waits grow.
    public var policy: Policy
    /// In a row.
    public private(set) var failures = 0

    /// No failure yet.
    public init(policy: Policy = Policy()) {
        self.policy = policy
    }

    /// Counts a failure and says how long to wait.
    ///
    /// Between half of the exponential wait and all of it, so that many clients do not come back together; at least
    /// what the server asked for, with up to a tenth more, for the same reason.
    public mutating func failed(
        retryAfter: Duration? = nil, using random: inout some RandomNumberGenerator
    ) -> Duration {
        var wait = policy.first
        for _ in 0..<min(failures, 40) where wait < policy.longest { wait *= 2 }
        failures += 1
        let own = min(wait, policy.longest) * Double.random(in: 0.5...1, using: &random)
        guard let retryAfter else { return own }
        return max(own, retryAfter + min(retryAfter, .seconds(60)) * Double.random(in: 0...0.1, using: &random))
    }

    /// Starts over: the next failure waits shortly again.
    public mutating func succeeded() {
        failures = 0
    }
}
