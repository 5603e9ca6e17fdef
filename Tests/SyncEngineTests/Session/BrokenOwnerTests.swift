import CloudKitClient
import FolderControl
import Testing

/// Files that a structured file names, while it cannot say so: it is broken, or away for a moment (design §3, §6).
@Suite("Attached files of a file that is broken or away", .timeLimit(.minutes(30)))
struct BrokenOwnerTests {
    private static let start = ["Note/n.json": #"{"n": 1, "pic": {"$asset": "a.jpg"}}"#, "Note/a.jpg": "bytes"]

    /// Two devices that agree on a note and its picture.
    private static func world(
        _ start: [String: String] = start, _ body: @Sendable (EngineDevice, EngineDevice) async throws -> Void
    ) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for (path, text) in start { try laptop.write(text, to: path) }
            try await converge(laptop, desk)
            #expect(try desk.files() == start)
            _ = laptop.network.takeOperations()
            try await body(laptop, desk)
            try laptop.close()
            try desk.close()
        }
    }

    @Test("While a structured file is broken its asset is no record of its own, after a restart neither")
    func broken() async throws {
        try await Self.world { laptop, desk in
            try laptop.write(#"{"n": 1, "pic": {"$asset": "a.jpg"},}"#, to: "Note/n.json")
            try await converge(laptop, desk)
            try laptop.restart()
            try await converge(laptop, desk)
            #expect(!laptop.network.takeOperations().contains("records/modify"))
            #expect(try await laptop.report().held.map(\.code) == ["brokenJSON"])
            #expect(try desk.files() == Self.start)
            #expect(try await desk.report().verdict == .inSync)

            try laptop.write(#"{"n": 2, "pic": {"$asset": "a.jpg"}}"#, to: "Note/n.json")
            try await converge(laptop, desk)
            #expect(!laptop.network.takeOperations().contains("upload"))
            for device in [laptop, desk] {
                #expect(device.read("Note/n.json") == #"{"n": 2, "pic": {"$asset": "a.jpg"}}"#)
                #expect(device.read("Note/a.jpg") == "bytes")
                #expect(try await device.report().verdict == .inSync)
            }
        }
    }

    @Test("A file that is mended and names its asset no more leaves a file of its own")
    func mendedWithout() async throws {
        try await Self.world { laptop, desk in
            try laptop.write("{", to: "Note/n.json")
            try await converge(laptop, desk)
            try laptop.write(#"{"n": 2}"#, to: "Note/n.json")
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                #expect(try device.files() == ["Note/n.json": #"{"n": 2}"#, "Note/a.jpg": "bytes"])
                #expect(try await device.report().verdict == .inSync)
            }
        }
    }

    @Test("While a file is away between a deletion and a rename, nothing is sent of its asset")
    func away() async throws {
        try await Self.world { laptop, desk in
            try laptop.delete("Note/n.json")
            await laptop.look()
            #expect(!laptop.network.takeOperations().contains("records/modify"))
            try laptop.write(#"{"n": 2, "pic": {"$asset": "a.jpg"}}"#, to: "Note/n.json")
            try await converge(laptop, desk)
            #expect(!laptop.network.takeOperations().contains("upload"))
            for device in [laptop, desk] {
                #expect(device.read("Note/n.json") == #"{"n": 2, "pic": {"$asset": "a.jpg"}}"#)
                #expect(try device.files().count == 2)
                #expect(try await device.report().verdict == .inSync)
            }
        }
    }

    @Test("The asset of a file that is deleted for good becomes a file of its own, and is not sent again")
    func deleted() async throws {
        try await Self.world { laptop, desk in
            try laptop.delete("Note/n.json")
            try await converge(laptop, desk)
            #expect(!laptop.network.takeOperations().contains("upload"))
            for device in [laptop, desk] {
                #expect(try device.files() == ["Note/a.jpg": "bytes"])
                #expect(try await device.report().verdict == .inSync)
            }
        }
    }

    @Test("An asset that a broken file shares with another one stays when the other one is deleted in the zone")
    func shared() async throws {
        let start = Self.start.merging(["Note/m.json": #"{"m": 1, "pic": {"$asset": "a.jpg"}}"#]) { text, _ in text }
        try await Self.world(start) { laptop, desk in
            try laptop.write("{", to: "Note/n.json")
            try await laptop.sync()
            try desk.delete("Note/m.json")
            try await converge(desk, laptop)
            #expect(try laptop.files() == ["Note/n.json": "{", "Note/a.jpg": "bytes"])
            try laptop.write(Self.start["Note/n.json"]!, to: "Note/n.json")
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                #expect(try device.files() == Self.start)
                #expect(try await device.report().verdict == .inSync)
            }
        }
    }
}
