import FolderControl
import Foundation
import StateStorage
import SystemPackage
import Testing

@testable import FolderSettings

/// One word that can be believed (reliability §4.20). That it can be while things happen, `StatusTruthTests` show.
extension Complaints {
    /// Something that keeps a file from being synced.
    struct Obstacle: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var path: String
        /// What both sides agreed on there before.
        var known: String?
        var verdict = Verdict.attention
        var make: @Sendable (EngineDevice) throws -> Void
        var mend: @Sendable (EngineDevice) throws -> Void
    }

    static let obstacles = [
        Obstacle(
            testDescription: "broken JSON", path: "Note/a.json", known: #"{"title": "old"}"#,
            make: { try $0.write("{\n  \"title\": oops\n}", to: "Note/a.json") },
            mend: { try $0.write(#"{"title": "ok"}"#, to: "Note/a.json") }),
        Obstacle(
            testDescription: "a key twice", path: "Note/b.json", known: #"{"title": 0}"#,
            make: { try $0.write(#"{"title": 1, "title": 2}"#, to: "Note/b.json") },
            mend: { try $0.write(#"{"title": 1}"#, to: "Note/b.json") }),
        Obstacle(
            testDescription: "a file that is named and missing", path: "Note/c.json",
            make: { try $0.write(#"{"picture": {"$asset": "c.png"}}"#, to: "Note/c.json") },
            mend: { try $0.write("png", to: "Note/c.png") }),
        Obstacle(
            testDescription: "larger than the server takes", path: "large.bin",
            make: { try $0.write(String(repeating: "x", count: 2000), to: "large.bin") },
            mend: { try $0.write("x", to: "large.bin") }),
        Obstacle(
            testDescription: "a symbolic link", path: "link", verdict: .inSync,
            make: {
                try FileManager.default.createSymbolicLink(
                    atPath: $0.folder.appending("link").string, withDestinationPath: "good.txt")
            },
            mend: {
                try $0.delete("link")
                try $0.write("own bytes", to: "link")
            }),
        Obstacle(
            testDescription: "a pipe", path: "pipe", verdict: .inSync,
            make: { _ = mkfifo($0.folder.appending("pipe").string, 0o600) },
            mend: {
                try $0.delete("pipe")
                try $0.write("own bytes", to: "pipe")
            }),
    ]

    @Test("nobody can tell whether it is in sync; \"synced\" with files skipped", arguments: obstacles)
    func skipped(_ obstacle: Obstacle) async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop") { $0.assetLimit = 1000 }
            let desk = try world.device("desk")
            // Nothing was looked at yet: nothing is known.
            #expect(try await laptop.report().verdict == .unknown)
            if let known = obstacle.known {
                try laptop.write(known, to: obstacle.path)
                try await converge(laptop, desk)
            }
            try laptop.write("good", to: "good.txt")
            try obstacle.make(laptop)
            try await converge(laptop, desk)
            #expect(desk.read("good.txt") == "good")
            let report = try await laptop.report()
            #expect(report.verdict == obstacle.verdict)
            let held = try #require(report.held.first { $0.path == obstacle.path }, "\(report.held)")
            #expect(held.message.contains(obstacle.path))
            #expect(!held.remedy.isEmpty)
            #expect(report.held.count == 1)

            // It is said again after a restart, and unsaid once it is mended, which nobody needs to tell.
            try laptop.restart()
            try await laptop.sync()
            #expect(try await laptop.report().held == report.held)
            try obstacle.mend(laptop)
            try await converge(laptop, desk)
            #expect(try await laptop.report().verdict == .inSync)
            #expect(try await laptop.report().held.isEmpty)
            #expect(desk.read(obstacle.path) == laptop.read(obstacle.path))

            // Without the server it is not in sync, whatever was the case before.
            laptop.network.decide { _ in .lostOnTheWay }
            await laptop.settle()
            #expect(try await laptop.report().verdict == .offline)
        }
    }
}
