import SyncTiming

/// Tells a supervisor that the engine lives, as long as all of it answers.
struct EngineWatchdog: Sendable {
    /// How often the engine is asked.
    var interval: Duration
    var clock: SessionClock
    /// Tells it.
    var feed: @Sendable () -> Void

    /// Asks again and again until the task is cancelled.
    ///
    /// - Parameter parts: Each returns once a part of the engine has answered. One that hangs, or whose thread does, never
    ///   does, and then nothing is told any more.
    func run(asking parts: [@Sendable () async -> Void]) async {
        while !Task.isCancelled {
            for part in parts { await part() }
            feed()
            guard (try? await clock.sleep(interval)) != nil else { return }
        }
    }
}
