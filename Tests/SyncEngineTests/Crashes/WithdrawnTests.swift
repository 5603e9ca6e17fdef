import FolderKnowledge
import RecordTrees
import StateRows
import StateStorage
import SyncModel
import Testing

@testable import SyncEngine

/// The process ended when a note's picture was in the folder and its text was not (invariant 8).
@Suite("A note of which only the picture came", .timeLimit(.minutes(30)))
struct WithdrawnTests {
    private static let note = #"{"pic": {"$asset": "p.jpg"}}"#
    private static let picture = FolderPath("Note/p.jpg")!

    /// The desk comes back, and cannot reach the server yet; its folder has the picture.
    /// - Parameter wasThere: Whether the picture was there before the note came.
    /// - Returns: Which file the picture is.
    private static func half(
        _ laptop: EngineDevice, _ desk: EngineDevice, wasThere: Bool
    ) async throws -> FileIdentity {
        try laptop.write("picture", to: "Note/p.jpg")
        try laptop.write(note, to: "Note/n.json")
        try await laptop.sync()
        var entry = try #require(await laptop.session.agreed("Note/n"))
        try await desk.sync()
        // As it was before that came.
        try desk.store.forgetTrees()
        try desk.delete("Note/n.json")
        let file = try #require(await desk.session.file(at: picture))
        entry.assets[0].file = wasThere ? file : nil
        try desk.store.noteWritten([
            WrittenVersion(entry: entry, document: nil, path: entry.path, hash: entry.hash, formerTag: nil)
        ])
        desk.network.decide { _ in .lostOnTheWay }
        try desk.restart()
        await desk.look()
        #expect(try desk.files() == ["Note/p.jpg": "picture"])
        return file
    }

    @Test(
        "Its picture goes away once the zone was asked, and comes with it; a file that was there before with the same bytes stays",
        arguments: [false, true])
    func pictureWithoutText(wasThere: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            let file = try await Self.half(laptop, desk, wasThere: wasThere)
            desk.network.decide { _ in .delivered }
            desk.pass(.seconds(120))
            try await converge(laptop, desk)
            #expect(await (desk.session.file(at: Self.picture) == file) == wasThere)
            try await expectInSync(laptop, desk, with: ["Note/n.json": Self.note, "Note/p.jpg": "picture"])
        }
    }
}

extension FolderSession {
    fileprivate func agreed(_ name: String) -> BaseEntry? { inside.knowledge.trees.base[RecordName(name)] }

    fileprivate func file(at path: FolderPath) -> FileIdentity? { inside.knowledge.trees.local[path]?.stamp.file }
}
