import CloudKitWire
import GRDB

extension RecordStore {
    /// Whom a web auth token stands for, without using it up; `nil` for one that is unknown.
    func userRecordName(ofWebAuthToken text: String) throws -> String? {
        guard let token = WebAuthToken(text, key) else { return nil }
        return try read { db in
            try String.fetchOne(
                try db.cachedStatement(
                    sql: "SELECT u.record_name FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = ?"),
                arguments: [token.session])
        }
    }

    /// Ends zones of a user as somebody else would; what is not there is passed over.
    func endZones(_ end: ZoneEnd, zone: String?, of caller: Caller) throws {
        let names: [String]
        if end == .purge {
            names = try zones(as: caller).zones.compactMap {
                if case .success(let zone) = $0 { zone.zoneID.zoneName } else { nil }
            }
        } else {
            names = zone.map { [$0] } ?? []
        }
        for name in names where name != ZoneID.defaultZoneName {
            let zoneID = ZoneID(zoneName: name)
            let kinds: [ZoneOperation.Kind] = end == .reset ? [.delete, .create] : [.delete]
            for kind in kinds {
                _ = try modifyZones(ZonesModifyRequest(operations: [ZoneOperation(kind, zoneID)]), as: caller)
            }
        }
    }
}
