import CloudKitWire
import SyncModel
import Testing

@Suite("An asset that nobody named (design.md §3)", .timeLimit(.minutes(30)))
struct UnnamedAssetTests {
    @Test("It leaves its first name to a record that names that, on who gets to know both at once as on everybody else")
    func bothAtOnce() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["Note/c.json": #"{"n": 1}"#])
            try await laptop.foreignAttach("a picture", to: "Note/b")
            try await laptop.sync()
            #expect(try laptop.files()["Note/b.pic.txt"] == "a picture")
            // The text that its person renames names the asset by the name that it had got.
            try laptop.move("Note/b.json", to: "Note/c.json")
            try await converge(laptop, desk)
            try await laptop.foreignAttach("another picture", to: "Note/b")
            try await converge(laptop, desk)
            let phone = try await Self.newDevice(in: world, besides: laptop, desk)
            #expect(try phone.files() == laptop.files())
            #expect(try phone.files()["Note/b.pic.txt"] == "a picture")
            #expect(try phone.files().values.count { $0 == "another picture" } == 1)
            try await expectInSync(laptop, desk, phone, with: laptop.files())
        }
    }

    @Test("It leaves its name to a record that comes later and names that, with bytes of its own")
    func oneAfterTheOther() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: [:])
            try await laptop.foreignAttach("a picture", to: "Note/b")
            try await desk.sync()
            try laptop.write("another picture", to: "Note/b.pic.txt")
            let text = #"{"pic": {"$asset": "b.pic.txt"}}"#
            try laptop.write(text, to: "Note/c.json")
            laptop.network.next(to: "changes/zone", .lostOnTheWay)
            await laptop.look()
            try await converge(laptop, desk)
            let phone = try await Self.newDevice(in: world, besides: laptop, desk)
            for device in [phone, laptop, desk] {
                let files = try device.files()
                #expect(files["Note/c.json"] == text)
                #expect(files["Note/b.pic.txt"] == "another picture")
                #expect(files.values.contains("a picture"))
                #expect(files["Note/b.json"] == (try phone.files()["Note/b.json"]))
            }
            for device in [phone, laptop, desk] { try device.close() }
        }
    }

    @Test("It shares its name with another record's that has the same bytes, on every device")
    func sameBytes() async throws {
        try await EngineWorld.run { world in
            let text = #"{"pic": {"$asset": "b.pic.txt"}}"#
            let (laptop, desk) = try await world.pair(with: ["Note/a.json": text, "Note/b.pic.txt": "a picture"])
            try await laptop.foreignAttach("a picture", to: "Note/b")
            try await converge(laptop, desk)
            let phone = try await Self.newDevice(in: world, besides: laptop, desk)
            #expect(try phone.files().count == 3)
            try await expectInSync(laptop, desk, phone, with: phone.files())
        }
    }

    @Test("It takes its first name as soon as that is free, as on who joins then", arguments: [false, true])
    func freedName(isKept: Bool) async throws {
        try await EngineWorld.run { world in
            let text = #"{"pic": {"$asset": "b.pic.txt"}}"#
            let (laptop, desk) = try await world.pair(with: ["Note/c.json": text, "Note/b.pic.txt": "a picture"])
            try await laptop.foreignAttach("another picture", to: "Note/b")
            try await converge(laptop, desk)
            #expect(try desk.files().count == 4)
            try laptop.delete("Note/c.json")
            if isKept {
                // It keeps the name, as a file of its own.
                try await converge(laptop, desk)
                try laptop.move("Note/b.pic.txt", to: "Note/d.txt")
            } else {
                try laptop.delete("Note/b.pic.txt")
            }
            try await converge(laptop, desk)
            let phone = try await Self.newDevice(in: world, besides: laptop, desk)
            #expect(try phone.files()["Note/b.pic.txt"] == "another picture")
            try await expectInSync(laptop, desk, phone, with: phone.files())
        }
    }

    /// A device that joins, and to which nobody has anything to say.
    private static func newDevice(
        in world: EngineWorld, besides devices: EngineDevice...
    ) async throws -> EngineDevice {
        for device in devices { _ = device.takeChanges() }
        let new = try world.device("phone")
        for device in [new] + devices {
            device.pass(.seconds(3600))
            try await device.sync()
            #expect(!device.takeChanges().contains("records/modify"))
        }
        return new
    }
}
