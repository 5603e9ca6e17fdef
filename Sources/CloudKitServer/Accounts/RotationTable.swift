import GRDB
import Synchronization

/// The rotations of the sessions whose tokens this process has seen.
///
/// They grow with the sign-ins of a server's whole run. Whenever they have doubled, those of sessions that ended go; see
/// ``RecordStore/forgetEndedRotations()``.
struct RotationTable {
    private(set) var rotations: [Int64: Rotation] = [:]
    private var nextPruning = smallest
    static let smallest = 1024

    subscript(session: Int64) -> Rotation? {
        get { rotations[session] }
        set { rotations[session] = newValue }
    }

    var isDueForPruning: Bool { rotations.count >= nextPruning }

    mutating func remove(_ sessions: Set<Int64>) {
        rotations = rotations.filter { !sessions.contains($0.key) }
        nextPruning = max(Self.smallest, 2 * rotations.count)
    }
}

extension RecordStore {
    /// Forgets the rotations of sessions that are over, where there are many of them.
    ///
    /// One that is still good must stay, whatever its age: a rotation made anew would issue the same numbers again.
    func forgetEndedRotations() throws {
        // Taken before the database is asked: a session that begins meanwhile is none of these.
        let known = rotations.withLock { $0.isDueForPruning ? Set($0.rotations.keys) : nil }
        guard let known else { return }
        // A request that was let in at the last moment may still prolong its session.
        let ended = surroundings.now() - Self.slack
        let living = try read { db in
            try Int64.fetchSet(
                db, sql: "SELECT id FROM sessions WHERE expires_at IS NULL OR expires_at > ?", arguments: [ended])
        }
        rotations.withLock { $0.remove(known.subtracting(living)) }
    }

    private static let slack: Int64 = 60 * 60 * 1000
}
