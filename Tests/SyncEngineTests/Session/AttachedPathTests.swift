import CloudKitClient
import CloudKitServer
import CloudKitWire
import FolderControl
import SyncModel
import Testing

@testable import SessionCore
@testable import SyncEngine

/// A record names a file as its asset, and a file record of its own has the same path.
@Suite("A file record at the path of an attached file", .timeLimit(.minutes(30)))
struct AttachedPathTests {
    private static let note = #"{"n": 1, "pic": {"$asset": "a.jpg"}}"#

    private static func attach(_ device: EngineDevice) throws {
        try device.write("attached", to: "Note/a.jpg")
        try device.write(note, to: "Note/n.json")
    }

    private static func own(_ device: EngineDevice) throws {
        try device.write("a file of its own", to: "Note/a.jpg")
    }

    @Test("Made on two devices at once, both are kept: the zone's beside the asset, and a copy where the asset was put")
    func both() async throws {
        for isAttachedFirst in [true, false] {
            try await EngineWorld.run { world in
                let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
                try await converge(laptop, desk)
                try (isAttachedFirst ? Self.attach : Self.own)(desk)
                try (isAttachedFirst ? Self.own : Self.attach)(laptop)
                try await desk.sync()
                try await laptop.sync()
                try await converge(laptop, desk)
                for device in [laptop, desk] {
                    var files = try device.files()
                    let copies = try device.conflictCopies()
                    #expect(files.removeValue(forKey: "Note/n.json") == Self.note)
                    #expect(files.removeValue(forKey: "Note/a.jpg") == "attached")
                    // What the zone has stands beside the asset; what was there gives way to it as a copy.
                    let givesWay = (device === laptop) == isAttachedFirst
                    #expect(copies.count == (givesWay ? 1 : 0))
                    #expect(files.count == copies.count + (isAttachedFirst ? 0 : 1))
                    #expect(files.values.allSatisfy { $0 == "a file of its own" }, "\(files)")
                    #expect(try await device.report().verdict == (copies.isEmpty ? .inSync : .attention))
                    _ = device.takeChanges()
                }
                try await converge(laptop, desk)
                for device in [laptop, desk] { #expect(!device.takeChanges().contains("records/modify")) }
                for device in [laptop, desk] { try device.close() }
            }
        }
    }

    @Test("One that another program puts into the zone stands beside the asset, until its place is free")
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
            #expect(try await laptop.report().verdict == .inSync)
            var files = try laptop.files()
            #expect(files.removeValue(forKey: "Note/n.json") == Self.note)
            #expect(files.removeValue(forKey: "Note/a.jpg") == "attached")
            #expect(files.map(\.value) == ["a file of its own"])
            #expect(files.keys.allSatisfy { $0.hasPrefix("Note/a~") && $0.hasSuffix(".jpg") }, "\(files)")

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

    @Test("One that is made anew under an attached file's name is not put over the asset, though both come at once")
    func madeAnewAtOnce() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["Note/a.jpg": "a picture"])
            try laptop.write(Self.note, to: "Note/n.json")
            try await laptop.sync()
            let database = await laptop.session.environment.database
            var record = Record(recordName: "Note/a.jpg", recordType: "File")
            try await record.setContent("another picture", in: ZoneID(zoneName: "Notes"), of: database)
            try await converge(desk, laptop)
            for device in [laptop, desk] {
                var files = try device.files()
                #expect(files.removeValue(forKey: "Note/n.json") == Self.note)
                #expect(files.removeValue(forKey: "Note/a.jpg") == "a picture")
                #expect(files.map(\.value) == ["another picture"])
                try device.close()
            }
        }
    }

    @Test("An asset that nobody named gives way to a file that comes to its name later, as it does on every device")
    func namedByNobody() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["Note/n.json": #"{"n": 1}"#])
            let (database, zone) = (await laptop.session.environment.database, ZoneID(zoneName: "Notes"))
            try await laptop.foreignAttach("a picture", to: "Note/n")
            try await laptop.sync()
            #expect(try laptop.files()["Note/n.pic.txt"] == "a picture")
            var file = Record(recordName: "other", recordType: "File")
            file.fields["path"] = Field(.string("Note/n.pic.txt"))
            try await file.setContent("a file of its own", in: zone, of: database)
            try await converge(laptop, desk)
            #expect(try laptop.files() == desk.files())
            #expect(try laptop.files()["Note/n.pic.txt"] == "a file of its own")
            for device in [laptop, desk] {
                #expect(try await device.report().verdict == .inSync)
                _ = device.takeChanges()
            }
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                #expect(!device.takeChanges().contains("records/modify"))
                try device.close()
            }
        }
    }

    /// Two devices that know a picture as a file of its own and as the asset of a note: the one that attached it, first,
    /// cannot delete the picture's own record yet.
    private static func attachedInPart(in world: EngineWorld) async throws -> (EngineDevice, EngineDevice) {
        let (laptop, desk) = try await world.pair(with: ["Note/a.jpg": "a picture"])
        laptop.network.partDeletion(of: "Note/a.jpg", from: "Note/n")
        try laptop.write(note, to: "Note/n.json")
        await laptop.settle()
        await desk.settle()
        #expect(try desk.files() == ["Note/a.jpg": "a picture", "Note/n.json": note])
        return (laptop, desk)
    }

    @Test("Who receives a record that names a file leaves its own record to who attached it (invariant 6)")
    func leftToWhoAttached() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await Self.attachedInPart(in: world)
            laptop.network.deliverAll()
            _ = desk.takeChanges()
            desk.pass(.seconds(600))
            try await desk.sync()
            #expect(!desk.takeChanges().contains("records/modify"))
            laptop.pass(.seconds(3600))
            try await laptop.sync()
            #expect(laptop.takeChanges().contains("records/modify"))
            try await converge(desk, laptop)
            try await expectInSync(laptop, desk, with: ["Note/a.jpg": "a picture", "Note/n.json": Self.note])
        }
    }

    @Test(
        "What a person wrote to a file that another device attached meanwhile is an edit of the asset, and no conflict",
        arguments: [true, false])
    func editedMeanwhile(isItsRecordGone: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["Note/a.jpg": "a picture"])
            if !isItsRecordGone { laptop.network.partDeletion(of: "Note/a.jpg", from: "Note/n") }
            try laptop.write(Self.note, to: "Note/n.json")
            await laptop.settle()
            laptop.network.deliverAll()
            try desk.write("a better picture", to: "Note/a.jpg")
            try await desk.sync()
            laptop.pass(.seconds(3600))
            try await laptop.sync()
            try await converge(desk, laptop)
            try await expectInSync(laptop, desk, with: ["Note/a.jpg": "a better picture", "Note/n.json": Self.note])
        }
    }

    @Test("What another device attached and a person takes out is their file, though its own record goes only then")
    func takenOutBeforeItsRecordGoes() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await Self.attachedInPart(in: world)
            // The desk takes it out before that, and says so after.
            try desk.write(#"{"n": 1}"#, to: "Note/n.json")
            await desk.look()
            laptop.network.deliverAll()
            laptop.pass(.seconds(3600))
            try await laptop.sync()
            try await converge(desk, laptop)
            try await expectInSync(laptop, desk, with: ["Note/a.jpg": "a picture", "Note/n.json": #"{"n": 1}"#])
        }
    }
}
