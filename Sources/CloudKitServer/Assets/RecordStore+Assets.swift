import CloudKitSchema
public import CloudKitWire
import Foundation
import GRDB

/// Leave to send the bytes of one asset.
public struct AssetUpload: Hashable, Sendable {
    let ticket: AssetTicket
}

extension RecordStore {
    /// URLs to send assets to, each for one field of one record (`assets/upload`).
    public func assetUploads(_ request: AssetsUploadRequest, as caller: Caller) throws -> AssetsUploadResponse {
        guard request.tokens.count <= StoreLimits.itemsPerRequest else {
            throw ErrorDictionary.tooMany("tokens", request.tokens.count)
        }
        let expiry = surroundings.now() / 1000 + StoreLimits.uploadURLSeconds
        return try read { db in
            let database = try DatabaseRow.find(caller, db)
            let zone = try ZoneRow.find(request.zoneID, in: database, of: caller, db)
            let access = RecordAccess(caller: caller, db: db)
            guard zone.shared?.access.mayWrite ?? true else { throw RecordTransaction.denied }
            return AssetsUploadResponse(
                tokens: try request.tokens.map { token in
                    let name = token.recordName ?? surroundings.uuid()
                    try Names.check(record: name)
                    try Names.check(field: token.fieldName)
                    // Nobody may fill the disk who may not save the record.
                    if try !access.allows(.create, of: token.recordType ?? "", createdBy: nil),
                        try StoredRecord.find(name, in: zone.id, db).map({ try access.allows(.write, $0) }) != true
                    {
                        throw RecordAccess.denied(.create)
                    }
                    let ticket = AssetTicket(
                        zone: zone.id,
                        target: .init(record: name, field: token.fieldName, isNamedHere: token.recordName == nil),
                        content: nil, expiry: expiry, isPublic: caller.scope == .public, sender: caller.userID)
                    return AssetToken(
                        recordType: nil, recordName: name, fieldName: token.fieldName,
                        url: "\(caller.baseURL)/assets/upload?t=\(percentEncoded(ticket.text(key)))")
                })
        }
    }

    /// The leave that an upload URL gives; `nil` where it is altered or too old.
    public func assetUpload(at url: String) -> AssetUpload? {
        let query = url.split(separator: "?", maxSplits: 1).last ?? ""
        return queryParameters(query)["t"].flatMap {
            AssetTicket($0, for: .upload, now: surroundings.now(), key).map(AssetUpload.init)
        }
    }

    /// What the sender of an asset is told once its bytes are durably stored under their SHA-256.
    public func receive(_ upload: AssetUpload, sha256: [UInt8], size: Int64) -> SingleFileResponse {
        var ticket = upload.ticket
        ticket.content = .init(sha256: sha256, size: size)
        ticket.sender = nil
        return SingleFileResponse(singleFile: asset(for: ticket))
    }

    /// Receipts for assets that records hold now, good for any record of the zone (`assets/rereference`). What the caller
    /// may not read is not found, like what is not there.
    public func rereference(
        _ request: AssetsRereferenceRequest, as caller: Caller
    ) throws -> AssetsRereferenceResponse {
        guard request.assets.count <= StoreLimits.itemsPerRequest else {
            throw ErrorDictionary.tooMany("assets", request.assets.count)
        }
        return try read { db in
            let database = try DatabaseRow.find(caller, db)
            let zone = try ZoneRow.find(request.zoneID, in: database, of: caller, db)
            let access = RecordAccess(caller: caller, db: db)
            return AssetsRereferenceResponse(
                assets: try request.assets.map { source in
                    try itemResult({ $0.about(record: source.recordName) }) {
                        let row = try Row.fetchOne(
                            db,
                            sql: """
                                SELECT a.sha256, a.size, r.type, r.created_by FROM records r JOIN asset_uses u ON u.record_id = r.id
                                JOIN assets a ON a.checksum = u.checksum
                                WHERE r.zone_id = ? AND r.name = ? AND u.field = ?
                                """,
                            arguments: [zone.id, source.recordName, source.fieldName])
                        let isSeen =
                            try zone.shared?.access.permission(for: source.recordName, in: zone.id, db)
                            != SharePermission.none
                        guard let row, isSeen, try access.allows(.read, of: row[2], createdBy: row[3]) else {
                            throw ErrorDictionary(.notFound, reason: "no asset in this field")
                        }
                        let content = AssetTicket.Content(sha256: Array(row[0] as Data), size: row[1])
                        guard holdsAsset(content.sha256, content.size) else {
                            throw ErrorDictionary(
                                .notFound, reason: "the bytes of the asset in this field are gone: upload them again")
                        }
                        return self.asset(
                            for: AssetTicket(
                                zone: zone.id, target: nil, content: content, expiry: 0,
                                isPublic: caller.scope == .public))
                    }
                })
        }
    }

    /// The SHA-256 and size of the asset that a download link names; `nil` where there is no such link or asset.
    public func asset(at url: String) throws -> (sha256: [UInt8], size: Int64)? {
        let parts = url.split(separator: "?", maxSplits: 1)
        let path = parts.first?.split(separator: "/") ?? []
        guard parts.count == 2, path.count >= 2 else { return nil }
        let query = queryParameters(parts[1])
        let checksum = AssetLinks.checksum(
            of: path[path.count - 2], expiry: query["e"], code: query["s"], now: surroundings.now(), key)
        guard let checksum else { return nil }
        return try read { db in
            try Row.fetchOne(
                try db.cachedStatement(sql: "SELECT sha256, size FROM assets WHERE checksum = ?"),
                arguments: [blob(checksum)]
            ).map { (Array($0[0] as Data), $0[1]) }
        }
    }

    /// Forgets assets that no record names, and says which are left, by SHA-256.
    ///
    /// Call it only while no client can be between an upload and its record; a running server sweeps instead.
    public func forgetUnusedAssets() throws -> Set<[UInt8]> {
        try change { db in
            try db.execute(sql: "DELETE FROM assets WHERE checksum NOT IN (SELECT checksum FROM asset_uses)")
            return Set(try Data.fetchAll(db, sql: "SELECT sha256 FROM assets").map(Array.init))
        }
    }

    /// The asset as a record stores it, and its content, after checking its receipt.
    /// - Parameter record: `nil` for a record that the request leaves unnamed.
    func accept(
        _ asset: Asset, record: String?, field: String, zone: Int64, now: Int64
    ) throws(ErrorDictionary) -> (Asset, AssetTicket.Content) {
        guard let receipt = asset.receipt else {
            throw .badRequest("the asset in field '\(field)' has no receipt: upload or rereference it first")
        }
        guard let ticket = AssetTicket(receipt, for: .receipt, now: now, key), ticket.zone == zone,
            ticket.target.map({ $0.admits(record, field) }) ?? true, let content = ticket.content
        else {
            throw .badRequest("the receipt of the asset in field '\(field)' is not valid here, or too old")
        }
        guard asset.fileChecksum.map({ $0 == base64(checksum(of: content.sha256)) }) ?? true else {
            throw .badRequest("the asset in field '\(field)' is not the one that its receipt is for")
        }
        guard holdsAsset(content.sha256, content.size) else {
            throw .badRequest("the bytes of the asset in field '\(field)' are gone: upload them again")
        }
        var stored = self.asset(for: ticket)
        stored.receipt = nil
        return (stored, content)
    }

    /// The dictionary of an asset, with a receipt.
    private func asset(for ticket: AssetTicket) -> Asset {
        guard let content = ticket.content else { preconditionFailure("An asset dictionary needs its content") }
        let checksum = checksum(of: content.sha256)
        var ticket = ticket
        ticket.expiry = surroundings.now() / 1000 + StoreLimits.receiptSeconds
        var asset = Asset(fileChecksum: base64(checksum), size: content.size, receipt: ticket.text(key))
        guard !ticket.isPublic else { return asset }
        asset.wrappingKey = base64(Array(key.code(for: .assetKey, content.sha256).prefix(16)))
        asset.referenceChecksum = base64([1] + key.code(for: .assetKey, checksum).prefix(20))
        return asset
    }

    /// 21 bytes, as many as the service's have, but such that a client can hold them against the bytes that it gets.
    func checksum(of sha256: [UInt8]) -> [UInt8] {
        AssetChecksum(sha256: sha256).bytes
    }
}

extension RecordTransaction {
    /// Notes which assets a record holds.
    /// - Parameter new: The content of those that came with this save.
    func writeAssets(
        of fields: [String: Field], new: [AssetTicket.Content], record: Int64, replacing: Bool
    ) throws {
        for content in new {
            try db.cachedStatement(sql: "INSERT OR IGNORE INTO assets VALUES (?, ?, ?)").execute(
                arguments: [blob(store.checksum(of: content.sha256)), blob(content.sha256), content.size])
        }
        if replacing {
            try db.cachedStatement(sql: "DELETE FROM asset_uses WHERE record_id = ?").execute(arguments: [record])
        }
        for (name, field) in fields {
            for asset in field.value?.assets ?? [] {
                guard let checksum = asset.fileChecksum.flatMap({ bytes(base64: $0) }) else { continue }
                try db.cachedStatement(sql: "INSERT INTO asset_uses VALUES (?, ?, ?)").execute(
                    arguments: [record, name, blob(checksum)])
            }
        }
    }
}

/// Every byte outside the unreserved characters percent-encoded, as a query parameter's value needs it.
func percentEncoded(_ text: String) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
        switch byte {
        case 48...57, 65...90, 97...122, 45, 46, 95, 126: encoded.append(byte)
        default: encoded += Array("%\(hex([byte]).uppercased())".utf8)
        }
    }
    return String(decoding: encoded, as: UTF8.self)
}
