import Foundation
import Testing

@Suite("What a daemon tells programs", .timeLimit(.minutes(30)))
struct MetricsTests {
    @Test("`metrics` has what its daemon counts, and `on_attention` runs once where the folder needs a person")
    func told() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("notes")
        let said = world.place.appending(path: "said")
        let command = "echo $ZONEFOLDER_VERDICT: $ZONEFOLDER_MESSAGE in $ZONEFOLDER_FOLDER >>'\(said.path)'; exit 3"
        let set = try await RealProgram.run("config", "set", "on_attention", command, folder.path)
        #expect(set.status == 0, "\(set)")
        let down = try await RealProgram.run("metrics", folder.path)
        #expect(down.status == 5 && down.output.contains("zonefolder_daemon_up{folder=\"\(folder.path)\"} 0\n"))

        try folder.write(#"{"text": "hello"}"#, to: "Note/a.json")
        #expect(try await RealProgram.run("start", folder.path).status == 0)
        #expect(try await folder.settledVerdict() == "in-sync")
        let up = try await RealProgram.run("metrics", folder.path)
        #expect(up.status == 0 && up.errors.isEmpty, "\(up)")
        for (name, value) in [("daemon_up", 1), ("records", 1), ("sent_files_total", 1), ("received_files_total", 0)] {
            #expect(up.output.contains("\nzonefolder_\(name){folder=\"\(folder.path)\"} \(value)\n"), "\(up.output)")
        }
        #expect(!up.output.contains("outcome=\"done\"} 0"), "\(up.output)")
        #expect(!FileManager.default.fileExists(atPath: said.path))

        // A record's file that is broken waits for a person; that the command fails stops nobody.
        try folder.write(#"{"text": "#, to: "Note/a.json")
        #expect(try await eventually { FileManager.default.fileExists(atPath: said.path) })
        let text = try String(contentsOf: said, encoding: .utf8)
        #expect(text.hasPrefix("attention: ") && text.hasSuffix(" in \(folder.path)\n"), "\(text)")
        try folder.write(#"{"text": "mended"}"#, to: "Note/a.json")
        #expect(try await folder.settledVerdict() == "in-sync")
        #expect(try String(contentsOf: said, encoding: .utf8) == text)
        #expect(try await RealProgram.run("stop", folder.path).status == 0)
    }

    @Test("A daemon that hangs, and a folder that is none, are named; the other folders' lines are there")
    func hung() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = (try await world.addFolder("laptop"), try await world.addFolder("desk"))
        let daemons = [try laptop.run(), try desk.run()]
        for (folder, daemon) in zip([laptop, desk], daemons) {
            try await folder.untilDaemonAnswers(daemon)
            #expect(try await folder.settledVerdict() == "in-sync")
        }
        try laptop.write("text", to: "a.txt")
        #expect(try await eventually { desk.read("a.txt") == "text" })
        daemons[0].freeze()
        let outcome = try await RealProgram.run("metrics", laptop.path, desk.path, "--timeout", "1")
        daemons[0].thaw()
        #expect(outcome.status == 1, "\(outcome)")
        #expect(outcome.errors.hasPrefix("zonefolder: \(laptop.path): The daemon at "), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.errors.contains("SIGSTOP"))
        for (folder, up) in [(desk, 1), (laptop, 0)] {
            #expect(outcome.output.contains("\nzonefolder_daemon_up{folder=\"\(folder.path)\"} \(up)\n"))
        }
        #expect(outcome.output.contains("_received_files_total{folder=\"\(desk.path)\"} 1\n"), "\(outcome.output)")
        #expect(!outcome.output.contains("_verdict{folder=\"\(laptop.path)\""))

        let nowhere = world.place.appending(path: "nowhere").path
        let missing = try await RealProgram.run("metrics", nowhere, desk.path)
        #expect(missing.status == 78 && missing.errors.contains(nowhere), "\(missing)")
        #expect(missing.output.contains("_received_files_total{folder=\"\(desk.path)\"} 1\n"))
        let slip = try await RealProgram.run("metrics", desk.path, "--timeout", "0")
        #expect(slip.status == 2 && slip.output.isEmpty && slip.errors.contains("--timeout"), "\(slip)")
        for daemon in daemons { daemon.terminate() }
        for daemon in daemons { #expect(try await daemon.ended(within: .seconds(120)) == 0) }
    }
}
