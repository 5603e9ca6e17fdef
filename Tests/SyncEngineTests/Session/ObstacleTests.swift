import FolderControl
import Foundation
import StateStorage
import SystemPackage
import Testing

/// Something else stands where a file of both sides was: both differ, and nobody deleted anything (reliability §6).
@Suite("What stands in a file's place", .timeLimit(.minutes(30)))
struct ObstacleTests {
    enum Obstacle: String, CaseIterable, Sendable {
        case link, danglingLink, fifo, socket, directory

        func put(at name: String, of device: EngineDevice) throws {
            let path = device.folder.appending(name).string
            switch self {
            case .link: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "other.txt")
            case .danglingLink: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "no")
            case .fifo: guard mkfifo(path, 0o600) == 0 else { throw Errno(rawValue: errno) }
            case .socket: guard mknod(path, S_IFSOCK | 0o600, 0) == 0 else { throw Errno(rawValue: errno) }
            case .directory: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            }
        }
    }

    @Test(
        "a link or pipe in a synced file's place: \"up to date\" while both differ",
        arguments: Obstacle.allCases, [false, true])
    func inPlace(_ obstacle: Obstacle, isRestarted: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["a.txt": "one", "other.txt": "other"])
            try laptop.delete("a.txt")
            try obstacle.put(at: "a.txt", of: laptop)
            if isRestarted { try laptop.restart() }
            try await converge(laptop, desk)
            #expect(desk.read("a.txt") == "one")
            let report = try await laptop.report()
            #expect(report.verdict == .attention)
            #expect(report.verdict.exitCode(isRunning: true, needsApproval: report.approval != nil) == 4)
            let held = try #require(report.held.first { $0.path == "a.txt" }, "\(report.held)")
            #expect(report.held.count == 1 && held.code == "pathBlocked" && report.reason == held.message)
            #expect(held.message.contains("a.txt is a") && held.remedy.contains("take away what is there"))

            try desk.write("two", to: "a.txt")
            try await converge(laptop, desk)
            #expect(try await laptop.report().verdict == .attention)
            #expect(desk.read("a.txt") == "two")
            #expect(laptop.read("other.txt") == "other")

            try laptop.delete("a.txt")
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: ["a.txt": "two", "other.txt": "other"])
        }
    }

    @Test("A file that is put back goes on as an edit; what is taken away without one counts as a deletion")
    func ended() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["a.txt": "one", "b.txt": "one", "c.txt": "one"])
            for name in ["a.txt", "b.txt"] {
                try laptop.delete(name)
                try Obstacle.link.put(at: name, of: laptop)
            }
            try await converge(laptop, desk)
            #expect(try desk.files().count == 3)
            for name in ["a.txt", "b.txt"] { try laptop.delete(name) }
            try laptop.write("mine", to: "a.txt")
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: ["a.txt": "mine", "c.txt": "one"])
        }
    }

    @Test("A link in the place of a directory: nothing below it is deleted, and all goes on once it is gone")
    func above() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(
                with: ["docs/a.txt": "one", "docs/deep/b.txt": "one", "c.txt": "one"])
            let (docs, elsewhere) = (laptop.folder.appending("docs").string, world.place.appending("docs").string)
            try FileManager.default.moveItem(atPath: docs, toPath: elsewhere)
            try FileManager.default.createSymbolicLink(atPath: docs, withDestinationPath: elsewhere)
            try desk.write("two", to: "docs/a.txt")
            try desk.write("new", to: "docs/new.txt")
            try await converge(laptop, desk)
            let report = try await laptop.report()
            #expect(report.verdict == .attention && report.approval == nil)
            #expect(report.held.map(\.path) == ["docs"] && report.reason.contains("docs is a symbolic link"))
            #expect(report.narrowed(to: "docs/a.txt", steps: []).verdict == .attention)
            #expect(try desk.files().count == 4)
            #expect(FileManager.default.contents(atPath: elsewhere + "/a.txt") == Data("one".utf8))

            try laptop.delete("docs")
            try FileManager.default.moveItem(atPath: elsewhere, toPath: docs)
            try await converge(laptop, desk)
            try await expectInSync(
                laptop, desk,
                with: ["docs/a.txt": "two", "docs/deep/b.txt": "one", "docs/new.txt": "new", "c.txt": "one"])
        }
    }

    @Test("What was renamed, and left a link in its old place, keeps its record and is in sync")
    func renamed() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["a.txt": "one", "docs/b.txt": "two", "c.txt": "three"])
            try laptop.move("a.txt", to: "new.txt")
            try laptop.move("docs", to: "papers")
            for (name, target) in [("a.txt", "new.txt"), ("docs", "papers")] {
                try FileManager.default.createSymbolicLink(
                    atPath: laptop.folder.appending(name).string, withDestinationPath: target)
            }
            _ = laptop.takeChanges()
            try await converge(laptop, desk)
            #expect(!laptop.takeChanges().contains("upload"))
            #expect(try await laptop.report().verdict == .inSync)
            #expect(try desk.files() == ["new.txt": "one", "papers/b.txt": "two", "c.txt": "three"])
            #expect(try world.zone().deletions == 0)
        }
    }

    @Test(
        "What was renamed, and left a pipe or a socket in its old place, is sent all the same",
        arguments: [Obstacle.fifo, .socket])
    func renamedBesidePipe(_ obstacle: Obstacle) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["a.txt": "one", "b.txt": "two"])
            try laptop.move("a.txt", to: "new.txt")
            try obstacle.put(at: "a.txt", of: laptop)
            try laptop.write("two, edited", to: "b.txt")
            try await converge(laptop, desk)
            #expect(try await laptop.report().verdict == .inSync)
            #expect(try desk.files() == ["new.txt": "one", "b.txt": "two, edited"])
        }
    }

    @Test("Where an asset was: nothing of the record is lost, and an edit of it waits and then comes")
    func asset() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(
                with: ["Note/a.json": #"{"pic": {"$asset": "a.png"}}"#, "Note/a.png": "one", "other.txt": "other"])
            try laptop.delete("Note/a.png")
            try Obstacle.link.put(at: "Note/a.png", of: laptop)
            try await converge(laptop, desk)
            #expect(try await laptop.report().held.map(\.path).contains("Note/a.png"))
            #expect(try await laptop.report().verdict == .attention)
            #expect(desk.read("Note/a.png") == "one")
            try desk.write("two", to: "Note/a.png")
            try await converge(laptop, desk)
            #expect(try await laptop.report().verdict == .attention)
            #expect(desk.read("Note/a.png") == "two")
            try laptop.delete("Note/a.png")
            try await converge(laptop, desk)
            #expect(laptop.read("Note/a.png") == "two")
            #expect(try await laptop.report().verdict == .inSync)
            #expect(try await desk.report().verdict == .inSync)
        }
    }

    @Test(
        "A record that comes to where something else stands waits for that, and is told of",
        arguments: Obstacle.allCases.filter { $0 != .directory })
    func newRecord(_ obstacle: Obstacle) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["other.txt": "other"])
            try obstacle.put(at: "a.txt", of: laptop)
            try await converge(laptop, desk)
            #expect(try await laptop.report().verdict == .inSync)
            try desk.write("one", to: "a.txt")
            try await desk.sync()
            await laptop.settle()
            let report = try await laptop.report()
            #expect(report.verdict == .attention)
            #expect(report.held.map(\.path) == ["a.txt"] && report.held.map(\.code) == ["pathBlocked"])
            try laptop.delete("a.txt")
            // At once, not when a while has passed.
            await laptop.settle()
            try await expectInSync(laptop, desk, with: ["a.txt": "one", "other.txt": "other"])
        }
    }

    @Test("A record that comes to where nothing but an empty directory is takes its place")
    func emptyDirectory() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["other.txt": "other"])
            try Obstacle.directory.put(at: "a.txt", of: laptop)
            try await converge(laptop, desk)
            try desk.write("one", to: "a.txt")
            try await converge(desk, laptop)
            try await expectInSync(laptop, desk, with: ["a.txt": "one", "other.txt": "other"])
        }
    }

    @Test("A file that a person makes a directory of, with files in it, is deleted as ever")
    func directoryOfFiles() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["a": "one", "other.txt": "other", "third.txt": "third"])
            try laptop.delete("a")
            try Obstacle.directory.put(at: "a", of: laptop)
            try await converge(laptop, desk)
            #expect(try await laptop.report().verdict == .attention)
            try laptop.write("below", to: "a/b")
            try await converge(laptop, desk)
            try await expectInSync(
                laptop, desk, with: ["a/b": "below", "other.txt": "other", "third.txt": "third"])
        }
    }
}
