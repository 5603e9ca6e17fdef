import GRDB
import Glibc
import SystemPackage

/// What SQLite finds in a server's database, and how much the database says there is.
///
/// SQLite holds pages, rows, indexes and foreign keys against each other. It has no checksums of values, and knows nothing of
/// a text that has other letters than were written.
struct DatabaseCheck {
    private(set) var damage: [String] = []
    /// `nil` where the database is too damaged to tell.
    private(set) var mark: ServerMark?
    /// `nil` where the database is too damaged to tell.
    private(set) var records: Int?
    /// How much records name; `nil` where the database is too damaged to tell.
    private(set) var named: (assets: Int, bytes: Int64)?

    /// - Throws: ``ServerError`` where there is no server's database, or none that this program can read.
    init(of data: FilePath) throws {
        Self.forget(FilePath(DataDirectory.database(in: data)))
        do {
            // A transaction in which a damaged page was read ends with an error: what was found by then is kept.
            try DataDirectory.readDamaged(data) { db in
                guard let mark = try ServerMark(in: db) else { throw ServerError.noData(data) }
                self.mark = mark
                damage = try Self.findings(in: db)
            }
        } catch let found as DatabaseDamage {
            if damage.isEmpty { damage = [found.reason] }
        }
        // Each by itself: what is damaged for one may be whole for the other.
        records = try amount(in: data) { try DatabaseCopy.recordCount($0) }
        named = try amount(in: data) { try NamedAsset.total(in: $0) }
    }

    private mutating func amount<Amount>(in data: FilePath, _ count: (Database) throws -> Amount) throws -> Amount? {
        do {
            return try DataDirectory.readDamaged(data, count)
        } catch let found as DatabaseDamage {
            if damage.count < CheckReport.damageLimit, !damage.contains(found.reason) { damage.append(found.reason) }
            return nil
        }
    }

    private static func findings(in db: Database) throws -> [String] {
        let (findings, failure) = try Self.findings(of: "integrity_check", in: db)
        guard let failure else { return findings == ["ok"] ? try missingRows(in: db) : findings }
        // One page that cannot be read ends it, where the check without the indexes goes on with the next page.
        let more = try Self.findings(of: "quick_check", in: db).findings.filter { $0 != "ok" && !findings.contains($0) }
        let named = findings + more
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
            return (Array(findings.prefix(limit)), error.words)
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
