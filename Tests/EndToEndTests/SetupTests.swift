import Foundation
import Testing

@Suite("Before a folder's files go anywhere")
struct SetupTests {
    /// Runs `init` with a home, without a server that could answer.
    private func initialize(_ folder: String, home: String, _ options: String...) async throws -> RealProgram.Outcome {
        let process = try RunningProgram(
            arguments: [
                "HOME=\(home)", RealProgram.executable.path, "init", folder, "--server", "http://127.0.0.1:1",
                "--container", "iCloud.org.example", "--zone", "Notes", "--api-token", "token",
            ] + options, executable: URL(filePath: "/usr/bin/env"))
        let status = try await process.ended(within: .seconds(60))
        return RealProgram.Outcome(status: status ?? -1, output: process.output, errors: process.errors)
    }

    @Test("A home is taken only with --yes, by whichever link it is named, and so is a directory of the system")
    func homes() async throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "zf-home-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        let home = place.appending(path: "homes/ada")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        let link = place.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: home)
        for (folder, kind) in [
            (home.path, "your whole home"), (link.path, "your whole home"), (link.path + "/.", "your whole home"),
            (home.deletingLastPathComponent().path, "what holds your whole home"), ("/", "the whole system"),
            ("/etc", "a directory of the system"), ("/usr/bin", "a directory of the system"),
        ] {
            let outcome = try await initialize(folder, home: link.path)
            #expect(outcome.status == 2, "\(folder): \(outcome.errors)")
            #expect(outcome.errors.contains("is \(kind)"), "\(outcome.errors)")
            #expect(outcome.errors.contains("--yes"))
        }
        // With the word it comes as far as the server, and so does a folder in the home without.
        for words in [[home.path, "--yes"], [home.path + "/Notes"]] {
            let outcome = try await initialize(words[0], home: home.path, words.count > 1 ? "--yes" : "--no-browser")
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("http://127.0.0.1:1 did not answer"), "\(outcome.errors)")
        }
    }

    @Test("`init` and `start` say how many files and bytes will go; once they went, `start` says nothing of them")
    func firstUpload() async throws {
        let world = try await RealWorld()
        let folder = RealFolder(url: world.place.appending(path: "laptop"))
        try folder.write(String(repeating: "a", count: 1500), to: "a.txt")
        try folder.write(String(repeating: "b", count: 500), to: "sub/b.txt")
        try folder.write("left out by a rule of the person", to: "sub/c.log")
        try folder.write("left out by a built-in rule", to: "sub/d.txt~")
        try folder.write("*.log\n", to: ".zonefolderignore")
        let said = "3 files, 2.0 kB, go to the zone 'Notes' of \(RealWorld.container)"
        let initialized = try await world.initialize(folder)
        #expect(initialized.status == 0)
        #expect(initialized.errors.contains(said), "\(initialized.errors)")

        let first = try await RealProgram.run("start", folder.path)
        #expect(first.status == 0)
        #expect(first.errors.contains(said), "\(first.errors)")
        #expect(try await folder.settledVerdict() == "in-sync")
        #expect(try await RealProgram.run("stop", folder.path).status == 0)
        let second = try await RealProgram.run("start", folder.path)
        #expect(second.status == 0)
        #expect(!second.errors.contains("go to the zone"), "\(second.errors)")
        #expect(try await RealProgram.run("stop", folder.path).status == 0)
        let again = try await RealProgram.run("init", folder.path)
        #expect(again.status == 78 && again.errors.contains("is set up already"), "\(again)")
        #expect(again.errors.contains("zonefolder remove \(folder.path)"), "\(again)")
    }
}
