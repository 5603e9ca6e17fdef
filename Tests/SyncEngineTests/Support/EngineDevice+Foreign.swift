import CloudKitClient
import CloudKitWire
import Testing

@testable import SessionCore
@testable import SyncEngine

/// Another program, which knows nothing of files.
extension EngineDevice {
    private static var zone: ZoneID { ZoneID(zoneName: "Notes") }

    /// Gives a note a picture, over whatever the zone has there.
    func foreignAttach(_ picture: String, to note: String) async throws {
        var record = Record(recordName: note, recordType: "Note")
        try await record.setContent(
            picture, field: "pic", in: Self.zone, of: session.environment.database, as: .forceUpdate)
    }

    /// Gives a note these fields, whatever the zone has of it: besides the others, or in the place of all.
    func foreignSave(_ fields: [String: Field], of note: String, as kind: RecordOperation.Kind) async throws {
        let record = Record(recordName: note, recordType: "Note", fields: fields)
        let results = try await session.environment.database.modifyRecords(
            [RecordOperation(kind, record)], in: Self.zone)
        guard case .success = results[0] else {
            Issue.record("\(results)")
            return
        }
    }
}
