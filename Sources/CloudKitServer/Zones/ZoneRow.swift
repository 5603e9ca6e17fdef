import CloudKitWire
import Foundation
import GRDB

/// A user's database.
struct DatabaseRow {
    var id: Int64
    var lastChange: Int64

    /// The caller's private database, which exists since the user was added.
    static func find(_ caller: Caller, _ db: Database) throws -> Self {
        let statement = try db.cachedStatement(
            sql: "SELECT id, last_change FROM databases WHERE owner_id = ? AND environment = ? AND scope = 'private'")
        guard let row = try Row.fetchOne(statement, arguments: [caller.userID, caller.environment]) else {
            throw ErrorDictionary(.accessDenied, reason: "the user has no private database in this environment")
        }
        return Self(id: row[0], lastChange: row[1])
    }
}

/// One incarnation of a zone.
struct ZoneRow {
    var id: Int64
    var name: String
    var lastChange: Int64

    var isDefault: Bool { name == ZoneID.defaultZoneName }

    /// The zone's ID as answers give it.
    func zoneID(of caller: Caller) -> ZoneID {
        ZoneID(
            zoneName: name, ownerRecordName: caller.userRecordName,
            zoneType: isDefault ? "DEFAULT_ZONE" : "REGULAR_CUSTOM_ZONE")
    }

    /// The living zone of that ID.
    /// - Throws: `ZONE_NOT_FOUND`.
    static func find(_ zoneID: ZoneID?, in database: DatabaseRow, of caller: Caller, _ db: Database) throws -> Self {
        let zoneID = zoneID ?? ZoneID(zoneName: ZoneID.defaultZoneName)
        let isOwn = zoneID.ownerRecordName.map { $0 == caller.userRecordName || $0 == "__defaultOwner__" } ?? true
        let statement = try db.cachedStatement(
            sql: "SELECT id, name, last_change FROM zones WHERE database_id = ? AND name = ? AND deleted = 0")
        guard isOwn, let row = try Row.fetchOne(statement, arguments: [database.id, zoneID.zoneName]) else {
            throw ErrorDictionary.zoneNotFound(zoneID)
        }
        return Self(id: row[0], name: row[1], lastChange: row[2])
    }
}

/// Bytes as a column's value.
func blob(_ bytes: [UInt8]) -> DatabaseValue {
    Data(bytes).databaseValue
}
