import CloudKitWire

@testable import SessionCore
@testable import SyncEngine

extension EngineDevice {
    /// Another program, which knows nothing of files, gives a note a picture, over whatever the zone has there.
    func foreignAttach(_ picture: String, to note: String) async throws {
        var record = Record(recordName: note, recordType: "Note")
        try await record.setContent(
            picture, field: "pic", in: ZoneID(zoneName: "Notes"), of: session.environment.database, as: .forceUpdate)
    }
}
