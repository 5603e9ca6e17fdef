import Testing

@testable import SyncEngine

@Suite("A file record that is hidden while a note has its bytes as an asset", .timeLimit(.minutes(30)))
struct HiddenRecordTests {
    @Test("It goes where a person takes the file out of the note, moves it away and attaches another one there at once")
    func replacedAtOnce() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("picture", to: "Note/b.jpg")
            try laptop.write(#"{"pic": {"$asset": "b.jpg"}}"#, to: "Note/one.json")
            try await converge(laptop, desk)
            // Deleted here and edited there, the note comes back, and with it the asset that became a file of its own.
            try laptop.delete("Note/one.json")
            try await laptop.sync()
            try desk.write(#"{"pic": {"$asset": "b.jpg"}, "a": 1}"#, to: "Note/one.json")
            try await converge(desk, laptop)

            try laptop.move("Note/b.jpg", to: "c.txt")
            try laptop.write(#"{"a": 1}"#, to: "Note/one.json")
            await laptop.look()
            try laptop.write("another", to: "Note/b.jpg")
            try laptop.write(#"{"pic": {"$asset": "b.jpg"}}"#, to: "Note/two.json")
            try await converge(laptop, desk)
            try await expectInSync(
                laptop, desk,
                with: [
                    "Note/b.jpg": "another", "Note/one.json": #"{"a": 1}"#,
                    "Note/two.json": #"{"pic": {"$asset": "b.jpg"}}"#, "c.txt": "picture",
                ])
        }
    }
}
