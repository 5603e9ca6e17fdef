import SyncTiming

extension SteadyInstant {
    /// So many seconds after the clock's beginning.
    static func at(_ seconds: Int) -> SteadyInstant { SteadyInstant(offset: .seconds(seconds)) }
}
