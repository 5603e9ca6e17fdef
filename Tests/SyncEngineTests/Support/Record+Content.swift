import CloudKitClient
import CloudKitWire
import Testing

extension Record {
    /// Saves the record with this content in a field, as another program does.
    mutating func setContent(
        _ text: String, field: String = "content", in zone: ZoneID, of database: CloudKitDatabase,
        as kind: RecordOperation.Kind = .create
    ) async throws {
        let token = AssetToken(recordType: recordType ?? "", recordName: recordName, fieldName: field)
        let tokens = try await database.assetUploadURLs(for: [token], in: zone)
        let asset = try await database.uploadAsset(
            ByteSource(length: Int64(text.utf8.count)) { offset, count in
                Array(text.utf8.dropFirst(Int(offset)).prefix(count))
            }, to: tokens[0].url ?? "")
        fields[field] = Field(.asset(asset))
        let results = try await database.modifyRecords([RecordOperation(kind, self)], in: zone)
        guard case .success = results[0] else {
            Issue.record("\(results)")
            return
        }
    }
}
