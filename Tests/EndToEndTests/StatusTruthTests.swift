import Foundation
import Testing

@Suite("The truth of status", .timeLimit(.minutes(30)))
struct StatusTruthTests {
    /// How many edits are made; a soak sets it in the environment.
    private static let rounds = ProcessInfo.processInfo.environment["ZONEFOLDER_ROUNDS"].flatMap { Int($0) } ?? 60

    @Test("Right after a save, status never says `in-sync` before the server has answered the upload (invariant 20)")
    func neverTooEarly() async throws {
        let world = try await RealWorld()
        let proxy = try await RecordingProxy(to: world.url)
        let folder = try await world.addFolder("laptop", server: proxy.url)
        let daemon = try folder.run()
        try await folder.untilDaemonAnswers(daemon)
        var inSync = 0
        for number in 0..<Self.rounds {
            // An edit of a file, a new file, and one in a directory that is new as well.
            let place = ["Note/same.json", "Note/\(number).json", "Note/\(number)/deep/er.json"][number % 3]
            let value = 7_000_000 + number
            let mark = proxy.mark
            try folder.write(#"{"value": \#(value)}"#, to: place)
            for _ in 0..<2 {
                guard try await folder.report().verdict == "in-sync" else { continue }
                inSync += 1
                let isAnswered = proxy.exchanges(since: mark).contains {
                    $0.operation == "records/modify" && $0.answer != nil && $0.text.contains("\(value)")
                }
                #expect(isAnswered, "in sync, it said, before \(place) was sent in round \(number)")
            }
        }
        print("asked \(2 * Self.rounds) times after \(Self.rounds) saves: \(inSync) times in-sync")
        #expect(try await folder.settledVerdict() == "in-sync")
        // The plain question, too, has its good answer in the end.
        var verdict = ""
        for _ in 0..<500 where verdict != "in-sync" { verdict = try await folder.report().verdict }
        #expect(verdict == "in-sync")
        #expect(daemon.isRunning)
    }

    @Test("While the server is away, a saved file is never called in sync, and `plan` has it")
    func offline() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("laptop")
        try folder.write(#"{"value": 1}"#, to: "Note/a.json")
        let daemon = try folder.run()
        try await folder.untilDaemonAnswers(daemon)
        #expect(try await folder.settledVerdict() == "in-sync")
        #expect(try await world.stopServer() == 0)
        try folder.write(#"{"value": 2}"#, to: "Note/a.json")
        for _ in 0..<20 { #expect(try await folder.report().verdict != "in-sync") }
        let plan = try await RealProgram.run("plan", folder.path)
        #expect(plan.output == "update-record Note/a.json\n")
        // Asked at once: what was saved is looked at before the answer.
        for number in 0..<5 {
            try folder.write(#"{"value": \#(100 + number)}"#, to: "Note/new/\(number).json")
            let plan = try await RealProgram.run("plan", folder.path)
            #expect(plan.output.contains("create-record Note/new/\(number).json\n"), "\(plan.output)\(plan.errors)")
        }
        try folder.delete("Note/a.json")
        #expect(try await RealProgram.run("plan", folder.path).output.contains("delete-record Note/a.json"))
        #expect(daemon.isRunning)
    }

    @Test("After a first daemon that was killed, status still tells when the whole folder was looked at")
    func killed() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("laptop")
        let daemon = try folder.run()
        try await folder.untilDaemonAnswers(daemon)
        // The second answer comes after the cycle that the first one ended.
        for _ in 0..<2 { #expect(try await folder.settledVerdict() == "in-sync") }
        daemon.kill()
        _ = try await daemon.ended(within: .seconds(60))
        let text = try await RealProgram.run("status", folder.path).output
        #expect(text.contains("looked") && !text.contains("never at the whole folder"), "\(text)")
    }
}
