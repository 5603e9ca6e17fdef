import Foundation
import Testing

/// A note's picture is removed, and the note stays: it waits, and no deletion goes out.
@Suite("A picture that a note still names", .timeLimit(.minutes(10)))
struct MissingAssetTests {
    private static let note = #"{"title": "x", "photo": {"$asset": "p.jpg"}}"#

    /// A folder with a note and its picture, in sync, and its daemon.
    private static func folder(_ body: (RealFolder) async throws -> Void) async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        try laptop.write("a picture", to: "Note/p.jpg")
        try laptop.write(Self.note, to: "Note/n.json")
        try laptop.write("a text", to: "t.txt")
        let daemon = try laptop.run()
        try await laptop.untilDaemonAnswers(daemon)
        #expect(try await laptop.settledVerdict() == "in-sync")
        try await body(laptop)
    }

    @Test("status names the way out, and restore brings it from the zone")
    func restored() async throws {
        try await Self.folder { laptop in
            try laptop.delete("Note/p.jpg")
            #expect(try await laptop.settledVerdict() == "attention")
            let status = try await RealProgram.run("status", laptop.path)
            #expect(status.output.contains("zonefolder restore"), "\(status)")
            let restore = try await RealProgram.run("restore", laptop.path + "/Note/p.jpg")
            #expect(restore.status == 0, "\(restore)")
            #expect(restore.output == "Note/p.jpg is back, as the zone has it.\n", "\(restore)")
            #expect(laptop.read("Note/p.jpg") == "a picture")
            #expect(try await laptop.settledVerdict() == "in-sync")
        }
    }

    @Test("It comes with its note, where both were deleted and the deletion waits for a word")
    func withItsNote() async throws {
        try await Self.folder { laptop in
            for name in ["Note/p.jpg", "Note/n.json", "t.txt"] { try laptop.delete(name) }
            #expect(try await laptop.settledVerdict() == "attention")
            let restore = try await RealProgram.run("restore", laptop.path, "--deleted-since", "10m")
            #expect(restore.output.contains("Note/p.jpg is back, as the zone has it."), "\(restore)")
            // The other file is no note, and its deletion still waits.
            #expect(restore.errors.contains("t.txt is in the zone alone"), "\(restore)")
            let reject = try await RealProgram.run("reject", laptop.path)
            #expect(reject.status == 0, "\(reject)")
            #expect(try await laptop.settledVerdict() == "in-sync")
            #expect(laptop.read("Note/p.jpg") == "a picture" && laptop.read("Note/n.json") == Self.note)
            #expect(laptop.read("t.txt") == "a text")
        }
    }

    @Test("Without a daemon restore says that one brings it")
    func withoutDaemon() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        try laptop.write("a picture", to: "Note/p.jpg")
        try laptop.write(Self.note, to: "Note/n.json")
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        try laptop.delete("Note/p.jpg")
        let restore = try await RealProgram.run("restore", laptop.path + "/Note/p.jpg")
        #expect(restore.status == 1 && restore.errors.contains("zonefolder start"), "\(restore)")
    }
}
