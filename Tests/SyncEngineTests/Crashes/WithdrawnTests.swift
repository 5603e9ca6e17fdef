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

    /// The desk comes back, and cannot reach the server yet; its folder has the picture.
    /// - Parameter wasThere: Whether the picture was there before the note came.
    private static func half(_ laptop: EngineDevice, _ desk: EngineDevice, wasThere: Bool) async throws {
        try laptop.write("picture", to: "Note/p.jpg")
        try laptop.write(note, to: "Note/n.json")
        try await laptop.sync()
        var entry = try #require(await laptop.session.agreed("Note/n"))
        try await desk.sync()
        // As it was before that came.
        try desk.store.forgetTrees()
        try desk.delete("Note/n.json")
        let file = try #require(await desk.session.file(at: FolderPath("Note/p.jpg")!))
        entry.assets[0].file = wasThere ? file : nil
        try desk.store.noteWritten([
            WrittenVersion(entry: entry, document: nil, path: entry.path, hash: entry.hash, formerTag: nil)
        ])
        desk.network.decide { _ in .lostOnTheWay }
        try desk.restart()
        await desk.look()
        #expect(try desk.files() == ["Note/p.jpg": "picture"])
    }

    /// The server can be reached, but no picture can be downloaded.
    private static func reachServer(from desk: EngineDevice) {
        desk.network.decide { FaultyNetwork.operation(of: $0) == "download" ? .lostOnTheWay : .delivered }
        desk.pass(.seconds(120))
    }

    @Test(
        "Its picture goes away again once the zone was asked, but not a file that was there before with the same bytes",
        arguments: [false, true])
    func pictureWithoutText(wasThere: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try await Self.half(laptop, desk, wasThere: wasThere)
            if !wasThere {
                Self.reachServer(from: desk)
                await desk.look()
                #expect(try desk.files().isEmpty)
            }
            desk.network.decide { _ in .delivered }
            desk.pass(.seconds(120))
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: ["Note/n.json": Self.note, "Note/p.jpg": "picture"])
        }
    }
}

extension FolderSession {
    fileprivate func agreed(_ name: String) -> BaseEntry? { inside.knowledge.trees.base[RecordName(name)] }

    fileprivate func file(at path: FolderPath) -> FileIdentity? { inside.knowledge.trees.local[path]?.stamp.file }
}
