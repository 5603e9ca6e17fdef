import Testing

@testable import SyncEngine

@Suite("A file that a person renames over an equal one that two notes name", .timeLimit(.minutes(30)))
struct SharedAssetPutOverTests {
    @Test(
        "Once the note with which that was told has it no more, the other one outlives its deletion elsewhere (invariant 6)",
        arguments: [false, true])
    func letGo(isDeleted: Bool) async throws {
        try await EngineWorld.run { world in
            let text = #"{"pic": {"$asset": "a.jpg"}}"#
            let (laptop, desk) = try await world.pair(
                with: [
                    "Note/a.jpg": "picture", "Note/b.jpg": "picture", "Note/one.json": text, "Note/two.json": text,
                ])
            try desk.delete("Note/two.json")
            try laptop.move("Note/b.jpg", to: "Note/a.jpg")
            try await laptop.sync()
            if isDeleted { try laptop.delete("Note/one.json") } else { try laptop.write("{}", to: "Note/one.json") }
            try await laptop.sync()
            try await converge(desk, laptop)
            var files = ["Note/a.jpg": "picture", "Note/one.json": "{}", "Note/two.json": text]
            if isDeleted { files["Note/one.json"] = nil }
            try await expectInSync(laptop, desk, with: files)
        }
    }
}
