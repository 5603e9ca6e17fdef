import FolderControl
import FolderSettings
import Foundation
import StateStorage
import SystemPackage
import Testing

@testable import SyncService

@Suite("Forgetting what is known of a folder", .timeLimit(.minutes(30)))
struct ResetTests {
    @Test(
        "What is equal in both is recognised, nothing is sent again, and an edit that waited is kept beside the zone's")
    func forget() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for name in ["a.txt", "b.txt", "c.txt", "Note/n.json"] { try laptop.write("{\"n\": 1}\n", to: name) }
            try await converge(laptop, desk)
            try laptop.write("waiting", to: "a.txt")
            try laptop.delete("b.txt")
            try laptop.write("new", to: "d.txt")
            try laptop.close()
            let directory = try StateDirectory.open(in: laptop.folder)
            #expect(try FolderReset.forget(directory) == nil)

            _ = laptop.network.takeBodies(of: "records/modify")
            try laptop.restart()
            try await laptop.sync()
            // The edit that was not agreed on, and the file that the zone still had.
            #expect(laptop.read("a.txt") == "{\"n\": 1}\n" && laptop.read("b.txt") == "{\"n\": 1}\n")
            let copies = try laptop.conflictCopies()
            #expect(copies.count == 1 && copies.first.flatMap(laptop.read) == "waiting")
            let sent = laptop.network.takeBodies(of: "records/modify").joined()
            #expect(sent.contains("d.txt") && !sent.contains("c.txt"), "\(sent)")
            try await converge(laptop, desk)
            #expect(desk.read("d.txt") == "new" && desk.read("a.txt") == "{\"n\": 1}\n")
            try laptop.close()
            try desk.close()
        }
    }

    @Test("A damaged state is put aside, and the folder begins anew")
    func damaged() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write("1", to: "a.txt")
            try await laptop.sync()
            try laptop.close()
            let directory = try StateDirectory.open(in: laptop.folder)
            try EngineDevice.write(String(repeating: "x", count: 5000), to: directory.database)
            let place = try #require(try FolderReset.forget(directory))
            #expect(place.lastComponent?.string == "state.sqlite.damaged")
            try laptop.restart()
            try await laptop.sync()
            try await expectInSync(laptop, with: ["a.txt": "1"])
        }
    }

    @Test("A look at the folder alone tells what waits, and asks nothing of the server")
    func look() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            for name in ["a.txt", "b.txt"] { try laptop.write("1", to: name) }
            try await laptop.sync()
            try laptop.close()
            try laptop.write("2", to: "a.txt")
            try laptop.write("new", to: "c.txt")
            try laptop.delete("b.txt")
            let report = try await FolderLook.report(
                of: try StateDirectory.open(in: laptop.folder), logger: EngineWorld.quiet)
            #expect(report.pending.uploads == 2 && report.pending.deletions == 1)
        }
    }
}
