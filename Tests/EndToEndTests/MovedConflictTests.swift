import Foundation
import Testing

@Suite("Conflicts whose files are renamed, and copies of a folder in itself", .timeLimit(.minutes(30)))
struct MovedConflictTests {
    @Test("An open conflict follows its file when the other device renames that, and is settled at the new path")
    func renamedThere() async throws {
        let pair = try await RealPair()
        try await pair.share("before\n", as: "a.txt")
        try await pair.apart(.stopped) { laptop, desk in
            try laptop.write("laptop's\n", to: "a.txt")
            try desk.write("desk's\n", to: "a.txt")
        }
        let isDesk = try pair.laptop.copies().isEmpty
        let (loser, winner) = isDesk ? (pair.desk, pair.laptop) : (pair.laptop, pair.desk)
        let own = isDesk ? "desk's\n" : "laptop's\n"
        try FileManager.default.moveItem(atPath: winner.path + "/a.txt", toPath: winner.path + "/moved.txt")
        #expect(try await eventually { loser.read("moved.txt") != nil && loser.read("a.txt") == nil })
        _ = try await loser.settledVerdict()

        let shown = try await RealProgram.run("conflicts", loser.path)
        #expect(shown.status == 4 && shown.output.contains("  moved.txt\n"), "\(shown)")
        #expect(!shown.output.contains("(not there)") && shown.output.contains("zonefolder resolve moved.txt"))
        #expect(try await RealProgram.run("status", loser.path + "/moved.txt").status == 4)
        let before = try await RealProgram.run("resolve", loser.path + "/a.txt", "--mine")
        #expect(before.status == 1 && loser.read("a.txt") == nil, "\(before)")

        let resolved = try await RealProgram.run("resolve", loser.path + "/moved.txt", "--mine")
        #expect(resolved.status == 0, "\(resolved)")
        #expect(
            try await eventually {
                [loser, winner].allSatisfy { $0.read("moved.txt") == own && $0.read("a.txt") == nil }
            }
        )
        #expect(try loser.copies().isEmpty)
        #expect(try await RealProgram.run("conflicts", loser.path).status == 0)
    }

    @Test("Files in a copy of a folder in itself are asked about as all others; the copy can be forgotten, not started")
    func copyInItself() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("laptop")
        try folder.write("top\n", to: "top.txt")
        #expect(try await RealProgram.run("sync", folder.path).status == 0)
        let (aside, copy) = (world.place.appending(path: "aside"), folder.url.appending(path: "bak"))
        try FileManager.default.copyItem(at: folder.url, to: aside)
        try FileManager.default.moveItem(at: aside, to: copy)
        let daemon = try folder.run()
        try await folder.untilDaemonAnswers(daemon)
        #expect(try await folder.settledVerdict() == "in-sync")

        let file = try await RealProgram.run("status", copy.path + "/top.txt")
        #expect(file.status == 0 && file.output.contains("is the same on both sides"), "\(file)")
        #expect(try await RealProgram.run("status", in: copy.path).status == 0)
        let events = try await RealProgram.run("events", copy.path + "/top.txt")
        #expect(events.output.contains("bak/top.txt"), "\(events)")
        for command in ["start", "pause"] {
            let refused = try await RealProgram.run(command, copy.path)
            #expect(refused.status != 0 && refused.errors.contains("which is synced already"), "\(command): \(refused)")
        }
        let removed = try await RealProgram.run("remove", "--yes", copy.path)
        #expect(removed.status == 0, "\(removed)")
        #expect(folder.read("bak/top.txt") == "top\n")
        #expect(!FileManager.default.fileExists(atPath: copy.path + "/.zonefolder"))
        #expect(try await folder.settledVerdict() == "in-sync")
        #expect(daemon.isRunning)
    }
}
