import CloudKitClient
import CloudKitWire
import FolderControl
import SyncModel
import Testing

@testable import SessionCore
@testable import SyncEngine

/// Another program may change a file record's content and leave its `sha256` as it was.
@Suite("A stale hash", .timeLimit(.minutes(30)))
struct StaleHashTests {
    @Test("Bytes that another program put into a record come, although the hash and the size there are the old ones")
    func foreignContent() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("one", to: "a.txt")
            try await converge(laptop, desk)

            let database = await desk.session.environment.database
            let zone = ZoneID(zoneName: "Notes")
            let token = AssetToken(recordType: "File", recordName: "a.txt", fieldName: "content")
            let tokens = try await database.assetUploadURLs(for: [token], in: zone)
            let asset = try await database.uploadAsset(
                ByteSource(length: 3) { offset, count in Array("two".utf8.dropFirst(Int(offset)).prefix(count)) },
                to: tokens[0].url ?? "")
            var record = Record(recordName: "a.txt", recordType: "File")
            record.fields["content"] = Field(.asset(asset))
            let results = try await database.modifyRecords([RecordOperation(.forceUpdate, record)], in: zone)
            guard case .success = results[0] else {
                Issue.record("\(results)")
                return
            }
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                #expect(device.read("a.txt") == "two")
                #expect(try await device.report().verdict == .inSync)
            }
            // An edit on top goes out as ever.
            try laptop.write("six", to: "a.txt")
            try await converge(laptop, desk)
            #expect(try desk.files() == ["a.txt": "six"])
            try laptop.close()
            try desk.close()
        }
    }
}
