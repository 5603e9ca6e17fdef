import Foundation
import Testing

@Suite("What stands in a file's place, as a person sees it", .timeLimit(.minutes(30)))
struct ObstacleTests {
    @Test(
        "A link where a synced file was: status says so with exit 4, and the other device's edit comes once it is gone")
    func link() async throws {
        let world = try await HeldWorld()
        let (laptop, desk) = (world.laptop, world.desk)
        try await world.share("one\n", as: "notes.txt")
        try await world.share("other\n", as: "other.txt")
        try laptop.delete("notes.txt")
        try FileManager.default.createSymbolicLink(
            atPath: laptop.path + "/notes.txt", withDestinationPath: "other.txt")
        let held = try await world.held("notes.txt")
        #expect(held.message == "notes.txt is a symbolic link, where a file is synced.")
        #expect(held.remedy.contains("take away what is there"))
        for path in [laptop.path, laptop.path + "/notes.txt"] {
            let answer = try await RealProgram.run("status", path, "--wait=60")
            #expect(answer.status == 4 && answer.output.hasPrefix("attention: notes.txt is a symbolic link"))
        }
        try desk.write("two\n", to: "notes.txt")
        #expect(try await RealProgram.run("status", desk.path, "--wait=60").status == 0)
        #expect(try await RealProgram.run("status", laptop.path, "--wait=60").status == 4)
        #expect(desk.read("notes.txt") == "two\n" && laptop.read("other.txt") == "other\n")

        try laptop.delete("notes.txt")
        #expect(try await eventually { laptop.read("notes.txt") == "two\n" })
        try await world.untilInSync(laptop)
    }

    @Test("Asked for a link, or for what is named below one, status answers for the link itself and follows none")
    func statusOfALink() async throws {
        let world = try await HeldWorld()
        let laptop = world.laptop
        try await world.share("one\n", as: "docs/t.txt")
        for (link, target) in [("sf.txt", "docs/t.txt"), ("below", "docs"), ("out", "/tmp")] {
            try FileManager.default.createSymbolicLink(
                atPath: laptop.path + "/" + link, withDestinationPath: target)
        }
        for (path, link) in [("sf.txt", "sf.txt"), ("below/t.txt", "below"), ("out", "out"), ("out/x", "out")] {
            let answer = try await RealProgram.run("status", laptop.path + "/" + path, "--wait=60")
            #expect(
                answer.status == 4
                    && answer.output.hasPrefix("not-synced: \(link) is a symbolic link and is not synced."),
                "\(path): \(answer.output)")
        }
        let answer = try await RealProgram.run("status", "sf.txt", in: laptop.path)
        #expect(answer.output.contains("sf.txt is a symbolic link and is not synced."))
        // A link that is the folder's own name leads to it.
        let name = world.world.place.path + "/name"
        try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: laptop.path)
        #expect(try await RealProgram.run("status", name, "--wait=60").output.contains("folder     \(laptop.path)"))
        let file = try await RealProgram.run("status", name + "/docs/t.txt", "--wait=60")
        #expect(file.status == 0 && file.output.hasPrefix("in-sync: docs/t.txt is the same on both sides."))
    }
}
