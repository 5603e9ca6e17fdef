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
        for line in ["daemon_up{folder=\"\(folder.path)\"} 1", "records{folder=\"\(folder.path)\"} 1"] {
            #expect(up.output.contains("\nzonefolder_\(line)\n"), "\(up.output)")
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
}
