import Testing

@Suite("A note that another device moves to another folder (design.md §3)", .timeLimit(.minutes(30)))
struct MovedNoteTests {
    @Test("A picture in the folder above is found from the new one")
    func above() async throws {
        try await EngineWorld.run { world in
            let note = #"{"pic": {"$asset": "../a.jpg"}}"#
            let (laptop, desk) = try await world.pair(with: ["Note/x/n.json": note, "Note/a.jpg": "a picture"])
            try laptop.move("Note/x/n.json", to: "Note/y/x/n.json")
            try laptop.move("Note/a.jpg", to: "Note/y/a.jpg")
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: ["Note/y/x/n.json": note, "Note/y/a.jpg": "a picture"])
        }
    }

    @Test("A picture that another note names as well stays, and is at the new place too")
    func shared() async throws {
        try await EngineWorld.run { world in
            let note = #"{"pic": {"$asset": "a.jpg"}}"#
            let files = ["Note/n.json": note, "Note/m.json": note, "Note/a.jpg": "a picture"]
            let (laptop, desk) = try await world.pair(with: files)
            try laptop.write("a picture", to: "Note/x/a.jpg")
            try laptop.move("Note/n.json", to: "Note/x/n.json")
            try await converge(laptop, desk)
            try await expectInSync(
                laptop, desk,
                with: [
                    "Note/m.json": note, "Note/a.jpg": "a picture", "Note/x/n.json": note, "Note/x/a.jpg": "a picture",
                ])
        }
    }

    @Test("A note that gives way to an older one, back in the folder that it was moved out of, has its picture there")
    func displaced() async throws {
        try await EngineWorld.run { world in
            let note = #"{"pic": {"$asset": "a.jpg"}}"#
            let (laptop, desk) = try await world.pair(
                with: ["Note/o.json": #"{"n": 1}"#, "Note/m.json": note, "Note/a.jpg": "a picture"])
            try desk.write("a picture", to: "Note/x/a.jpg")
            try desk.write(note, to: "Note/x/n.json")
            try await desk.sync()
            try desk.move("Note/x/n.json", to: "Note/n.json")
            try desk.delete("Note/x/a.jpg")
            try laptop.move("Note/o.json", to: "Note/x/n.json")
            try await laptop.sync()
            try await desk.sync()
            try await converge(laptop, desk)
            try await expectInSync(
                laptop, desk,
                with: [
                    "Note/x/n.json": #"{"n": 1}"#, "Note/x/n~0e161e.json": note, "Note/x/a.jpg": "a picture",
                    "Note/m.json": note, "Note/a.jpg": "a picture",
                ])
        }
    }
}
