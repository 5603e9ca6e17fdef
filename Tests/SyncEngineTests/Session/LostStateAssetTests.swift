import CloudKitClient
import FolderControl
import Foundation
import Testing

/// The state is lost, and the files are there (design §4).
@Suite("Attached files of which the state is lost", .timeLimit(.minutes(30)))
struct LostStateAssetTests {
    private static let note =
        #"{"n": 1, "pic": {"$asset": "a.jpg"}, "more": [{"$asset": "../b.bin"}, {"$asset": "c.bin"}]}"#
    private static let files = [
        "Note/n.json": note, "Note/a.jpg": "picture", "b.bin": "first", "Note/c.bin": "second", "plain.txt": "plain",
    ]

    @Test("They are recognised, and not one byte of an asset travels", arguments: [false, true])
    func recognised(isOpaque: Bool) async throws {
        try await EngineWorld.run { world in
            let view: any CloudKitTransport = isOpaque ? OpaqueChecksums(world.transport) : world.transport
            let (laptop, desk) = (try world.device("laptop", over: view), try world.device("desk", over: view))
            for (path, text) in Self.files { try laptop.write(text, to: path) }
            try await converge(laptop, desk)
            for device in [desk, laptop] { try await device.expectNoTransfer(afterLosingState: Self.files) }
            // What is agreed on is what was: an edit goes out as ever, and what is known of the other files stays with it.
            try desk.write("another picture", to: "Note/a.jpg")
            try await converge(desk, laptop)
            var files = Self.files
            files["Note/a.jpg"] = "another picture"
            for device in [desk, laptop] { try await device.expectNoTransfer(afterLosingState: files) }
            try await expectInSync(laptop, desk, with: files)
        }
    }

    @Test("One that another program attached is known by the checksum of our own server")
    func foreign() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(#"{"n": 1}"#, to: "Note/n.json")
            try await converge(laptop, desk)
            try await desk.foreignAttach("picture", to: "Note/n")
            try await converge(laptop, desk)
            let files = try desk.files()
            #expect(files["Note/n.pic.txt"] == "picture")
            try await desk.expectNoTransfer(afterLosingState: files)
            try await expectInSync(laptop, desk, with: files)
        }
    }

    @Test("One of which nobody told a hash is fetched")
    func unknown() async throws {
        try await EngineWorld.run { world in
            let view = OpaqueChecksums(world.transport)
            let (laptop, desk) = (try world.device("laptop", over: view), try world.device("desk", over: view))
            try laptop.write(#"{"n": 1}"#, to: "Note/n.json")
            try await converge(laptop, desk)
            try await desk.foreignAttach("picture", to: "Note/n")
            try await converge(laptop, desk)
            let files = try desk.files()
            try desk.loseState()
            try await desk.sync()
            #expect(desk.network.takeOperations().count { $0 == "download" } == 1)
            try await expectInSync(laptop, desk, with: files)
        }
    }

    @Test("One that the person renamed meanwhile is copied from where it is, and not fetched")
    func renamed() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            let note = #"{"n": 1, "pic": {"$asset": "a.jpg"}}"#
            try laptop.write(note, to: "Note/n.json")
            try laptop.write("picture", to: "Note/a.jpg")
            try await converge(laptop, desk)
            try desk.move("Note/a.jpg", to: "Note/b.jpg")
            try desk.write(note.replacing("a.jpg", with: "b.jpg"), to: "Note/n.json")
            try desk.loseState()
            try await desk.sync()
            // Without a base the zone's name stands, and the person's text is in a conflict copy.
            #expect(!desk.network.takeOperations().contains("download"))
            #expect(desk.read("Note/n.json") == note)
            #expect(desk.read("Note/a.jpg") == "picture" && desk.read("Note/b.jpg") == "picture")
            #expect(try desk.conflictCopies().count == 1)
            try laptop.close()
            try desk.close()
        }
    }

    @Test("A file with other bytes than its record's is no witness of them")
    func edited() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for (path, text) in Self.files { try laptop.write(text, to: path) }
            try await converge(laptop, desk)
            try desk.write("PICTURE", to: "Note/a.jpg")
            try desk.loseState()
            try await desk.sync()
            #expect(desk.network.takeOperations().count { $0 == "download" } == 1)
            #expect(desk.read("Note/a.jpg") == "picture")
            #expect(try desk.conflictCopies().map { desk.read($0) } == ["PICTURE"])
            try laptop.close()
            try desk.close()
        }
    }
}

extension EngineDevice {
    /// Starts the program on a folder whose state is gone.
    fileprivate func loseState() throws {
        try close()
        for part in ["", "-wal", "-shm"] { try? delete(".zonefolder/state.sqlite" + part) }
        try restart()
        _ = network.takeOperations()
    }

    fileprivate func expectNoTransfer(afterLosingState files: [String: String]) async throws {
        try loseState()
        try await sync()
        #expect(Set(network.takeOperations()).isDisjoint(with: ["download", "upload", "records/modify"]))
        #expect(try self.files() == files)
        #expect(try await report().verdict == .inSync)
    }
}
