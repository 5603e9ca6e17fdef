#if canImport(Glibc)
    import Glibc
#endif

/// The time, handed in so that a session can run on simulated time.
public struct SessionClock: Sendable {
    /// Nanoseconds since 1970, by the clock that also stamps files.
    public var wall: @Sendable () -> Int64
    /// Time that never jumps, from any origin.
    public var steady: @Sendable () -> Duration
    /// Returns once so much steady time has passed, or throws where the task was cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// Takes both times, and what waits for the steady one.
    public init(
        wall: @escaping @Sendable () -> Int64, steady: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.wall = wall
        self.steady = steady
        self.sleep = sleep
    }

    private static let origin = ContinuousClock.now

    /// The machine's clocks.
    public static let system = SessionClock(
        wall: {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        },
        steady: { origin.duration(to: .now) })

    /// The steady time now.
    package var now: SteadyInstant { SteadyInstant(offset: steady()) }

    /// Milliseconds since 1970.
    package var milliseconds: Int64 { wall() / 1_000_000 }
}
