import CloudKitWire
import FolderControl
import Testing

/// A file names a path, its record another record: what refers to a file keeps doing so when that gets a record of another
/// kind (S4.19, reliability §4.28).
@Suite("What refers to a file whose record gives way to one of another kind", .timeLimit(.minutes(30)))
struct ReplacedTargetTests {
    private static let target = "Note/target.json"
    private static let torn = "{\"x\": "

    /// A file that fits no record, one that refers to it, and another device that has both.
    private func start(
        _ world: EngineWorld, action: String, over witness: ReferenceWitness
    ) async throws -> (laptop: EngineDevice, desk: EngineDevice) {
        let laptop = try world.device("laptop", over: witness)
        try laptop.write(Self.torn, to: Self.target)
        try laptop.write(ReferringNote.text(Self.target, action: action), to: "Note/a.json")
        await laptop.settle()
        #expect(try await laptop.report().verdict == .inSync)
        let desk = try world.device("desk")
        try await desk.sync()
        #expect(try desk.files() == laptop.files())
        return (laptop, desk)
    }

    @Test(
        "Once it is mended, all are in the zone, and the references are to the new record",
        arguments: ["VALIDATE", "DELETE_SELF"])
    func mended(action: String) async throws {
        try await EngineWorld.run { world in
            let witness = ReferenceWitness(world.transport)
            let (laptop, desk) = try await start(world, action: action, over: witness)
            try laptop.write(ReferringNote.text(nil), to: Self.target)
            await laptop.settle()
            #expect(witness.tooEarly == [])
            let report = try await laptop.report()
            #expect(report.verdict == .inSync, "\(report)")
            #expect(report.records == 2)
            #expect(witness.references(of: "Note/a") == ["Note/target"])
            try await desk.sync()
            #expect(try desk.files() == laptop.files())
            #expect(desk.read("Note/a.json") == ReferringNote.text(Self.target, action: action))
            try laptop.close()
            try desk.close()
        }
    }

    @Test("A reference without consequences is to the new record, too")
    func withoutConsequences() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await start(world, action: "NONE", over: ReferenceWitness(world.transport))
            try laptop.write(ReferringNote.text(nil), to: Self.target)
            await laptop.settle()
            #expect(try await laptop.report().verdict == .inSync)
            // A device that knows nothing of what was shows the path only if it knows the record that is named.
            let fresh = try world.device("fresh")
            try await fresh.sync()
            #expect(try fresh.files() == laptop.files())
            for device in [laptop, desk, fresh] { try device.close() }
        }
    }

    @Test("An edit of what refers to it goes along, whether it still refers to it or not", arguments: [true, false])
    func editedTogether(refers: Bool) async throws {
        try await EngineWorld.run { world in
            let witness = ReferenceWitness(world.transport)
            let (laptop, desk) = try await start(world, action: "VALIDATE", over: witness)
            let edited = ReferringNote.text(refers ? Self.target : nil).replacing("\"x\": 1", with: "\"x\": 2")
            try laptop.write(edited, to: "Note/a.json")
            try laptop.write(ReferringNote.text(nil), to: Self.target)
            await laptop.settle()
            #expect(witness.tooEarly == [])
            #expect(try await laptop.report().verdict == .inSync)
            try await desk.sync()
            #expect(try desk.files() == laptop.files())
            #expect(desk.read("Note/a.json") == edited)
            try laptop.close()
            try desk.close()
        }
    }

    @Test("A new file that refers to it comes after the new record")
    func newReferrer() async throws {
        try await EngineWorld.run { world in
            let witness = ReferenceWitness(world.transport)
            let (laptop, desk) = try await start(world, action: "VALIDATE", over: witness)
            try laptop.write(ReferringNote.text(Self.target), to: "Note/0.json")
            try laptop.write(ReferringNote.text(nil), to: Self.target)
            await laptop.settle()
            #expect(witness.tooEarly == [])
            #expect(witness.references(of: "Note/0") == ["Note/target"])
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.close()
            try desk.close()
        }
    }

    @Test(
        "What names the record itself keeps it, and says so, until it lets go", arguments: ["VALIDATE", "DELETE_SELF"])
    func namedItself(action: String) async throws {
        try await EngineWorld.run { world in
            let witness = ReferenceWitness(world.transport)
            let (laptop, desk) = try await start(world, action: action, over: witness)
            let old = try #require(witness.references(of: "Note/a")?.first)
            let text = #"{"x": 1, "next": {"$ref": {"recordName": "\#(old)"}, "action": "\#(action)"}}"#
            try laptop.write(text, to: "Note/a.json")
            await laptop.settle()
            _ = witness.takeRequests()
            try laptop.write(ReferringNote.text(nil), to: Self.target)
            await laptop.settle()
            let held = try #require(try await laptop.report().held.first)
            #expect(
                held.message
                    == "Note/target.json is to become a record of another kind, and Note/a.json refers to the one that it has."
            )
            // Nobody was asked what is known.
            #expect(witness.takeRequests() == 0)
            try laptop.write(ReferringNote.text(Self.target, action: action), to: "Note/a.json")
            await laptop.settle()
            #expect(try await laptop.report().verdict == .inSync)
            #expect(witness.references(of: "Note/a") == ["Note/target"])
            try await desk.sync()
            #expect(try desk.files() == laptop.files())
            try laptop.close()
            try desk.close()
        }
    }
}
