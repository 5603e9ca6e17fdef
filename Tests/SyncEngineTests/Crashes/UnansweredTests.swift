import CloudKitClient
import FolderControl
import Testing

/// The server took a save, and the process was killed before it learnt of it.
@Suite("A lost answer", .timeLimit(.minutes(30)))
struct UnansweredTests {
    private static func text(_ x: Int, _ y: Int) -> String { "{\n  \"x\": \(x),\n  \"y\": \(y)\n}\n" }

    @Test("A save that was taken is known again after the crash; a further edit goes on top of it, with no conflict")
    func editedAgain() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(Self.text(0, 0), to: "Note/a.json")
            try laptop.write("zero", to: "a.txt")
            try await laptop.sync()
            try await desk.sync()
            try laptop.write(Self.text(1, 0), to: "Note/a.json")
            try laptop.write("first edit", to: "a.txt")
            try await laptop.syncUntilKilled(at: "records/modify")
            #expect(laptop.transport.isDead)
            try laptop.write(Self.text(2, 0), to: "Note/a.json")
            try laptop.write("second edit", to: "a.txt")
            for device in [laptop, desk] {
                #expect(try await device.sync().verdict == .inSync)
                #expect(device.read("Note/a.json") == Self.text(2, 0))
                #expect(device.read("a.txt") == "second edit")
                #expect(device.files() == ["Note/a.json", "a.txt"])
            }
        }
    }

    @Test("Another device that built upon the lost save meets no conflict, nor does the edit that was made here since")
    func builtUpon() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(Self.text(0, 0), to: "Note/a.json")
            try await laptop.sync()
            try laptop.write(Self.text(1, 0), to: "Note/a.json")
            try await laptop.syncUntilKilled(at: "records/modify")
            try await desk.sync()
            #expect(desk.read("Note/a.json") == Self.text(1, 0))
            try desk.write(Self.text(1, 5), to: "Note/a.json")
            try await desk.sync()
            try laptop.write(Self.text(2, 0), to: "Note/a.json")
            for device in [laptop, desk] {
                #expect(try await device.sync().verdict == .inSync)
                #expect(device.read("Note/a.json") == Self.text(2, 5))
                #expect(device.files() == ["Note/a.json"])
            }
        }
    }

    @Test("A new record whose answer was lost is no second one, and its file can be edited and renamed meanwhile")
    func created() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(Self.text(0, 0), to: "Note/a.json")
            try laptop.write("zero", to: "a.txt")
            try await laptop.syncUntilKilled(at: "records/modify")
            try laptop.write(Self.text(7, 0), to: "Note/a.json")
            try laptop.write("edited", to: "a.txt")
            for device in [laptop, desk] {
                #expect(try await device.sync().verdict == .inSync)
                #expect(device.read("Note/a.json") == Self.text(7, 0))
                #expect(device.read("a.txt") == "edited")
                #expect(device.files() == ["Note/a.json", "a.txt"])
            }
        }
    }

    @Test(
        "A file put over an equal one is told again where no answer came and another device moved that one (invariant 6)",
        arguments: ["txt", "json"])
    func renewalLost(ending: String) async throws {
        try await EngineWorld.run { world in
            let words = ending == "json" ? #"{"title": "the words"}"# : "the words"
            let (laptop, desk) = try await world.pair(
                with: ["Note/b.\(ending)": words, "Note/c.\(ending)": words, "keep.txt": "others"])
            try desk.move("Note/b.\(ending)", to: "Note/c.\(ending)")
            // While one acts, the other one waits.
            nonisolated(unsafe) let other = laptop
            desk.network.next(
                to: "records/modify",
                .answeredAfter(
                    {
                        try other.move("Note/c.\(ending)", to: "Note/d.\(ending)")
                        try await other.sync()
                    }, TransportResponse(status: 504, body: [])))
            await desk.settle()
            try await desk.sync()
            // Of the two files that the laptop still has, its person deletes the one.
            try laptop.delete("Note/d.\(ending)")
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                #expect(try device.files() == ["Note/d.\(ending)": words, "keep.txt": "others"])
                try device.close()
            }
        }
    }

    @Test("Answer after answer is lost: the last edit wins, nothing is doubled")
    func againAndAgain() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<6 {
                try laptop.write(Self.text(number, 0), to: "Note/a.json")
                try laptop.write("edit \(number)", to: "a.txt")
                try await laptop.syncUntilKilled(at: "records/modify")
            }
            for device in [laptop, desk] {
                #expect(try await device.sync().verdict == .inSync)
                #expect(device.read("Note/a.json") == Self.text(5, 0))
                #expect(device.read("a.txt") == "edit 5")
                #expect(device.files() == ["Note/a.json", "a.txt"])
            }
        }
    }

    @Test("What collides with an edit of another device is still a conflict, and no bytes are lost")
    func realConflict() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(Self.text(0, 0), to: "Note/a.json")
            try await laptop.sync()
            try await desk.sync()
            try laptop.write(Self.text(1, 0), to: "Note/a.json")
            try await laptop.syncUntilKilled(at: "records/modify")
            try await desk.sync()
            try desk.write(Self.text(9, 0), to: "Note/a.json")
            try await desk.sync()
            try laptop.write(Self.text(2, 0), to: "Note/a.json")
            #expect(try await laptop.sync().verdict == .attention)
            #expect(laptop.read("Note/a.json") == Self.text(9, 0))
            let copy = try #require(laptop.files().first { $0.contains(".conflict-") })
            #expect(laptop.read(copy) == Self.text(2, 0))
        }
    }
}
