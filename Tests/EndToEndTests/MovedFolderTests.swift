import Foundation
import Testing

@Suite("A folder that is moved while its daemon runs", .timeLimit(.minutes(10)))
struct MovedFolderTests {
    @Test("A start at the new place puts it right, and what was saved meanwhile goes on")
    func story() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        try laptop.write("1", to: "a.txt")
        #expect(try await RealProgram.run("start", laptop.path).status == 0)
        #expect(try await laptop.settledVerdict() == "in-sync")

        let moved = RealFolder(url: laptop.url.deletingLastPathComponent().appending(path: "moved"))
        try FileManager.default.moveItem(at: laptop.url, to: moved.url)
        try moved.write("2", to: "a.txt")
        let told = try await RealProgram.run("status", moved.path)
        #expect(told.status == 4 && told.output.contains("was moved here from \(laptop.path)"), "\(told)")
        #expect(told.output.contains("zonefolder start \(moved.path)"), "\(told)")
        let start = try await RealProgram.run("start", moved.path)
        #expect(start.status == 0 && start.errors.contains("was moved here from \(laptop.path)"), "\(start)")
        #expect(start.output.contains("syncs \(moved.path)"), "\(start)")
        #expect(try await moved.settledVerdict() == "in-sync")
        let again = try await RealProgram.run("start", moved.path)
        #expect(again.status == 0 && again.output.contains("already syncs \(moved.path)"), "\(again)")
        #expect(!FileManager.default.fileExists(atPath: laptop.path))
        #expect(try moved.copies().isEmpty)
        #expect(try await RealProgram.run("stop", moved.path).status == 0)
    }
}
