import FolderControl
import FolderWriting
import Foundation
import LocalFolder
import StateStorage
import SyncModel
import SystemPackage
import Testing

@testable import SyncEngine

/// exFAT, vfat and most shares: `cap.txt` is given to whoever asks for `Cap.txt`.
@Suite("A disk that takes names in upper and lower case for one", .timeLimit(.minutes(30)))
struct CaseBlindDiskTests {
    @Test("Of two files of the zone the second waits, named; neither gets the bytes of the other, nor goes with it")
    func two() async throws {
        try await CrashWorld.run { world in
            let (stick, desk) = (try world.device("stick"), try world.device("desk"))
            let disk = WatchedDisk(of: stick.folder)
            disk.takeNamesInAnyCase()
            try desk.write("first", to: "docs/Cap.txt")
            try await desk.sync()
            let (session, store) = try stick.start(disk: disk)
            await session.settle()
            try desk.write("second", to: "docs/cap.txt")
            try await desk.sync()
            await session.settle()
            let report = try await session.report(daemon: nil, watch: nil)
            #expect(report.held.map(\.code) == ["pathBlocked"], "\(report.held)")
            #expect(report.held[0].message.contains("docs/cap.txt cannot be written"), "\(report.held)")
            #expect(report.held[0].message.contains("docs/Cap.txt is there"), "\(report.held)")
            #expect(stick.files() == ["docs/Cap.txt"] && stick.read("docs/Cap.txt") == "first")

            for (path, text) in [("docs/Cap.txt", "FIRST"), ("docs/cap.txt", "SECOND")] {
                try desk.write(text, to: path)
            }
            try await desk.sync()
            await session.settle()
            #expect(stick.read("docs/Cap.txt") == "FIRST")
            try stick.write("edited", to: "docs/Cap.txt")
            await session.settle()
            try await desk.sync()
            #expect(desk.read("docs/Cap.txt") == "edited" && desk.read("docs/cap.txt") == "SECOND")

            try desk.delete("docs/Cap.txt")
            try await desk.sync()
            await session.settle()
            #expect(stick.files() == ["docs/cap.txt"] && stick.read("docs/cap.txt") == "SECOND")
            #expect(try await session.report(daemon: nil, watch: nil).verdict == .inSync)
            #expect(desk.files() == ["docs/cap.txt"])
            try store.close()
        }
    }

    @Test("Nor does what is in a directory: one that differs in case is another one")
    func directories() async throws {
        try await CrashWorld.run { world in
            let (stick, desk) = (try world.device("stick"), try world.device("desk"))
            let disk = WatchedDisk(of: stick.folder)
            disk.takeNamesInAnyCase()
            try desk.write("equal", to: "Photos/c.txt")
            try desk.write("upper", to: "Photos/b.txt")
            try await desk.sync()
            let (session, store) = try stick.start(disk: disk)
            await session.settle()
            for (name, text) in [("c.txt", "equal"), ("b.txt", "lower"), ("z.txt", "new")] {
                try desk.write(text, to: "photos/\(name)")
            }
            try await desk.sync()
            await session.settle()
            let report = try await session.report(daemon: nil, watch: nil)
            #expect(report.held.count == 3 && report.held.allSatisfy { $0.message.contains("and Photos is there") })
            #expect(stick.files() == ["Photos/b.txt", "Photos/c.txt"] && stick.read("Photos/b.txt") == "upper")
            for name in ["c.txt", "b.txt", "z.txt"] { try desk.delete("photos/\(name)") }
            try await desk.sync()
            for _ in 0..<2 {
                await session.settle()
                try await desk.sync()
            }
            #expect(stick.files() == ["Photos/b.txt", "Photos/c.txt"] && desk.files() == stick.files())
            #expect(try await session.report(daemon: nil, watch: nil).verdict == .inSync)
            try store.close()
        }
    }

    @Test("Once a person gives the first another name, the second comes")
    func renamed() async throws {
        try await CrashWorld.run { world in
            let (stick, desk) = (try world.device("stick"), try world.device("desk"))
            let disk = WatchedDisk(of: stick.folder)
            disk.takeNamesInAnyCase()
            try desk.write("first", to: "Cap.txt")
            try desk.write("second", to: "cap.txt")
            try await desk.sync()
            let (session, store) = try stick.start(disk: disk)
            await session.settle()
            #expect(stick.files().count == 1)
            let first = try #require(stick.files().first)
            try stick.move(first, to: "other.txt")
            await session.settle()
            #expect(try await session.report(daemon: nil, watch: nil).verdict == .inSync)
            try await desk.sync()
            #expect(Set(stick.files()) == Set(desk.files()) && stick.files().count == 2)
            for file in desk.files() { #expect(stick.read(file) == desk.read(file)) }
            try store.close()
        }
    }

    @Test("A file whose name changes in case alone is one file on both sides", arguments: [true, false])
    func onlyCase(isOnStick: Bool) async throws {
        try await CrashWorld.run { world in
            let (stick, desk) = (try world.device("stick"), try world.device("desk"))
            let disk = WatchedDisk(of: stick.folder)
            disk.takeNamesInAnyCase()
            try desk.write("text", to: "readme.md")
            try await desk.sync()
            let (session, store) = try stick.start(disk: disk)
            await session.settle()
            try (isOnStick ? stick : desk).move("readme.md", to: "README.md")
            for _ in 0..<2 {
                await session.settle()
                try await desk.sync()
            }
            #expect(stick.files() == ["README.md"] && desk.files() == ["README.md"])
            #expect(stick.read("README.md") == "text" && desk.read("README.md") == "text")
            let report = try await session.report(daemon: nil, watch: nil)
            #expect(report.verdict == .inSync && report.records == 1, "\(report.held)")
            try store.close()
        }
    }

    @Test("Names that the disk tells apart are two: no letter stands for two others")
    func sharpS() async throws {
        try await CrashWorld.run { world in
            let (stick, desk) = (try world.device("stick"), try world.device("desk"))
            let disk = WatchedDisk(of: stick.folder)
            disk.takeNamesInAnyCase()
            let files: Set = ["Masse/a", "Maße/b", "MASSE.txt", "maße.txt"]
            for file in files { try desk.write(file, to: file) }
            try await desk.sync()
            let (session, store) = try stick.start(disk: disk)
            await session.settle()
            let report = try await session.report(daemon: nil, watch: nil)
            #expect(report.verdict == .inSync, "\(report.held)")
            #expect(stick.files() == files)
            #expect(stick.read("Maße/b") == "Maße/b")
            try store.close()
        }
    }

    @Test("A directory is listed once for all that a batch writes below it, and known with what that made in it")
    func listings() throws {
        let place = FilePath(NSTemporaryDirectory()).appending("zf-engine-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            atPath: place.appending(".zonefolder").string, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place.string) }
        let disk = WatchedDisk(of: place)
        disk.takeNamesInAnyCase()
        let root = try FolderRoot(opening: place, on: disk)
        let writer = try FolderWriter(root: root, device: "stick") { 1_800_000_000_000_000_000 }
        let (batch, before) = (WriteBatch(), disk.listings)
        for number in 0..<50 {
            let path = try #require(FolderPath("Directory \(number)/f"))
            let outcome = try writer.create(path, writer.stage(Array("text".utf8)), batch: batch)
            guard case .done = outcome else { return #expect(Bool(false), "\(outcome)") }
        }
        let (other, made) = (try #require(FolderPath("directory 7/g")), try #require(FolderPath("Directory 7")))
        #expect(
            try writer.create(other, writer.stage(Array("text".utf8)), batch: batch) == .blocked(.otherCase(made)))
        #expect(disk.listings - before < 5, "\(disk.listings - before)")
        try batch.finish()
    }
}
