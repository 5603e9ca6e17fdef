import GRDB
import Synchronization

/// What a start could not write down, as on a full disk. It is written down together with the next change, in one transaction,
/// and so before anything that rests on it.
struct MissedStart: Hashable, Sendable {
    /// Whether this start is not counted in `starts`.
    var isUncounted = false
    /// Whether the counters did not go on at new numbers (``RecordStore/beginRun()``).
    var isWithoutRun = false

    var isNone: Bool { self == MissedStart() }
}

extension RecordStore {
    /// The server's secret, and which start this one is.
    struct Start {
        var key: String
        var number: Int64
        var missed = MissedStart()
    }

    /// Counts a start, and makes the secret where there is none.
    ///
    /// A full disk keeps nobody from reading, nor does one that cannot be written. Should the server end before it can, the next
    /// start has the same number. That is as after a backup was restored: the tokens of this one are good, and the numbers go on
    /// above them.
    static func start(
        on writer: any DatabaseWriter, _ surroundings: StoreSurroundings, newKey: String
    ) throws -> Start {
        do {
            return try findingRoom(in: writer) {
                try tellingFullDisk(of: writer, by: surroundings) {
                    try writer.write { db in
                        try db.execute(
                            sql: "INSERT OR IGNORE INTO server VALUES ('key', ?), ('starts', 0)", arguments: [newKey])
                        try countStart(db)
                        return try known(db)!
                    }
                }
            }
        } catch let error as DatabaseError where error.isOfWriting {
            guard var start = try writer.read({ try known($0) }) else { throw error }
            start.number += 1
            start.missed.isUncounted = true
            return start
        }
    }

    private static func known(_ db: Database) throws -> Start? {
        let sql = "SELECT value FROM server WHERE name = ?"
        guard let key = try String.fetchOne(db, sql: sql, arguments: ["key"]),
            let number = try Int64.fetchOne(db, sql: sql, arguments: ["starts"])
        else { return nil }
        return Start(key: key, number: number)
    }

    private static func countStart(_ db: Database) throws {
        try db.execute(sql: "UPDATE server SET value = value + 1 WHERE name = 'starts'")
    }

    /// Changes the database in one transaction, which begins with what the start had no room for.
    func change<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
        try Self.tellingFullDisk(of: writer, by: surroundings) {
            try writer.write { db in
                try writeMissedStart(db)
                return try body(db)
            }
        }
    }

    /// Within a transaction that writes: nothing is stored by a start that nobody knows of.
    func writeMissedStart(_ db: Database) throws {
        let missed = missedStart.withLock { $0 }
        guard !missed.isNone else { return }
        if missed.isUncounted { try Self.countStart(db) }
        if missed.isWithoutRun { try leaveNumbersOut(db) }
        db.afterNextTransaction { [self] _ in missedStart.withLock { $0 = MissedStart() } }
    }
}
