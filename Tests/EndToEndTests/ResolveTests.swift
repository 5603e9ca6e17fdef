import Foundation
import Testing

@Suite("Settling conflicts", .timeLimit(.minutes(30)))
struct ResolveTests {
    /// Two versions of a record that collide in `a`; `b` collides with nothing.
    private static func collide(_ pair: RealPair) async throws -> (loser: RealFolder, copy: String) {
        try await pair.share(#"{"a": 1, "b": 1}"#, as: "Note/one.json")
        try await pair.apart(.stopped) { laptop, desk in
            try laptop.write(#"{"a": 10, "b": 10}"#, to: "Note/one.json")
            try desk.write(#"{"a": 20, "b": 1}"#, to: "Note/one.json")
        }
        let copies = try [pair.laptop.copies(), pair.desk.copies()]
        try #require(copies[0].count + copies[1].count == 1, "\(copies)")
        return copies[0].isEmpty ? (pair.desk, copies[1][0]) : (pair.laptop, copies[0][0])
    }

    private static func settled(_ pair: RealPair, _ loser: RealFolder, _ copy: String, _ text: String) async throws {
        let arrived = try await eventually {
            pair.laptop.read("Note/one.json") == text && pair.desk.read("Note/one.json") == text
        }
        #expect(arrived, "\(pair.laptop.read("Note/one.json") ?? "") \(pair.desk.read("Note/one.json") ?? "")")
        for folder in [pair.laptop, pair.desk] {
            #expect(try folder.copies().isEmpty)
            #expect(try await folder.settledVerdict() == "in-sync")
            #expect(try await RealProgram.run("conflicts", folder.path).status == 0)
        }
        let kept = FileManager.default.enumerator(atPath: loser.path + "/.zonefolder/history")?.contains {
            ($0 as? String)?.hasSuffix(copy) == true
        }
        #expect(kept == true, "the copy is in the history")
    }

    @Test(
        "Whichever version is said to stand stands on both devices, in the fields that collided; the conflict is gone",
        arguments: ["--mine", "--theirs"])
    func stands(choice: String) async throws {
        let pair = try await RealPair()
        let (loser, copy) = try await Self.collide(pair)
        let shown = try await RealProgram.run("conflicts", loser.path)
        #expect(shown.status == 4)
        let statuses: [(String, Int32)] = [("/Note/one.json", 4), ("/Note", 4), ("/Note/on", 1), ("/Other", 1)]
        for (path, status) in statuses {
            let narrowed = try await RealProgram.run("conflicts", loser.path + path)
            #expect(narrowed.status == status && narrowed.output.isEmpty == (status == 1), "\(path): \(narrowed)")
        }
        let row = shown.output.split(separator: "\n").first { $0.hasPrefix("  a ") } ?? ""
        #expect(row.contains("10") && row.contains("20"), "\(shown.output)")
        #expect(
            shown.output.contains("on \(loser.url.lastPathComponent)") && shown.output.contains("zonefolder resolve"))
        #expect(
            shown.output.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.contains("cd /") }, "\(shown.output)")
        let (own, theirs) = loser.url == pair.laptop.url ? ("10", "20") : ("20", "10")

        let resolved = try await RealProgram.run("resolve", loser.path + "/Note/one.json", choice, "--json")
        #expect(
            resolved.status == 0 && resolved.output.contains("\"stands\" : \"\(choice.dropFirst(2))\""), "\(resolved)")
        try await Self.settled(
            pair, loser, copy, #"{"a": \#(choice == "--mine" ? own : theirs), "b": 10}"#)
    }

    @Test("What a person makes of both stands on both devices; where the editor changes nothing, the conflict stays")
    func edited() async throws {
        let pair = try await RealPair()
        let (loser, copy) = try await Self.collide(pair)
        func edit(_ editor: String) async throws -> RealProgram.Outcome {
            let process = try RunningProgram(
                arguments: [
                    "VISUAL=", "EDITOR=\(editor)", RealProgram.executable.path, "resolve", loser.path + "/" + copy,
                    "--edit",
                ], executable: URL(filePath: "/usr/bin/env"))
            let status = try await process.ended(within: .seconds(60))
            return RealProgram.Outcome(status: status ?? -1, output: process.output, errors: process.errors)
        }
        for (editor, status, said) in [
            ("true", 4, "--theirs"), ("false", 1, "editor"), ("", 2, "EDITOR"), ("sed -i s/.*/{/", 2, "is no JSON"),
        ] as [(String, Int32, String)] {
            let outcome = try await edit(editor)
            #expect(outcome.status == status && outcome.errors.contains(said), "\(editor): \(outcome)")
            #expect(try loser.copies() == [copy])
        }
        let outcome = try await edit("sed -i -e s/.a.:\\ .0/\\\"a\\\":\\ 30/")
        #expect(outcome.status == 0 && outcome.output.contains("what you made of both stands"), "\(outcome)")
        try await Self.settled(pair, loser, copy, #"{"a": 30, "b": 10}"#)
    }

    @Test("Without a daemon a conflict is settled, too; a path without one and a wrong word change nothing")
    func stopped() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("laptop")
        try folder.write("the file's\n", to: "a.txt")
        try folder.write("the copy's\n", to: "a.conflict-20260115T101112Z-laptop.txt")
        #expect(try await RealProgram.run("sync", folder.path).status == 4)
        for (words, status, said) in [
            (["b.txt", "--mine"], 1, "has no conflict"), (["a.txt"], 2, "--mine"),
            (["a.txt", "--mine", "--theirs"], 2, "once"), (["--mine"], 2, "--all"),
            (["a.txt", "--merged", "nothing"], 1, "nothing"), (["a.txt", "--all", "--edit"], 2, "--all goes with"),
        ] as [([String], Int32, String)] {
            let outcome = try await RealProgram.run(arguments: ["resolve"] + words, in: folder.path)
            #expect(outcome.status == status && outcome.errors.contains(said), "\(words): \(outcome)")
            #expect(outcome.output.isEmpty && folder.read("a.txt") == "the file's\n")
        }
        let settled = try await RealProgram.run("resolve", "--all", "--mine", in: folder.path)
        #expect(settled.status == 0 && settled.output == "a.txt is settled: your version stands.\n", "\(settled)")
        #expect(folder.read("a.txt") == "the copy's\n")
        #expect(try folder.copies().isEmpty)
        let history = try await RealProgram.run("history", in: folder.path)
        let lines = history.output.split(separator: "\n")
        #expect(lines.count == 2 && lines.count { $0.contains(" changed here ") && $0.hasSuffix(" a.txt") } == 1)
        #expect(lines.count { $0.contains(" deleted here ") && $0.contains(".conflict-") } == 1, "\(history)")
        #expect(try await RealProgram.run("sync", folder.path).status == 0)
    }
}
