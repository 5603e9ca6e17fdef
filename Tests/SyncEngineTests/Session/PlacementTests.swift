import FolderControl
import Foundation
import GRDB
import LocalFolder
import SyncModel
import SystemPackage
import Testing

@Suite("A received record whose file cannot be put at its path (reliability 4.6, 4.8)")
struct PlacementTests {
    @Test("Where a person begins a file there in that instant, the record's assets are no files of their own")
    func takenAtOnce() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try await Self.noteWithPicture(in: world), try world.device("desk"))

            let disk = WatchedDisk(of: desk.folder)
            let path = desk.folder.appending("Note/n.json").string
            disk.afterPlacing("a.jpg") { try? Data(#"{"n": 2"#.utf8).write(to: URL(filePath: path)) }
            try await desk.sync(on: disk)
            #expect(desk.files() == ["Note/n.json"])
            try desk.write(#"{"n": 2}"#, to: "Note/n.json")
            for device in [desk, laptop, desk] { try await device.sync() }
            for device in [laptop, desk] {
                #expect(try Self.fileRecords(known: device) == 0)
                #expect(device.read("Note/a.jpg") == "bytes")
            }
            #expect(laptop.read("Note/n.json") == desk.read("Note/n.json"))
            #expect(desk.files().contains { desk.read($0) == #"{"n": 2}"# }, "\(desk.files())")
        }
    }

    @Test("Where the disk fails in that instant, an asset that was moved is where it was")
    func movedBack() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try await Self.noteWithPicture(in: world), try world.device("desk"))
            try await desk.sync()
            try laptop.move("Note/a.jpg", to: "Note/b.jpg")
            try laptop.write(#"{"n": 2, "pic": {"$asset": "b.jpg"}}"#, to: "Note/n.json")
            try await laptop.sync()

            let disk = WatchedDisk(of: desk.folder)
            disk.afterPlacing("b.jpg") { disk.failExchanges(with: .ioError) }
            let report = try await desk.sync(on: disk)
            #expect(report.held.contains { $0.message.contains("Note/n.json") }, "\(report)")
            #expect(desk.read("Note/a.jpg") == "bytes")
            #expect(desk.read("Note/n.json") == #"{"n": 1, "pic": {"$asset": "a.jpg"}}"#)
            try await desk.sync()
            #expect(desk.files() == laptop.files())
            #expect(try Self.fileRecords(known: desk) == 0)
        }
    }

    @Test("Where the disk fails in that instant, the only copy of an asset that was replaced stays")
    func replacedAndCopied() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(#"{"p": {"$asset": "a.jpg"}, "q": {"$asset": "b.jpg"}}"#, to: "Note/n.json")
            try laptop.write("of a", to: "Note/a.jpg")
            try laptop.write("of b", to: "Note/b.jpg")
            try await laptop.sync()
            try await desk.sync()
            try laptop.move("Note/b.jpg", to: "Note/c.jpg")
            try laptop.move("Note/a.jpg", to: "Note/b.jpg")
            try laptop.write(#"{"p": {"$asset": "b.jpg"}, "q": {"$asset": "c.jpg"}}"#, to: "Note/n.json")
            try await laptop.sync()

            let disk = WatchedDisk(of: desk.folder)
            disk.afterPlacing("c.jpg") { disk.failExchanges(with: .ioError) }
            try await desk.sync(on: disk)
            for device in [desk, laptop] { try await device.sync() }
            for device in [desk, laptop] {
                #expect(device.read("Note/b.jpg") == "of a")
                #expect(device.read("Note/c.jpg") == "of b")
            }
            #expect(desk.files() == laptop.files())
        }
    }

    /// A device that synced a note with an asset.
    private static func noteWithPicture(in world: CrashWorld) async throws -> CrashDevice {
        let device = try world.device("laptop")
        try device.write(#"{"n": 1, "pic": {"$asset": "a.jpg"}}"#, to: "Note/n.json")
        try device.write("bytes", to: "Note/a.jpg")
        try await device.sync()
        return device
    }

    /// Records of files of their own, also ones that are gone.
    private static func fileRecords(known device: CrashDevice) throws -> Int {
        try device.inState { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT (SELECT count(*) FROM remote WHERE record_type = 'File') + (SELECT count(*) FROM tombstone)
                    """) ?? 0
        }
    }

    @Test("A disk that can only rename over what is there takes new files, edits, renames and deletions")
    func plainRenames() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            let disk = WatchedDisk(of: desk.folder)
            disk.renamePlainly()
            for name in ["a.txt", "b.txt", "c.txt"] { try laptop.write("first", to: name) }
            try laptop.write(#"{"n": 1}"#, to: "Note/n.json")
            try await laptop.sync()
            #expect(try await desk.sync(on: disk).verdict == .inSync)
            try laptop.write("second", to: "a.txt")
            try laptop.write(#"{"n": 2}"#, to: "Note/n.json")
            try laptop.move("b.txt", to: "d.txt")
            try laptop.delete("c.txt")
            try await laptop.sync()
            #expect(try await desk.sync(on: disk).verdict == .inSync)
            #expect(desk.files() == ["Note/n.json", "a.txt", "d.txt"])
            #expect(desk.read("a.txt") == "second")
            #expect(desk.read("d.txt") == "first")
            // What both sides changed has its copy there as well.
            for (device, text) in [(laptop, "third"), (desk, "another")] { try device.write(text, to: "a.txt") }
            try await laptop.sync()
            #expect(try await desk.sync(on: disk).conflicts.count == 1)
            #expect(desk.read("a.txt") == "third")
        }
    }
}
