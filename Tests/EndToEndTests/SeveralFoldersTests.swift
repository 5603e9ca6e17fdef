import Foundation
import Testing

@Suite("Several folders in one daemon", .timeLimit(.minutes(30)))
struct SeveralFoldersTests {
    private static let zones = ["Notes", "Tasks", "Cards"]

    /// Saves a record in a zone, as another device does.
    private static func save(_ title: String, in zone: String, _ client: ForeignClient) async throws {
        try await client.post(
            "records/modify",
            """
            {"zoneID": {"zoneName": "\(zone)"}, "operations": [{"operationType": "forceReplace", "record": {
                "recordName": "Note/there", "recordType": "Note", "fields": {"title": {"value": "\(title)"}}}}]}
            """)
    }

    private static func folders(_ world: RealWorld, server: String? = nil) async throws -> [RealFolder] {
        var folders: [RealFolder] = []
        for zone in zones {
            let folder = try await world.addFolder(zone, server: server, zone: zone)
            try folder.set("poll_seconds", to: "600")
            folders.append(folder)
        }
        return folders
    }

    @Test(
        "One courier listens for all; an edit in one zone fetches that zone, and asks the database once at most (S0.12, S0.13)"
    )
    func requests() async throws {
        let world = try await RealWorld()
        let proxy = try await RecordingProxy(to: world.url)
        let folders = try await Self.folders(world, server: proxy.url)
        let daemon = try RunningProgram(arguments: ["run"] + folders.map(\.path))
        for folder in folders {
            try await folder.untilDaemonAnswers(daemon)
            #expect(try await folder.settledVerdict() == "in-sync")
        }
        let client = try await ForeignClient(world)
        for round in 1...3 {
            let mark = proxy.mark
            try await Self.save("round \(round)", in: "Tasks", client)
            let text = "\"round \(round)\""
            #expect(try await eventually { folders[1].read("Note/there.json")?.contains(text) == true })
            let said = proxy.exchanges(since: mark)
            #expect(said.count { $0.operation == "changes/database" } <= 1, "\(said)")
            let fetches = said.filter { $0.operation == "changes/zone" }.map {
                String(decoding: $0.body, as: UTF8.self)
            }
            #expect(!fetches.isEmpty && fetches.allSatisfy { $0.contains("Tasks") }, "\(fetches)")
        }
        #expect(proxy.exchanges.count { $0.operation == "tokens/create" } == 1)
        #expect(Set(proxy.exchanges.filter { $0.target.hasPrefix("/courier/") }.map(\.target)).count == 1)
        for folder in [folders[0], folders[2]] { #expect(folder.read("Note/there.json") == nil) }
        daemon.terminate()
        #expect(try await daemon.ended(within: .seconds(120)) == 0)
    }

    @Test(
        "A folder that is signed out hands the listening to another one, and one that cannot be opened stops none (S1.8)"
    )
    func failures() async throws {
        let world = try await RealWorld()
        let folders = try await Self.folders(world)
        let broken = try await world.addFolder("broken", zone: "Broken")
        try Data("zone = ".utf8).write(to: broken.url.appending(path: ".zonefolder/config.toml"))
        let daemon = try RunningProgram(arguments: ["run", broken.path] + folders.map(\.path))
        for folder in folders {
            try await folder.untilDaemonAnswers(daemon)
            #expect(try await folder.settledVerdict() == "in-sync")
        }
        #expect(daemon.errors.contains(broken.path))
        // Signed out one after the other, until the last one listens.
        let client = try await ForeignClient(world)
        for (number, folder) in folders.enumerated() {
            for listening in folders[number...] {
                let zone = listening.url.lastPathComponent
                try await Self.save("\(number)", in: zone, client)
                let isThere = try await eventually {
                    listening.read("Note/there.json")?.contains("\"\(number)\"") == true
                }
                #expect(isThere, "\(zone) in round \(number): \(daemon.errors)")
            }
            let outcome = try await RealProgram.run("logout", folder.path)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(daemon.isRunning)
    }

    @Test("start takes several folders, and names the one that cannot be synced")
    func start() async throws {
        let world = try await RealWorld()
        let folders = try await Self.folders(world)
        let broken = try await world.addFolder("broken", zone: "Broken")
        try Data("zone = ".utf8).write(to: broken.url.appending(path: ".zonefolder/config.toml"))
        let outcome = try await RealProgram.run(
            arguments: ["start"] + folders.map(\.path) + [broken.path, folders[0].path])
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains(broken.path))
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 3 && Set(lines.map { $0.split(separator: " ")[1] }).count == 1, "\(outcome.output)")
        for folder in folders { #expect(try await folder.settledVerdict() == "in-sync") }
        let again = try await RealProgram.run("start", folders[1].path)
        #expect(again.status == 0 && again.output.contains("already"), "\(again.output)")
        let stopped = try await RealProgram.run("stop", folders[2].path)
        #expect(stopped.status == 0, "\(stopped)")
        #expect(folders.allSatisfy { stopped.output.contains($0.path) }, "\(stopped)")
        for folder in folders { #expect(try await RealProgram.run("status", folder.path).status == 5) }
    }
    @Test("pause, resume, status and stop take several folders, and go on after the one that they fail for")
    func several() async throws {
        let world = try await RealWorld()
        let folders = try await Self.folders(world)
        let none = folders[0].url.deletingLastPathComponent().appending(path: "none").path
        #expect(try await RealProgram.run(arguments: ["start"] + folders.map(\.path)).status == 0)
        for (command, verdict) in [("pause", "paused"), ("resume", "in-sync")] {
            let outcome = try await RealProgram.run(arguments: [command, folders[0].path, none, folders[1].path])
            #expect(outcome.status == 78 && outcome.errors.contains(none), "\(outcome)")
            for folder in folders.prefix(2) { #expect(outcome.output.contains(folder.path), "\(outcome)") }
            for (index, folder) in folders.enumerated() {
                #expect(try await folder.settledVerdict() == (index < 2 ? verdict : "in-sync"), "\(command)")
            }
        }
        let listed = try await RealProgram.run("status", folders[0].path, folders[2].path, "--wait")
        #expect(listed.status == 0 && listed.output.split(separator: "\n").count == 2, "\(listed)")
        #expect([0, 2].allSatisfy { listed.output.contains("in-sync    \(folders[$0].path)") }, "\(listed)")
        let inside = try await RealProgram.run("status", folders[0].path + "/a.txt", folders[1].path)
        #expect(inside.status == 2 && inside.errors.contains("each has to be a folder"), "\(inside)")
        // One daemon syncs them all: of those that are named, each is told of once.
        let stopped = try await RealProgram.run("stop", folders[0].path, folders[1].path)
        #expect(stopped.status == 0, "\(stopped)")
        let lines = stopped.output.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "\(folders[0].path) is stopped: nothing is synced until `zonefolder start`.",
                "\(folders[1].path) is stopped: nothing is synced until `zonefolder start`.",
                "So is what the same daemon synced: \(folders[2].path).", "→ zonefolder start \(folders[2].path)",
            ])
        let again = try await RealProgram.run("stop", folders[0].path, folders[1].path)
        #expect(again.status == 5 && folders.prefix(2).allSatisfy { again.errors.contains($0.path) }, "\(again)")
    }
}
