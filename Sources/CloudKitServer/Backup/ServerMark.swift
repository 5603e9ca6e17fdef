import GRDB
import SystemPackage

/// Whose data a database is, and whether it still is as a backup left it.
///
/// Whoever opens the data to change it, a server or a command, counts on in `starts`. A backup writes down beside it, as
/// `backup`, where that stood: as long as both are equal, nothing was stored there that its server does not have.
struct ServerMark: Hashable {
    /// The digest of the secret that a server makes once; its backups have the same.
    var server: [UInt8]
    var starts: Int64
    /// `nil` in what was never restored from a backup.
    var startsAtBackup: Int64?

    var isAsBackedUp: Bool { startsAtBackup == starts }
}

extension ServerMark {
    /// Reads it; `nil` in an empty database.
    init?(in db: Database) throws {
        guard try db.tableExists("server"), let key = try String.fetchOne(db, sql: Self.value, arguments: ["key"]),
            let starts = try Int64.fetchOne(db, sql: Self.value, arguments: ["starts"])
        else { return nil }
        self.init(
            server: digest(of: key), starts: starts,
            startsAtBackup: try Int64.fetchOne(db, sql: Self.value, arguments: ["backup"]))
    }

    private static let value = "SELECT value FROM server WHERE name = ?"

    /// Makes a copy of a database one that nobody has opened since.
    static func setBackedUp(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO server SELECT 'backup', value FROM server WHERE name = 'starts'
                """)
    }

    /// Looks at a data directory, whatever runs on it.
    /// - Throws: ``ServerError`` where there is none, or none that this program can read: what a server that is to serve it
    ///   says.
    static func look(at directory: FilePath) throws -> ServerMark {
        try DataDirectory.read(directory) { queue in
            try queue.read { db in
                try Migrations.check(db, at: FilePath(DataDirectory.database(in: directory)))
                guard let mark = try ServerMark(in: db) else { throw ServerError.noData(directory) }
                return mark
            }
        }
    }
}
