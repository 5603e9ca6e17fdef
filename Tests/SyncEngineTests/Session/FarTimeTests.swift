import CloudKitClient
import CloudKitWire
import FolderControl
import Testing

@testable import SessionCore
@testable import SyncEngine

/// Times that a client may write and a file system cannot count.
@Suite("Times beyond what a file can have", .timeLimit(.minutes(30)))
struct FarTimeTests {
    /// Milliseconds: a common "never", the last one that nanoseconds count, the one after it, and both ends.
    static let times: [Int64] = [64_092_211_200_000, 9_223_372_036_854, 9_223_372_036_855, .max, .min]

    @Test("A file record is received whatever time another client gave it (design §5.7)", arguments: times)
    func received(_ time: Int64) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("text", to: "a.txt")
            try laptop.write("other text", to: "b.txt")
            try await laptop.sync()
            let database = await laptop.session.environment.database
            let record = Record(
                recordName: "a.txt", recordType: "File", fields: ["modified": Field(.timestamp(time))])
            let results = try await database.modifyRecords(
                [RecordOperation(.forceUpdate, record)], in: ZoneID(zoneName: "Notes"))
            for case .failure(let error) in results { Issue.record("\(error)") }

            try await converge(desk, laptop)
            for device in [laptop, desk] {
                #expect(try device.files() == ["a.txt": "text", "b.txt": "other text"])
                #expect(try await device.report().verdict == .inSync)
                try device.close()
            }
        }
    }
}
