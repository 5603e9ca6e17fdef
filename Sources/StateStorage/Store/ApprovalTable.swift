import GRDB
import SyncModel

/// The rows of `approval`.
enum ApprovalTable {
    static func all(_ db: Database) throws -> ApprovedDeletions {
        var rows = try SQLStatement(db, "SELECT name, in_zone FROM approval")
        var approved = ApprovedDeletions()
        while try rows.step() {
            if rows.bool(1) {
                approved.inZone.insert(rows.name(0))
            } else {
                approved.inFolder.insert(rows.name(0))
            }
        }
        return approved
    }

    static func add(_ approved: ApprovedDeletions, _ db: Database) throws {
        try run("INSERT OR IGNORE INTO approval (name, in_zone) VALUES (?, ?)", for: approved, db)
    }

    static func remove(_ approved: ApprovedDeletions, _ db: Database) throws {
        try run("DELETE FROM approval WHERE name = ? AND in_zone = ?", for: approved, db)
    }

    private static func run(_ sql: StaticString, for approved: ApprovedDeletions, _ db: Database) throws {
        var statement = try SQLStatement(db, sql)
        for (names, isInZone) in [(approved.inZone, true), (approved.inFolder, false)] {
            for name in names.sorted() {
                statement.bind(name)
                statement.bind(isInZone)
                try statement.run()
            }
        }
    }
}
