import CloudKitWire
import Foundation
import GRDB

/// A user's private or shared database, or a container's public one.
struct DatabaseRow {
    var id: Int64
    var lastChange: Int64

    /// The database that the caller's request names. A user's own exist since the user was added, the public
    /// one since the container was first asked for it.
    static func find(_ caller: Caller, _ db: Database) throws -> Self {
        let row: Row?
        switch caller.scope {
        case .private, .shared:
            row = try Row.fetchOne(
                try db.cachedStatement(
                    sql: "SELECT id, last_change FROM databases WHERE owner_id = ? AND environment = ? AND scope = ?"),
                arguments: [caller.userID, caller.environment, caller.scope.rawValue])
        case .public:
            row = try Row.fetchOne(
                try db.cachedStatement(
                    sql: """
                        SELECT id, last_change FROM databases
                        WHERE container = ? AND environment = ? AND scope = 'public'
                        """),
                arguments: [caller.container, caller.environment])
        }
        guard let row else {
            throw ErrorDictionary(.accessDenied, reason: "there is no \(caller.scope) database in this environment")
        }
        return Self(id: row[0], lastChange: row[1])
    }

    /// The database of a row that is known to be there.
    static func find(id: Int64, _ db: Database) throws -> Self {
        let statement = try db.cachedStatement(sql: "SELECT id, last_change FROM databases WHERE id = ?")
        let row = try Row.fetchOne(statement, arguments: [id])!
        return Self(id: row[0], lastChange: row[1])
    }
}

/// One incarnation of a zone.
struct ZoneRow {
    var id: Int64
    var name: String
    var lastChange: Int64
    /// In the shared database: how the caller sees it.
    var shared: SharedZone?
    /// Where it is not the caller.
    var ownerRecordName: String?

    var isDefault: Bool { name == ZoneID.defaultZoneName }

    /// The zone's ID as answers give it; nobody owns the public database's zone.
    func zoneID(of caller: Caller) -> ZoneID {
        ZoneID(
            zoneName: name,
            ownerRecordName: caller.scope == .public ? nil : ownerRecordName ?? caller.userRecordName,
            zoneType: isDefault ? "DEFAULT_ZONE" : "REGULAR_CUSTOM_ZONE")
    }

    /// The living zone of that ID.
    /// - Throws: `ZONE_NOT_FOUND`; in the shared database `BAD_REQUEST` for a zone without its owner.
    static func find(_ zoneID: ZoneID?, in database: DatabaseRow, of caller: Caller, _ db: Database) throws -> Self {
        guard caller.scope != .shared else { return try findShared(zoneID, for: caller, db) }
        let zoneID = zoneID ?? ZoneID(zoneName: ZoneID.defaultZoneName)
        let isOwn = zoneID.ownerRecordName.map { $0 == caller.userRecordName || $0 == "__defaultOwner__" } ?? true
        let statement = try db.cachedStatement(
            sql: "SELECT id, name, last_change FROM zones WHERE database_id = ? AND name = ? AND deleted = 0")
        guard isOwn, let row = try Row.fetchOne(statement, arguments: [database.id, zoneID.zoneName]) else {
            throw ErrorDictionary.zoneNotFound(zoneID)
        }
        return Self(id: row[0], name: row[1], lastChange: row[2])
    }

    /// The zone of a row that is known to be there.
    static func find(id: Int64, _ db: Database) throws -> Self {
        let statement = try db.cachedStatement(sql: "SELECT id, name, last_change FROM zones WHERE id = ?")
        let row = try Row.fetchOne(statement, arguments: [id])!
        return Self(id: row[0], name: row[1], lastChange: row[2])
    }

    /// Every living zone that the caller sees, the default zone first.
    static func all(in database: DatabaseRow, of caller: Caller, _ db: Database) throws -> [Self] {
        guard caller.scope != .shared else { return try allShared(for: caller, db) }
        let statement = try db.cachedStatement(
            sql: "SELECT id, name, last_change FROM zones WHERE database_id = ? AND deleted = 0 ORDER BY id")
        return try Row.fetchAll(statement, arguments: [database.id]).map {
            Self(id: $0[0], name: $0[1], lastChange: $0[2])
        }
    }
}

/// Bytes as a column's value.
func blob(_ bytes: [UInt8]) -> DatabaseValue {
    Data(bytes).databaseValue
}
