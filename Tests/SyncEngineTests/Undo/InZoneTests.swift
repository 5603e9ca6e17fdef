import FolderHistory
import FolderSettings
import SyncModel
import Testing

@testable import SyncEngine

@Suite("Which files have their last bytes in the zone alone", .timeLimit(.minutes(30)))
struct InZoneTests {
    @Test("A synced copy of a file that is gone is another one; a rename, and a new copy in its stead, is the file")
    func copies() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            let directory = try StateDirectory.open(in: laptop.folder)
            func onlyInZone() throws -> Set<FolderPath> {
                try KeptVersions(of: directory, atOrBelow: nil).onlyInZone(atOrBelow: nil)
            }
            for name in ["gone.txt", "copy.txt", "moved.txt"] { try laptop.write("same", to: name) }
            try laptop.write("other", to: "saved.txt")
            try await laptop.sync()
            #expect(try onlyInZone().isEmpty)

            _ = try await laptop.session.pause(for: nil)
            try laptop.write("other", to: "new.txt")
            try laptop.move("moved.txt", to: "elsewhere.txt")
            for name in ["gone.txt", "saved.txt"] { try laptop.delete(name) }
            await laptop.look()
            #expect(try onlyInZone() == [FolderPath("gone.txt")!])

            _ = try await laptop.session.resume()
            try await laptop.sync()
            #expect(try onlyInZone().isEmpty)
            try laptop.close()
        }
    }
}
