import Testing

@testable import SyncEngine

@Suite("A file that two notes name, and a person moves away for one of them", .timeLimit(.minutes(30)))
struct MovedAwayAssetTests {
    @Test("Where the zone's bytes come to its new place, the other note has it again where it was (invariant 6)")
    func replaced() async throws {
        try await EngineWorld.run { world in
            let note = #"{"pic": {"$asset": "a.jpg"}}"#
            let (laptop, desk) = try await world.pair(
                with: ["Note/a.jpg": "shared", "Note/one.json": note, "Note/two.json": note])
            try desk.write("another", to: "Note/b.jpg")
            try desk.write(#"{"pic": {"$asset": "b.jpg"}}"#, to: "Note/one.json")
            try await desk.sync()
            try laptop.move("Note/a.jpg", to: "Note/b.jpg")
            try laptop.write(#"{"pic": {"$asset": "b.jpg"}}"#, to: "Note/one.json")
            try await converge(laptop, desk)
            try await expectInSync(
                laptop, desk,
                with: [
                    "Note/a.jpg": "shared", "Note/b.jpg": "another", "Note/one.json": #"{"pic": {"$asset": "b.jpg"}}"#,
                    "Note/two.json": note,
                ])
        }
    }
}
