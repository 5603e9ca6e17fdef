import CloudKitClient
import CloudKitWire
import SyncModel
import Testing

@testable import SyncEngine

/// A record names a file as its asset, and a file record of its own has the same path.
@Suite("A file record at the path of an attached file", .timeLimit(.minutes(10)))
struct AttachedPathTests {
    private static let note = #"{"n": 1, "pic": {"$asset": "a.jpg"}}"#

    private static func attach(_ device: EngineDevice) throws {
        try device.write("attached", to: "Note/a.jpg")
        try device.write(note, to: "Note/n.json")
    }

    private static func own(_ device: EngineDevice) throws {
        try device.write("a file of its own", to: "Note/a.jpg")
    }

    @Test("Made on two devices at once, both are kept, and nobody sends anything more", arguments: [true, false])
    func both(isAttachedFirst: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try await converge(laptop, desk)
            try (isAttachedFirst ? Self.attach : Self.own)(desk)
            try (isAttachedFirst ? Self.own : Self.attach)(laptop)
            try await desk.sync()
            try await laptop.sync()
            try await converge(laptop, desk)
            let copies = try [laptop, desk].flatMap { device in
                let files = try device.files()
                return try device.conflictCopies().map { files[$0] }
            }
            #expect(copies == ["a file of its own"])
            for device in [laptop, desk] {
                let files = try device.files().filter { !$0.key.contains(".conflict-") }
                #expect(files == ["Note/n.json": Self.note, "Note/a.jpg": "attached"])
                #expect(try await device.report().verdict == (device.conflictCopies().isEmpty ? .inSync : .attention))
                _ = device.takeChanges()
            }
            try await converge(laptop, desk)
            for device in [laptop, desk] { #expect(!device.takeChanges().contains("records/modify")) }
            for device in [laptop, desk] { try device.close() }
        }
    }

    @Test("One that another program puts into the zone waits there, and status says for what; renaming lets it in")
    func foreign() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try Self.attach(laptop)
            try await laptop.sync()
            let database = await laptop.session.environment.database
            var record = Record(recordName: "other", recordType: "File")
            record.fields["path"] = Field(.string("Note/a.jpg"))
            try await record.setContent("a file of its own", in: ZoneID(zoneName: "Notes"), of: database)
            try await laptop.sync()
            let report = try await laptop.report()
            #expect(report.verdict == .attention)
            #expect(report.held.map(\.path) == ["Note/a.jpg"], "\(report)")
            #expect(try laptop.files() == ["Note/n.json": Self.note, "Note/a.jpg": "attached"])

            try laptop.move("Note/a.jpg", to: "Note/b.jpg")
            let text = #"{"n": 1, "pic": {"$asset": "b.jpg"}}"#
            try laptop.write(text, to: "Note/n.json")
            try await laptop.sync()
            #expect(
                try laptop.files()
                    == ["Note/n.json": text, "Note/b.jpg": "attached", "Note/a.jpg": "a file of its own"])
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.close()
        }
    }
}

extension Record {
    /// Saves the record with this content, as another program does.
    fileprivate mutating func setContent(
        _ text: String, in zone: ZoneID, of database: CloudKitDatabase
    ) async throws {
        let token = AssetToken(recordType: recordType ?? "", recordName: recordName, fieldName: "content")
        let tokens = try await database.assetUploadURLs(for: [token], in: zone)
        let asset = try await database.uploadAsset(
            ByteSource(length: Int64(text.utf8.count)) { offset, count in
                Array(text.utf8.dropFirst(Int(offset)).prefix(count))
            }, to: tokens[0].url ?? "")
        fields["content"] = Field(.asset(asset))
        let results = try await database.modifyRecords([RecordOperation(.create, self)], in: zone)
        guard case .success = results[0] else {
            Issue.record("\(results)")
            return
        }
    }
}
