import CloudKitServer
import Testing

@Suite("A note that a person renames over an equal one is a note of its own (reliability 4.7)")
struct PutOverNoteTests {
    private static let words = #"{"text": "the words"}"#
    private static let edited = #"{"text": "the words", "n": 1}"#
    private static let others = #"{"text": "others"}"#
    private static let both = ["Note/a.json": words, "Note/b.json": words]

    @Test(
        "Written to before it is sent, it goes beside what another device made of the other one",
        arguments: [false, true])
    func editedBeforeItIsSent(isAtOnce: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: Self.both)
            try desk.move("Note/b.json", to: "Note/a.json")
            world.faults.add(FaultRule.html(503, on: "records/modify"))
            if !isAtOnce { await desk.look() }
            world.faults.removeAll()
            try laptop.write(Self.others, to: "Note/a.json")
            try await laptop.sync()
            try desk.write(Self.edited, to: "Note/a.json")
            try await desk.sync()
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                #expect(try device.files()["Note/a.json"] == #"{"text": "others", "n": 1}"#)
            }
            #expect(try desk.files().values.contains(Self.edited))
            for device in [laptop, desk] { try device.close() }
        }
    }

    @Test("Written to and sent first, it is no edit of the other one to who edits that: this edit goes beside it")
    func editedAndSentFirst() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: Self.both)
            try desk.move("Note/b.json", to: "Note/a.json")
            world.faults.add(FaultRule.html(503, on: "records/modify"))
            await desk.look()
            world.faults.removeAll()
            try desk.write(Self.edited, to: "Note/a.json")
            try await desk.sync()
            try laptop.write(Self.others, to: "Note/a.json")
            try await laptop.sync()
            try await converge(laptop, desk)
            for device in [laptop, desk] { #expect(try device.files()["Note/a.json"] == Self.edited) }
            #expect(try laptop.files().values.contains(Self.others))
            for device in [laptop, desk] { try device.close() }
        }
    }
}
