#if canImport(Glibc)
    import Glibc
#endif

/// The time, handed in so that a session can run on simulated time.
public struct SessionClock: Sendable {
    /// Nanoseconds since 1970, by the clock that also stamps files.
    public var wall: @Sendable () -> Int64
    /// Time that never jumps, from any origin.
    public var steady: @Sendable () -> Duration
    /// Returns once it is that steady time, at once where it is later, or throws where the task was cancelled. It takes a moment
    /// and no length, so that what passes before it is called is not slept once more.
    public var sleepUntil: @Sendable (Duration) async throws -> Void

    /// Takes both times, and what waits for the steady one: by itself, as long as the machine's own would take.
    public init(
        wall: @escaping @Sendable () -> Int64, steady: @escaping @Sendable () -> Duration,
        sleepUntil: (@Sendable (Duration) async throws -> Void)? = nil
    ) {
        self.wall = wall
        self.steady = steady
        self.sleepUntil = sleepUntil ?? { try await Task.sleep(for: $0 - steady()) }
    }

    /// Returns once so much steady time has passed, or throws where the task was cancelled.
    public func sleep(_ duration: Duration) async throws { try await sleepUntil(steady() + duration) }

    private static let origin = ContinuousClock.now

    /// The machine's clocks.
    public static let system = SessionClock(
        wall: {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        },
        steady: { origin.duration(to: .now) },
        sleepUntil: { try await Task.sleep(until: origin + $0, clock: .continuous) })

    /// The steady time now.
    package var now: SteadyInstant { SteadyInstant(offset: steady()) }

    /// Milliseconds since 1970.
    package var milliseconds: Int64 { wall() / 1_000_000 }
}
