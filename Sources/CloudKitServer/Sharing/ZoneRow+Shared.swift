import CloudKitWire
import GRDB

/// The zones of a shared database: somebody else's, found through the caller's part in their shares.
extension ZoneRow {
    static func findShared(_ zoneID: ZoneID?, for caller: Caller, _ db: Database) throws -> Self {
        guard let zoneID, let owner = zoneID.ownerRecordName else { throw ErrorDictionary.zoneNeedsOwner }
        let row = try Row.fetchOne(
            try db.cachedStatement(sql: "\(selection) AND s.name = ? AND s.owner_record_name = ?"),
            arguments: [caller.userID, caller.environment, zoneID.zoneName, owner])
        guard let row else { throw ErrorDictionary.zoneNotFound(zoneID) }
        return try zone(row, of: caller, db)
    }

    static func allShared(for caller: Caller, _ db: Database) throws -> [Self] {
        let statement = try db.cachedStatement(sql: "\(selection) ORDER BY z.id")
        return try Row.fetchAll(statement, arguments: [caller.userID, caller.environment]).map {
            try zone($0, of: caller, db)
        }
    }

    private static let selection = """
        SELECT z.id, z.name, z.last_change, s.id, s.owner_record_name, z.database_id FROM shared_zones s
        JOIN databases d ON d.id = s.database_id JOIN zones z ON z.id = s.zone_id AND z.deleted = 0
        WHERE d.owner_id = ? AND d.environment = ? AND d.scope = 'shared' AND s.deleted = 0
        """

    private static func zone(_ row: Row, of caller: Caller, _ db: Database) throws -> Self {
        let access = try ZoneAccess(of: caller.userID, to: row[0], db)
        return Self(
            id: row[0], name: row[1], lastChange: row[2],
            shared: SharedZone(feed: row[3], ownersDatabase: row[5], access: access), ownerRecordName: row[4])
    }
}
