public import FolderSettings
import GRDB

/// What a store tells of itself.
extension StateStore {
    /// Checks the whole file, which takes seconds for a large one.
    /// - Throws: `StateError` with the code `corrupt`.
    public func verify() throws(StateError) {
        let findings = try read { db in try String.fetchAll(db, sql: "PRAGMA quick_check(3)") }
        if findings != ["ok"] { throw .corrupt(path, findings.joined(separator: "; ")) }
    }

    /// How many rows were written since the store was opened; for tests of quiet.
    package var rowsWritten: Int {
        get throws { queue.unsafeRead { db in db.totalChangesCount } }
    }
}
