import FolderControl
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
}
