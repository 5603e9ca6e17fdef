import Foundation
import Testing

@Suite("The demo", .timeLimit(.minutes(30)))
struct DemoTests {
    @Test("It ends with two folders in sync, says what to do next, and leaves nothing behind")
    func demo() async throws {
        let state = FileManager.default.temporaryDirectory.appending(path: "zf-demo-state-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: state) }
        let process = try RunningProgram(
            arguments: ["XDG_STATE_HOME=\(state.path)", RealProgram.executable.path, "demo"],
            executable: URL(filePath: "/usr/bin/env"))
        let status = try await process.ended(within: .seconds(300))
        let outcome = RealProgram.Outcome(status: status ?? -1, output: process.output, errors: process.errors)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("What to do next:"))
        #expect(try String(contentsOf: state.appending(path: "zonefolder/folders"), encoding: .utf8).isEmpty)
        #expect(outcome.output.components(separatedBy: ": in-sync").count == 3)
        let place = try #require(outcome.output.firstMatch(of: /in (\/\S*zonefolder-demo-\w+)\./)).1
        #expect(!FileManager.default.fileExists(atPath: String(place)))
    }

    @Test(
        "Its first run makes the schema: notes with title, text, date and image, each of its own type (S3.7, S3.13, S4.14)"
    )
    func schema() async throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "zf-demo-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        let outcome = try await RealProgram.run("demo", place.path, limit: .seconds(300))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let schema = try await RealProgram.run(
            "schema", "export", "--data", place.appending(path: "server").path, "--container", "iCloud.zonefolder.demo")
        #expect(schema.status == 0, "\(schema.errors)")
        let words = schema.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for field in ["noteTitle STRING", "noteText STRING", "noteEditedDate TIMESTAMP", "noteImage ASSET"] {
            #expect(words.contains(field), "\(schema.output)")
        }
        #expect(words.contains("RECORD TYPE Note") && words.contains("RECORD TYPE File"))
    }
}
