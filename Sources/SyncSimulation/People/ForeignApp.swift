import CloudKitServer
import CloudKitWire
import WireCoding

/// Somebody else's app, signed in as the same person, on a machine that never fails.
///
/// It sees the zone as it is at this moment, so that the checks ask it too.
struct ForeignApp {
    let server: LocalWebServices
    let user: NewUser

    private var zoneID: ZoneID { ZoneID(zoneName: World.zone) }

    /// Writes a record's title over what is there.
    /// - Returns: The record then; `nil` where the server did not take it.
    func save(title: String, of name: String) -> Record? {
        let type = String(name.prefix { $0 != "/" })
        var record = Record(recordName: name, recordType: type)
        record.fields = ["title": Field(.string(title))]
        return modify(RecordOperation(.forceUpdate, record))
    }

    /// Writes an asset into a field of a record, over what is there.
    /// - Returns: The record then; `nil` where the server did not take it.
    func save(_ bytes: [UInt8], in field: String, of name: String) -> Record? {
        let type = String(name.prefix { $0 != "/" })
        let request = AssetsUploadRequest(
            zoneID: zoneID, tokens: [AssetToken(recordType: type, recordName: name, fieldName: field)])
        guard let answer = call("assets/upload", request.encoded()),
            let url = (try? AssetsUploadResponse.decode(answer))?.tokens.first?.url,
            let stored = try? server.answer(String(url.dropFirst(SimulatedNetwork.baseURL.count)), bytes),
            let file = try? SingleFileResponse.decode(stored.body)
        else { return nil }
        var record = Record(recordName: name, recordType: type)
        record.fields = [field: Field(.asset(file.singleFile))]
        return modify(RecordOperation(.forceUpdate, record))
    }

    /// Deletes a record, whatever it holds by now.
    /// - Returns: Whether there was one.
    func delete(_ name: String) -> Bool {
        modify(RecordOperation(.forceDelete, Record(recordName: name)))?.deleted == true
    }

    /// Deletes the zone, and makes it anew where it is asked to.
    func endZone(remaking: Bool) {
        let kinds: [ZoneOperation.Kind] = remaking ? [.delete, .create] : [.delete]
        let request = ZonesModifyRequest(operations: kinds.map { ZoneOperation($0, zoneID) })
        _ = call("zones/modify", request.encoded())
    }

    /// What changed in the zone since a token, and all that is in it without one; `nil` where the server says that it knows
    /// no such token or zone.
    func changes(since token: String? = nil) -> [Record]? {
        var token = token
        var records: [Record] = []
        while true {
            let request = ZoneChangesRequest(zones: [ZoneChangesQuery(zoneID: zoneID, syncToken: token)])
            guard let answer = call("changes/zone", request.encoded()),
                let response = try? ZoneChangesResponse.decode(answer), case .success(let page)? = response.zones.first
            else { return nil }
            for case .success(let record) in page.records { records.append(record) }
            guard page.moreComing else { return records }
            token = page.syncToken
        }
    }

    /// Whether anything is in the zone.
    var hasRecords: Bool { changes()?.contains { $0.deleted != true } ?? false }

    /// Whether its account has the zone.
    var hasZone: Bool {
        guard let answer = call("zones/list", nil) else { return false }
        return String(decoding: answer, as: UTF8.self).contains("\"\(World.zone)\"")
    }

    /// The texts of a record: its strings, and the bytes of its assets.
    func texts(of record: Record) -> [String: [UInt8]] {
        record.fields.compactMapValues { field in
            switch field.value {
            case .string(let text): Array(text.utf8)
            case .asset(let asset): asset.downloadURL.flatMap { bytes(at: $0) }
            default: nil
            }
        }
    }

    /// The texts of the record with this name; none where there is no such record.
    func texts(of name: String) -> [String: [UInt8]] {
        changes()?.first { $0.recordName == name }.map { texts(of: $0) } ?? [:]
    }

    private func bytes(at url: String) -> [UInt8]? {
        let answer = try? server.answer(String(url.dropFirst(SimulatedNetwork.baseURL.count)), [])
        return answer?.status == 200 ? answer?.body : nil
    }

    private func modify(_ operation: RecordOperation) -> Record? {
        let request = RecordsModifyRequest(operations: [operation], zoneID: zoneID)
        guard let answer = call("records/modify", request.encoded()),
            let response = try? RecordsResponse.decode(answer),
            case .success(let record)? = response.records.first
        else { return nil }
        return record
    }

    private func call(_ operation: String, _ body: [UInt8]?) -> [UInt8]? {
        let target =
            "/database/1/\(World.container)/development/private/\(operation)?ckAPIToken=\(user.apiToken)&ckWebAuthToken="
            + Self.encoded(user.webAuthToken)
        guard let answer = try? server.answer(target, body ?? []), answer.status == 200 else { return nil }
        return answer.body
    }

    private static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            let isPlain =
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            encoded += isPlain ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
        }
        return encoded
    }
}
