import Testing

@Suite("A path of which nothing is known", .timeLimit(.minutes(30)))
struct UnknownPathTests {
    private static let commands = [["status"], ["history"], ["events"], ["conflicts"], ["conflicts", "--json"]]

    @Test("It is an error of every command that looks; one that is there, or was, is none")
    func slip() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("laptop")
        for name in ["there.txt", "gone.txt", "dir/a.txt"] { try folder.write("text of \(name)", to: name) }
        let daemon = try folder.run()
        try await folder.untilDaemonAnswers(daemon)
        #expect(try await folder.settledVerdict() == "in-sync")
        try folder.delete("gone.txt")
        #expect(try await folder.settledVerdict() == "in-sync")
        for words in Self.commands {
            for name in ["there.txt", "gone.txt", "dir"] {
                let known = try await RealProgram.run(arguments: words + [folder.path + "/" + name])
                #expect(known.status == 0, "\(words) \(name): \(known)")
            }
            for name in ["ther.txt", "dir/b.txt", "there.txt.bak"] {
                let slip = try await RealProgram.run(arguments: words + [folder.path + "/" + name])
                #expect(slip.status == 1 && slip.output.isEmpty, "\(words) \(name): \(slip)")
                #expect(slip.errors.contains("Nothing is known of \(folder.path)/\(name)"), "\(slip)")
                #expect(slip.errors.contains("See to the spelling"), "\(slip)")
            }
        }
        daemon.terminate()
        #expect(try await daemon.ended(within: .seconds(120)) == 0)
        #expect(try await RealProgram.run("history", folder.path + "/ther.txt").status == 1)
        #expect(try await RealProgram.run("status", folder.path + "/ther.txt").status == 5, "nobody looks")
    }
}
