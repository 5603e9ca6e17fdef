import CloudKitWire
import GRDB

extension StoredRecord {
    /// Stores the row in a zone; a new one learns its number.
    mutating func write(in zone: Int64, replacing row: StoredRecord?, _ db: Database) throws {
        if row != nil {
            try db.cachedStatement(
                sql: """
                    UPDATE records SET type = ?, change = ?, fields = ?, size_bytes = ?, created_at = ?, created_by = ?,
                        modified_at = ?, modified_by = ?, parent = ? WHERE id = ?
                    """
            ).execute(arguments: [
                type, change, fields, size, created.timestamp,
                created.userRecordName, modified.timestamp, modified.userRecordName, parent,
                id,
            ])
        } else {
            try db.cachedStatement(
                sql: """
                    INSERT INTO records (zone_id, name, type, change, fields, size_bytes, created_at, created_by,
                        modified_at, modified_by, parent) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                zone, name, type, change, fields, size, created.timestamp,
                created.userRecordName, modified.timestamp, modified.userRecordName, parent,
            ])
            id = db.lastInsertedRowID
        }
    }
}
