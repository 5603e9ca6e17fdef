import FolderControl
import Synchronization
import Testing

@testable import SyncEngine

/// A folder that a person brought level with another one by hand while nothing ran, or put back from a backup of its files alone.
@Suite("A folder that was brought level by hand", .timeLimit(.minutes(30)))
struct BroughtLevelTests {
    private static let before = ["docs/a.txt": "text", "Note/n.json": #"{"n": 1}"#, "other.txt": "other"]
    private static let after = ["docs/b.txt": "edited text", "Note/one.json": #"{"n": 2}"#, "other.txt": "other"]

    private static func moveAndEdit(_ device: EngineDevice) throws {
        try device.move("docs/a.txt", to: "docs/b.txt")
        try device.move("Note/n.json", to: "Note/one.json")
        for (name, text) in after where name != "other.txt" { try device.write(text, to: name) }
    }

    @Test(
        "What was moved and edited elsewhere, and is here as it is there, is recognised as equal",
        arguments: [true, false])
    func equal(isByOtherFiles: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for (name, text) in Self.before { try laptop.write(text, to: name) }
            try await converge(laptop, desk)
            try Self.moveAndEdit(desk)
            try await desk.sync()
            if isByOtherFiles {
                for name in ["docs/a.txt", "Note/n.json"] { try laptop.delete(name) }
                for (name, text) in Self.after { try laptop.write(text, to: name) }
            } else {
                try Self.moveAndEdit(laptop)
            }
            try laptop.restart()
            try await converge(laptop, desk)
            #expect(try await laptop.report().records == 3)
            for device in [laptop, desk] { #expect(try device.conflictCopies().isEmpty) }
            try await expectInSync(laptop, desk, with: Self.after)
        }
    }

    @Test("Where it is another version here, both are kept, and the record is one")
    func another() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for (name, text) in Self.before { try laptop.write(text, to: name) }
            try await converge(laptop, desk)
            try Self.moveAndEdit(desk)
            try await desk.sync()
            try laptop.delete("docs/a.txt")
            try laptop.write("another text", to: "docs/b.txt")
            try await converge(laptop, desk)
            #expect(laptop.read("docs/b.txt") == "edited text" && desk.read("docs/b.txt") == "edited text")
            let copies = try laptop.conflictCopies()
            #expect(copies.map { laptop.read($0) } == ["another text"])
            #expect(try await laptop.report().records == 3)
            try laptop.close()
            try desk.close()
        }
    }

    @Test("What is equal but for its layout is no conflict, also where a field was taken out on both sides")
    func equalValues() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(#"{"n": 1, "old": 1}"#, to: "Note/n.json")
            try await converge(laptop, desk)
            try desk.move("Note/n.json", to: "Note/one.json")
            try desk.write(#"{"n": 2}"#, to: "Note/one.json")
            try await desk.sync()
            try laptop.write(#"{"n":2}"#, to: "Note/one.json")
            try laptop.delete("Note/n.json")
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: ["Note/one.json": #"{"n": 2}"#])
        }
    }

    /// What a person has here, unlike the zone, where the zone has moved a note that is gone here.
    struct Other: Sendable {
        let text: String
        /// The values that both come to have.
        let values: [String]
        let isInConflict: Bool
    }

    @Test(
        "Where the zone only moved it, another file in its new place changes nothing there and is kept beside it",
        arguments: [
            Other(text: #"{"m": 3}"#, values: [#""n": 1"#, #""k": 5"#, #""m": 3"#], isInConflict: false),
            Other(text: #"{"n": 2, "m": 3}"#, values: [#""n": 1"#, #""k": 5"#, #""m": 3"#], isInConflict: true),
        ], [true, false])
    func unrelated(note: Other, isSeenBefore: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("picture", to: "photo.png")
            try laptop.write(#"{"n": 1, "k": 5}"#, to: "Note/n.json")
            try await converge(laptop, desk)
            try desk.move("photo.png", to: "holiday.png")
            try desk.move("Note/n.json", to: "Note/one.json")
            try await desk.sync()
            // Written before the others are gone, so that no file has the number of one of them.
            try laptop.write("another picture", to: "holiday.png")
            try laptop.write(note.text, to: "Note/one.json")
            for name in ["photo.png", "Note/n.json"] { try laptop.delete(name) }
            if isSeenBefore {
                laptop.network.decide { _ in .lostOnTheWay }
                await laptop.settle()
                laptop.network.decide { _ in .delivered }
                try laptop.restart()
            }
            try await converge(laptop, desk)
            let merged = laptop.read("Note/one.json") ?? ""
            for device in [laptop, desk] {
                #expect(device.read("holiday.png") == "picture" && device.read("Note/one.json") == merged)
                #expect(device.read("photo.png") == nil && device.read("Note/n.json") == nil)
            }
            for value in note.values { #expect(merged.contains(value), "\(merged)") }
            let kept = try Set(laptop.conflictCopies().compactMap { laptop.read($0) })
            #expect(kept == Set(["another picture"] + (note.isInConflict ? [note.text] : [])))
            #expect(try await laptop.report().records == 2)
            try laptop.close()
            try desk.close()
        }
    }

    @Test("Where this device itself sent it there, without an answer, what is there since is an edit of it")
    func sentThere() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(#"{"n": 1, "k": 5}"#, to: "Note/n.json")
            try await converge(laptop, desk)
            let isCutOff = Mutex(false)
            laptop.network.decide { request in
                isCutOff.withLock { isCutOff in
                    if isCutOff { return .lostOnTheWay }
                    isCutOff = FaultyNetwork.operation(of: request) == "records/modify"
                    return isCutOff ? .answerLost : .delivered
                }
            }
            try laptop.move("Note/n.json", to: "Note/one.json")
            await laptop.settle()
            #expect(isCutOff.withLock { $0 })
            try await desk.sync()
            try desk.write(#"{"n": 1, "k": 6}"#, to: "Note/one.json")
            try await desk.sync()
            try laptop.write(#"{"n": 2, "k": 5}"#, to: "new.json")
            try laptop.move("new.json", to: "Note/one.json")
            laptop.network.decide { _ in .delivered }
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: ["Note/one.json": #"{"n": 2, "k": 6}"#])
        }
    }
}
