import GRDB
import Glibc
import SystemPackage

/// What SQLite finds in a server's database, and how much the database says there is.
///
/// SQLite holds pages, rows, indexes and foreign keys against each other. It has no checksums of values, and knows nothing of
/// a text that has other letters than were written.
struct DatabaseCheck {
    /// How much records name.
    struct Amounts {
        var records: Int
        var assets: Int
        var assetBytes: Int64
    }

    private(set) var damage: [String] = []
    /// `nil` where the database is too damaged to tell.
    private(set) var mark: ServerMark?
    /// `nil` where the database is too damaged to tell.
    private(set) var amounts: Amounts?

    /// - Throws: ``ServerError`` where there is no server's database, or none that this program can read.
    init(of data: FilePath) throws {
        do {
            Self.forget(FilePath(DataDirectory.database(in: data)))
            let (mark, findings) = try DataDirectory.readDamaged(data) { db in
                guard let mark = try ServerMark(in: db) else { throw ServerError.noData(data) }
                return (mark, try Self.findings(in: db))
            }
            (self.mark, damage) = (mark, findings)
            amounts = try DataDirectory.readDamaged(data) { db in
                let total = try NamedAsset.total(in: db)
                return Amounts(
                    records: try DatabaseCopy.recordCount(db), assets: total.assets, assetBytes: total.bytes)
            }
        } catch let found as DatabaseDamage {
            guard damage.count < CheckReport.damageLimit, !damage.contains(found.reason) else { return }
            damage.append(found.reason)
        }
    }

    private static func findings(in db: Database) throws -> [String] {
        let (findings, failure) = try Self.findings(of: "integrity_check", in: db)
        guard let failure else { return findings == ["ok"] ? try missingRows(in: db) : findings }
        // One page that cannot be read ends it, where the check without the indexes goes on with the next page.
        let named = try findings + Self.findings(of: "quick_check", in: db).findings.filter { $0 != "ok" }
        return named.isEmpty ? [failure] : Array(named.prefix(CheckReport.damageLimit))
    }

    /// What one of SQLite's checks says until it ends, and what ended it early.
    private static func findings(
        of check: String, in db: Database
    ) throws -> (findings: [String], failure: String?) {
        let limit = CheckReport.damageLimit
        var findings: [String] = []
        do {
            let rows = try String.fetchCursor(db, sql: "PRAGMA \(check)(\(limit))")
            while let row = try rows.next() {
                // Several are in one row, below a title.
                findings += row.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("***") }
            }
            return (Array(findings.prefix(limit)), nil)
        } catch let error as DatabaseError {
            // An index by an expression fails with SQLITE_ERROR where the expression's JSON is none.
            guard error.resultCode == .SQLITE_ERROR || DatabaseDamage(error) != nil else { throw error }
            return (Array(findings.prefix(limit)), DatabaseDamage.words(of: error))
        }
    }

    /// Foreign keys of which the other row is not there, which never were saved like that.
    private static func missingRows(in db: Database) throws -> [String] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT count(*), "table", parent FROM pragma_foreign_key_check GROUP BY 2, 3 ORDER BY 2, 3
                LIMIT \(CheckReport.damageLimit)
                """
        ).map { "rows of '\($0[1] as String)' whose row of '\($0[2] as String)' is missing: \($0[0] as Int)" }
    }

    /// Lets the disk be asked for it, and not the memory. Before SQLite opens it: closing a file ends SQLite's own locks on it.
    private static func forget(_ file: FilePath) {
        // What cannot be opened SQLite says of it.
        guard let descriptor = try? FileDescriptor.open(file, .readOnly, options: .closeOnExec) else { return }
        defer { try? descriptor.close() }
        _ = posix_fadvise(descriptor.rawValue, 0, 0, POSIX_FADV_DONTNEED)
    }
}
