package import SessionCore
package import SyncModel
package import SyncTiming

/// When files that came with one record are sent with the others that name them, if nobody else did.
///
/// Who changed such a file sends those too: if every device did so at once, they would be answering each other. The first to
/// lose patience does it for all.
package final class SharedArrivals {
    private var due: [FolderPath: SteadyInstant] = [:]

    /// How long who changed a file that several records have may take to send the others of them, with an attempt that failed.
    static let grace = Duration.seconds(15)

    /// Forgets those whose time has come.
    func forgetDue(now: SteadyInstant) {
        due = due.filter { $0.value > now }
    }

    /// Notes that a file came.
    package func note(_ path: FolderPath, now: SteadyInstant, using random: SharedRandomness) {
        var random = random
        due[path] = now.advanced(by: Self.grace * Double.random(in: 1...2, using: &random))
    }

    /// When a file may be sent that came.
    func due(_ path: FolderPath, now: SteadyInstant) -> SteadyInstant { due[path] ?? now }
}
