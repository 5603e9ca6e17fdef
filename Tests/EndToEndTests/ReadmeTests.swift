import Foundation
import Testing

@Suite("The README's commands", .timeLimit(.minutes(30)))
struct ReadmeTests {
    @Test("Typed one after the other as they stand there, each does what the README says")
    func typed() async throws {
        let home = try Home()
        defer { home.leave() }
        let lines = try Self.lines()
        #expect(lines.count > 10)
        var link = ""
        for line in lines {
            let outcome = try await home.type(line.replacing("LINK", with: link))
            let works = outcome.status == 0 || outcome.status == 6 && line.contains("doctor")
            try #require(works, "\(line): \(outcome)")
            switch line {
            case "zonefolder serve invite":
                link = String(outcome.output.prefix { $0 != "\n" })
            case "zonefolder init ~/Notes 'LINK' --start":
                // What the pages talk of.
                try home.write(#"{"title": "groceries"}"#, to: "Note/groceries.json")
                try home.write("the plans", to: "plans.pdf")
                try await home.settle()
                try home.write(#"{"title": "groceries", "rank": 1}"#, to: "Note/groceries.json")
                try home.remove("plans.pdf")
                try await home.settle()
            case "zonefolder history ~/Notes/plans.pdf":
                #expect(outcome.output.contains("plans.pdf"), "\(outcome)")
            case "zonefolder diff ~/Notes/Note/groceries.json":
                #expect(outcome.output.contains("+{\"title\": \"groceries\", \"rank\": 1}"), "\(outcome)")
            case "zonefolder restore ~/Notes/plans.pdf":
                #expect(home.read("plans.pdf") == "the plans")
            case "zonefolder pause ~/Notes --for 1h":
                #expect(try await home.type("zonefolder status ~/Notes").output.hasPrefix("paused"))
            default: break
            }
        }
        try await home.settle()
        let removed = try await home.type("zonefolder remove ~/Notes --yes")
        #expect(removed.status == 0 && home.read("plans.pdf") == "the plans", "\(removed)")
        #expect(try await home.type("zonefolder status ~/Notes").status == 78)
    }

    /// The indented lines that begin with the program's name.
    private static func lines() throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
            .split(separator: "\n").filter { $0.hasPrefix("    zonefolder ") }.map { String($0.dropFirst(4)) }
    }

    /// A person with a home of their own, in which a server runs and the program is on the path.
    private final class Home {
        private let place: URL
        private var server: RunningProgram?

        init() throws {
            place = FileManager.default.temporaryDirectory.appending(path: "zf-home-\(UUID().uuidString)")
            let bin = place.appending(path: "bin")
            try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                at: bin.appending(path: "zonefolder"), withDestinationURL: RealProgram.executable)
        }

        /// Runs a line in a shell; a server goes on running.
        func type(_ line: String) async throws -> RealProgram.Outcome {
            guard line != "zonefolder serve" else {
                // Any port, since others test here, too.
                let server = try shell("exec \(line) --listen 127.0.0.1:0")
                self.server = server
                return RealProgram.Outcome(status: 0, output: try await server.firstLine(), errors: "")
            }
            let process = try shell(line)
            let status = try await process.ended(within: .seconds(120))
            return RealProgram.Outcome(status: status ?? -1, output: process.output, errors: process.errors)
        }

        /// Waits until the folder and its zone are the same.
        func settle() async throws {
            let outcome = try await type("zonefolder status ~/Notes --wait=60")
            try #require(outcome.status == 0, "\(outcome)")
        }

        func write(_ text: String, to name: String) throws {
            let file = place.appending(path: "Notes/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }

        func read(_ name: String) -> String? {
            try? String(contentsOf: place.appending(path: "Notes/\(name)"), encoding: .utf8)
        }

        func remove(_ name: String) throws {
            try FileManager.default.removeItem(at: place.appending(path: "Notes/\(name)"))
        }

        func leave() {
            server?.terminate()
            try? FileManager.default.removeItem(at: place)
        }

        private func shell(_ line: String) throws -> RunningProgram {
            try RunningProgram(
                arguments: [
                    "-u", "XDG_STATE_HOME", "-u", "XDG_DATA_HOME", "HOME=\(place.path)",
                    "PATH=\(place.path)/bin:/usr/bin:/bin", "/bin/bash", "-c", line,
                ], directory: place.path, executable: URL(filePath: "/usr/bin/env"))
        }
    }
}
