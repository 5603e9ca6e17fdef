import Foundation
import Testing

@Suite("Changing the configuration", .timeLimit(.minutes(10)))
struct ConfigTests {
    @Test("Settings are shown, changed with their comments kept, and taken over by the daemon that runs")
    func story() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let daemon = try laptop.run()
        try await laptop.untilDaemonAnswers(daemon)
        try laptop.write("1", to: "a.txt")
        #expect(try await laptop.settledVerdict() == "in-sync")
        let file = laptop.path + "/.zonefolder/config.toml"
        let original = try String(contentsOfFile: file, encoding: .utf8)

        // Shown.
        let list = try await RealProgram.run("config", "list", laptop.path)
        #expect(list.status == 0 && list.output.contains("zone = \"Notes\"\n"), "\(list)")
        #expect(list.output.contains("history_days = 30  # default\n") && list.output.contains("# owner is not set\n"))
        #expect(try await RealProgram.run("config", "get", "zone", laptop.path).output == "Notes\n")
        let json = try await RealProgram.run("config", "get", "history_days", laptop.path, "--json")
        #expect(json.output.contains("\"value\" : 30") && json.output.contains("\"isDefault\" : true"))

        // A question is answered without a word of changes.
        for (key, status) in [("types.Note.default_asset", 1), ("histroy_days", 2)] as [(String, Int32)] {
            let asked = try await RealProgram.run("config", "get", key, laptop.path)
            #expect(asked.status == status && asked.errors.contains("'\(key)'"), "\(asked)")
            #expect(!asked.errors.contains("Nothing was changed"), "\(asked)")
        }

        // What is none changes nothing.
        for (arguments, word) in [
            (["set", "history_day", "5"], "'history_days'"), (["set", "history_days", "0"], "1 to 36500"),
            (["set", "history_days", "week"], "whole number"), (["unset", "zone"], "missing"),
            (["get", "histroy_days"], "'history_days'"),
        ] {
            let wrong = try await RealProgram.run(arguments: ["config"] + arguments + [laptop.path])
            #expect(wrong.status == 2 && wrong.errors.contains(word) && wrong.output.isEmpty, "\(wrong)")
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == original)

        // Changed, in the same process.
        let process = daemon.pid
        let set = try await RealProgram.run("config", "set", "asset_limit_bytes", "10", laptop.path)
        #expect(set.status == 0 && set.output.contains("Process \(process) goes by it."), "\(set)\(daemon.errors)")
        #expect(
            try String(contentsOfFile: file, encoding: .utf8)
                == original.replacing("asset_limit_bytes = 52428800", with: "asset_limit_bytes = 10"))
        try laptop.write(String(repeating: "x", count: 20), to: "large.txt")
        let held = try await RealProgram.run("status", laptop.path, "--wait=60")
        #expect(held.status == 4 && held.output.contains("large.txt"), "\(held)")
        #expect(try await RealProgram.run("config", "unset", "asset_limit_bytes", laptop.path).status == 0)
        #expect(try await laptop.settledVerdict() == "in-sync")
        #expect(daemon.isRunning)

        // A wrong file is named with its line, and the daemon goes on by the former.
        try (original + "polling = 5\n").write(toFile: file, atomically: true, encoding: .utf8)
        let check = try await RealProgram.run("config", "check", laptop.path)
        #expect(check.status == 78 && check.errors.contains("'merge.polling' (line "), "\(check)")
        #expect(try await RealProgram.run("config", "reload", laptop.path).status == 78)
        #expect(try await laptop.settledVerdict() == "in-sync")
        try original.write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try await RealProgram.run("config", "check", laptop.path).status == 0)

        // An editor.
        let edited = try await Self.edit(laptop, "s/^poll_seconds.*/poll_seconds=9/")
        #expect(edited.status == 0 && edited.output.contains("goes by it"), "\(edited)")
        #expect(try await RealProgram.run("config", "get", "poll_seconds", laptop.path).output == "9\n")
        let policy = try await RealProgram.run("config", "set", "merge.types.File", "local", laptop.path)
        #expect(policy.status == 0 && policy.errors.contains("the zone's version stands in any case"), "\(policy)")
        let broken = try await Self.edit(laptop, "s/^poll_seconds.*/poll_seconds=0/")
        #expect(broken.status == 78 && broken.errors.contains("config.toml.draft"), "\(broken)")
        #expect(try await RealProgram.run("config", "get", "poll_seconds", laptop.path).output == "9\n")
    }

    /// `config edit` with an editor that changes the file by itself.
    private static func edit(_ folder: RealFolder, _ script: String) async throws -> RealProgram.Outcome {
        let program = try RunningProgram(
            arguments: [
                "VISUAL=", "EDITOR=sed -i \(script)", RealProgram.executable.path, "config", "edit", folder.path,
            ],
            executable: URL(filePath: "/usr/bin/env"))
        let status = try await program.ended(within: .seconds(120))
        return RealProgram.Outcome(status: status ?? -1, output: program.output, errors: program.errors)
    }

    @Test("Another name of the same server is taken over without a question; another zone or server is asked about")
    func server() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let daemon = try laptop.run()
        try await laptop.untilDaemonAnswers(daemon)
        try laptop.write("1", to: "a.txt")
        #expect(try await laptop.settledVerdict() == "in-sync")
        let name = world.url.replacing("127.0.0.1", with: "localhost")
        let renamed = try await RealProgram.run("config", "set", "server", name, laptop.path)
        #expect(renamed.status == 0 && renamed.output.contains("goes by it"), "\(renamed)")
        try laptop.write("2", to: "a.txt")
        #expect(try await laptop.settledVerdict() == "in-sync")

        let silent = try await RealProgram.run("config", "set", "server", "http://127.0.0.1:1", laptop.path)
        #expect(silent.status == 1 && silent.errors.contains("Nothing was changed"), "\(silent)")
        let zone = try await RealProgram.run("config", "set", "zone", "Other", laptop.path)
        #expect(zone.status == 7 && zone.errors.contains("--yes"), "\(zone)")
        #expect(try await laptop.settledVerdict() == "in-sync")
        #expect(try await RealProgram.run("config", "set", "zone", "Other", laptop.path, "--yes").status == 0)
        #expect(try await laptop.settledVerdict() == "attention")
        #expect(laptop.read("a.txt") == "2")
        #expect(try await RealProgram.run("stop", laptop.path).status == 0)
    }
}
