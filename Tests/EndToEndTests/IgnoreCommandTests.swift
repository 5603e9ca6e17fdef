import Foundation
import Testing

@Suite("Asking after ignore rules", .timeLimit(.minutes(30)))
struct IgnoreCommandTests {
    @Test("`ignore` names the rule that decides, and its exit status tells left out, not left out, and no answer apart")
    func asked() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("laptop")
        try folder.write("build/\n*.log\n!keep.log\n", to: ".zonefolderignore")
        try folder.write("x", to: "build/a.txt")

        let above = try await RealProgram.run("ignore", folder.path + "/build/a.txt")
        #expect(above.status == 0)
        #expect(
            above.output.contains("line 1 of .zonefolderignore: build/, which fits build above it"), "\(above.output)")
        let kept = try await RealProgram.run("ignore", "keep.log", "--json", in: folder.path)
        #expect(kept.status == 1)
        for part in [#""isIgnored" : false"#, #""line" : 3"#, #""pattern" : "!keep.log""#] {
            #expect(kept.output.contains(part), "\(kept.output)")
        }
        #expect(try await RealProgram.run("ignore", "none/build/", in: folder.path).status == 0)

        for (words, status, named) in [
            ([], 2, "<path>"), ([folder.path], 2, folder.path), (["/etc/hosts"], 78, "/etc/hosts"),
        ] as [([String], Int32, String)] {
            let outcome = try await RealProgram.run(arguments: ["ignore"] + words)
            #expect(outcome.status == status && outcome.output.isEmpty, "\(words): \(outcome.output)")
            #expect(outcome.errors.contains(named), "\(words): \(outcome.errors)")
        }
        try folder.delete(".zonefolderignore")
        try folder.write("x", to: ".zonefolderignore/x")
        let unreadable = try await RealProgram.run("ignore", "a", in: folder.path)
        #expect(unreadable.status == 6 && unreadable.errors.contains(".zonefolderignore"), "\(unreadable.errors)")
    }

    @Test("Of a left-out directory that is gone here, `status` says that the zone has it, and `ignore` names the rule")
    func goneDirectory() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("laptop")
        for name in ["X/f3", "X/f4", "a.txt"] { try folder.write("x", to: name) }
        #expect(try await RealProgram.run("start", folder.path).status == 0)
        #expect(try await folder.settledVerdict() == "in-sync")
        try folder.write("X/\n", to: ".zonefolderignore")
        #expect(try await folder.settledVerdict() == "in-sync")
        try FileManager.default.removeItem(at: folder.url.appending(path: "X"))
        #expect(try await folder.settledVerdict() == "in-sync")
        let status = try await RealProgram.run("status", folder.path + "/X")
        #expect(status.status == 4 && status.output.hasPrefix("not-synced: What the zone has of X is not"), "\(status)")
        #expect(status.output.contains("as a rule leaves it out: X/."), "\(status)")
        let file = try await RealProgram.run("status", folder.path + "/X/f3")
        #expect(file.status == 4 && file.output.hasPrefix("not-synced"), "\(file)")
        let ignore = try await RealProgram.run("ignore", folder.path + "/X")
        #expect(ignore.status == 1, "\(ignore)")
        #expect(ignore.output.contains("A directory of that name is left out by line 1"), "\(ignore)")
        // Where the zone has nothing of it, there is nothing.
        #expect(try await RealProgram.run("status", folder.path + "/Y").status == 1)
        #expect(try await RealProgram.run("stop", folder.path).status == 0)
    }

    @Test("A folder of which a line leaves out every file is in sync, and `status` and `sync` say what that means")
    func everything() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("laptop")
        try folder.write("*\n", to: ".zonefolderignore")
        try folder.write("x", to: "a.txt")
        for command in ["sync", "status"] {
            let told = try await RealProgram.run(command, folder.path)
            #expect(told.output.contains("No file here is synced but .zonefolderignore"), "\(told)")
            #expect(command == "status" || told.status == 0 && told.output.hasPrefix("in-sync"), "\(told)")
        }
        #expect(try await RealProgram.run("status", folder.path, "--json").output.contains(#""allLeftOut""#))
        try folder.write("*\n!a.txt\n", to: ".zonefolderignore")
        let some = try await RealProgram.run("sync", folder.path)
        #expect(some.status == 0 && !some.output.contains("No file here is synced"), "\(some)")
    }
}
