import Testing

@Suite("Downloads that are altered on their way", .timeLimit(.minutes(30)))
struct AlteredDownloadTests {
    @Test("Wrong bytes of the right length never show: the files are named until the right ones come (invariant 26)")
    func wrongBytes() async throws {
        let world = try await RealWorld(faults: true)
        let (laptop, desk) = try await world.pair(files: 2)
        try await world.fail(
            rules: #"[{"match": {"operation": "assets/download"}, "fault": {"kind": "wrongBytes"}}]"#)
        try laptop.write("changed\n", to: "f0.txt")
        try laptop.write("new\n", to: "new.bin")
        try laptop.write(#"{"n": 1, "pic": {"$asset": "a.jpg"}}"#, to: "Note/n.json")
        try laptop.write("picture", to: "Note/a.jpg")
        try await laptop.sync()

        let old = try desk.contents()
        #expect(try await RealProgram.run("sync", desk.path).status == 4)
        #expect(try desk.contents() == old)
        let daemon = try desk.run()
        try await desk.untilDaemonAnswers(daemon)
        #expect(try await desk.settledVerdict() == "attention")
        let report = try await desk.report()
        #expect(report.held.map(\.path) == ["Note/n.json", "f0.txt", "new.bin"], "\(report)")
        #expect(report.held.allSatisfy { $0.code == "wrongBytes" && !$0.remedy.isEmpty }, "\(report)")
        #expect(report.held.first?.message.hasPrefix("Note/a.jpg is not received: the SHA-256") == true, "\(report)")
        #expect(try desk.contents() == old)

        try await world.stopFailing()
        try await desk.sync()
        #expect(try desk.contents() == laptop.contents())
        #expect(try await desk.settledVerdict() == "in-sync")
    }
}
