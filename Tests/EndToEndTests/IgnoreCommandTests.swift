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
}
