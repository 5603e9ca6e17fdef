import FolderControl
import Foundation
import StateStorage
import SystemPackage
import Testing

@testable import SyncEngine

@Suite("Renames in case alone, on a disk that takes names in upper and lower case for one", .timeLimit(.minutes(30)))
struct CaseBlindRenameTests {
    /// A stick and a desk that have the same files; the desk changes some and sends that, and the stick takes it in.
    private func change(
        _ files: [String], renamingPlainly: Bool = false,
        onStick: (CrashDevice, WatchedDisk) throws -> Void = { _, _ in },
        onDesk: (CrashDevice) throws -> Void, then: (CrashDevice, CrashDevice, FolderSession) async throws -> Void
    ) async throws {
        try await CrashWorld.run { world in
            let (stick, desk) = (try world.device("stick"), try world.device("desk"))
            let disk = WatchedDisk(of: stick.folder)
            disk.takeNamesInAnyCase()
            if renamingPlainly { disk.renamePlainly() }
            for file in files { try desk.write(file, to: file) }
            try await desk.sync()
            let (session, store) = try stick.start(disk: disk)
            await session.settle()
            #expect(stick.files() == Set(files))
            try onDesk(desk)
            try await desk.sync()
            try onStick(stick, disk)
            await session.settle()
            try await then(stick, desk, session)
            try store.close()
        }
    }

    private static let photos = ["Photos/a.jpg", "Photos/b.jpg", "Photos/Deep/c.jpg"]

    @Test(
        "A directory that is renamed so elsewhere is renamed here, with all that is in it and that only this folder has",
        arguments: [false, true])
    func directory(isPlain: Bool) async throws {
        try await change(
            Self.photos, renamingPlainly: isPlain,
            onStick: { stick, _ in
                try stick.write("edited here", to: "Photos/b.jpg")
                try stick.write("new", to: "Photos/new.jpg")
                try stick.write("left out", to: "Photos/Deep/c.jpg~")
            },
            onDesk: { desk in
                try desk.move("Photos", to: "photos")
                try desk.move("photos/Deep", to: "photos/deep")
                try desk.write("edited there", to: "photos/a.jpg")
            },
            then: { stick, desk, session in
                for _ in 0..<2 {
                    try await desk.sync()
                    await session.settle()
                }
                let report = try await session.report(daemon: nil, watch: nil)
                #expect(report.verdict == .inSync && report.records == 4, "\(report.held)")
                let files: Set = ["photos/a.jpg", "photos/b.jpg", "photos/deep/c.jpg", "photos/new.jpg"]
                #expect(desk.files() == files && stick.files() == files.union(["photos/deep/c.jpg~"]))
                for device in [stick, desk] {
                    #expect(device.read("photos/a.jpg") == "edited there", "\(device.name)")
                    #expect(device.read("photos/b.jpg") == "edited here", "\(device.name)")
                    #expect(device.read("photos/deep/c.jpg") == "Photos/Deep/c.jpg", "\(device.name)")
                }
                let staging = stick.folder.appending(".zonefolder/staging").string
                #expect(try FileManager.default.contentsOfDirectory(atPath: staging).isEmpty)
            })
    }

    @Test("As long as the zone has both, a directory keeps its name, and what stays in it", arguments: [false, true])
    func both(isDeletedThen: Bool) async throws {
        try await change(
            Self.photos,
            onDesk: { desk in
                try desk.write("new", to: "photos/x")
                try desk.move("Photos/a.jpg", to: "photos/a.jpg")
            },
            then: { stick, desk, session in
                var report = try await session.report(daemon: nil, watch: nil)
                #expect(report.held.count == 2, "\(report.held)")
                #expect(report.held.allSatisfy { $0.message.contains("and Photos is there") }, "\(report.held)")
                #expect(stick.files() == Set(Self.photos))
                try await desk.sync()
                #expect(desk.files() == ["Photos/b.jpg", "Photos/Deep/c.jpg", "photos/a.jpg", "photos/x"])

                for file in ["b.jpg", "Deep/c.jpg"] {
                    if isDeletedThen {
                        try desk.delete("Photos/\(file)")
                    } else {
                        try FileManager.default.createDirectory(
                            atPath: desk.folder.appending("photos/Deep").string, withIntermediateDirectories: true)
                        try desk.move("Photos/\(file)", to: "photos/\(file)")
                    }
                }
                for _ in 0..<3 {
                    try await desk.sync()
                    await session.settle()
                }
                report = try await session.report(daemon: nil, watch: nil)
                #expect(report.verdict == .inSync, "\(report.held)")
                #expect(stick.files() == desk.files() && stick.read("photos/a.jpg") == "Photos/a.jpg")
                #expect(stick.files().count == (isDeletedThen ? 2 : 4), "\(stick.files())")
            })
    }

    @Test("A file that is deleted there in the same moment is not kept by the rename of its directory")
    func deleted() async throws {
        try await change(
            Self.photos,
            onDesk: { desk in
                try desk.move("Photos", to: "photos")
                try desk.delete("photos/b.jpg")
            },
            then: { stick, desk, session in
                for _ in 0..<2 {
                    try await desk.sync()
                    await session.settle()
                }
                #expect(try await session.report(daemon: nil, watch: nil).verdict == .inSync)
                #expect(stick.files() == ["photos/a.jpg", "photos/Deep/c.jpg"] && desk.files() == stick.files())
            })
    }

    @Test("A crash between the two renames loses nothing, and the rename is made after the start")
    func crashed() async throws {
        try await CrashWorld.run { world in
            let (stick, desk) = (try world.device("stick"), try world.device("desk"))
            let disk = WatchedDisk(of: stick.folder)
            disk.takeNamesInAnyCase()
            for file in Self.photos { try desk.write("equal", to: file) }
            try await desk.sync()
            try await stick.sync(on: disk)
            try desk.move("Photos", to: "photos")
            try await desk.sync()
            try stick.write("new", to: "Photos/new.jpg")
            disk.afterPlacing("renamed-") { disk.crash() }
            // Nothing of what a process would see that lives on is sent.
            try await stick.syncUntilKilled(at: "records/modify", on: disk)
            #expect(!stick.files().contains { $0.lowercased().hasPrefix("photos") }, "\(stick.files())")

            let next = WatchedDisk(of: stick.folder)
            next.takeNamesInAnyCase()
            let (session, store) = try stick.start(disk: next)
            #expect(stick.files().contains("Photos/new.jpg") && stick.files().contains("Photos/a.jpg"))
            for _ in 0..<2 {
                await session.settle()
                try await desk.sync()
            }
            #expect(try await session.report(daemon: nil, watch: nil).verdict == .inSync)
            let files: Set = ["photos/a.jpg", "photos/b.jpg", "photos/Deep/c.jpg", "photos/new.jpg"]
            #expect(stick.files() == files && desk.files() == files)
            try store.close()
        }
    }

    @Test("Who makes a directory of that name in this very moment keeps it, and all files are in it in the end")
    func madeBetween() async throws {
        try await change(
            Self.photos,
            onStick: { stick, disk in
                let directory = stick.folder.appending("Photos")
                disk.afterPlacing("renamed-") {
                    try? FileManager.default.createDirectory(
                        atPath: directory.string, withIntermediateDirectories: false)
                    try? Data("own".utf8).write(to: URL(filePath: directory.appending("own.txt").string))
                }
            },
            onDesk: { try $0.move("Photos", to: "photos") },
            then: { stick, desk, session in
                for _ in 0..<2 {
                    try await desk.sync()
                    await session.settle()
                }
                #expect(try await session.report(daemon: nil, watch: nil).verdict == .inSync)
                let files: Set = ["photos/a.jpg", "photos/b.jpg", "photos/Deep/c.jpg", "photos/own.txt"]
                #expect(stick.files() == files && desk.files() == files, "\(stick.files())")
            })
    }

    @Test("Files that swap their names, each in other letters, do so here")
    func swapped() async throws {
        try await change(
            ["p", "q", "r"],
            onDesk: { desk in
                try desk.move("p", to: "aside")
                try desk.move("q", to: "P")
                try desk.move("aside", to: "Q")
            },
            then: { stick, desk, session in
                try await desk.sync()
                #expect(try await session.report(daemon: nil, watch: nil).verdict == .inSync)
                #expect(stick.files() == ["P", "Q", "r"] && desk.files() == stick.files())
                #expect(stick.read("P") == "q" && stick.read("Q") == "p")
            })
    }
}
