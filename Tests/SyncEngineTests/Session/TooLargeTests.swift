import FolderControl
import FolderSettings
import Foundation
import SyncModel
import SystemPackage
import Testing

@testable import RecordTrees
@testable import SyncEngine

@Suite("A file larger than anything that is sent", .timeLimit(.minutes(30)))
struct TooLargeTests {
    private static let large = "larger than ten bytes"

    @Test("It is named by its size at once, also where it would take an hour to read, and what else there is goes on")
    func unread() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            for path in ["disk.img", "Note/photo.jpg"] {
                try laptop.write("", to: path)
                // Without room on the disk, and with as many bytes to read as any other.
                #expect(truncate(laptop.folder.appending(path).string, 1 << 42) == 0)
            }
            try laptop.write(#"{"photo": "photo.jpg"}"#, to: "Note/n.json")
            try laptop.write("a", to: "a.txt")
            try await laptop.sync()
            let report = try await laptop.report()
            #expect(report.held.map(\.code) == ["tooLarge", "tooLarge"], "\(report.held)")
            #expect(report.held.allSatisfy { $0.message.contains("\(Int64(1) << 42) bytes") }, "\(report.held)")
            #expect(report.records == 2)
            // Renamed, written to and started again it is still not read.
            try laptop.move("disk.img", to: "old.img")
            try await laptop.sync()
            try laptop.configure { _ in }
            try await laptop.sync()
            #expect(try await laptop.report().held.contains { $0.message.hasPrefix("old.img has") })
            try laptop.delete("old.img")
            try laptop.delete("Note/photo.jpg")
            try laptop.write(#"{"photo": null}"#, to: "Note/n.json")
            try await laptop.sync()
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.close()
        }
    }

    @Test("Once `asset_limit_bytes` lets it through it is read and sent")
    func raised() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop") { $0.assetLimit = 10 }, try world.device("desk"))
            for path in ["a.txt", "Note/photo.txt"] { try laptop.write(Self.large, to: path) }
            try laptop.write(#"{"photo": "photo.txt"}"#, to: "Note/n.json")
            try await laptop.sync()
            #expect(try await laptop.report().verdict == .attention)
            try laptop.configure { $0.assetLimit = 100 }
            try await converge(laptop, desk)
            #expect(try await laptop.report().verdict == .inSync)
            for path in ["a.txt", "Note/photo.txt"] { #expect(desk.read(path) == Self.large) }
            try laptop.close()
            try desk.close()
        }
    }

    @Test("A synced file that grew over the limit is an edit: the zone's newer version does not take its bytes away")
    func grown() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop") { $0.assetLimit = 10 }, try world.device("desk"))
            for path in ["edited.txt", "deleted.txt", "left.txt"] { try laptop.write("one", to: path) }
            try await converge(laptop, desk)
            for path in ["edited.txt", "deleted.txt", "left.txt"] { try laptop.write(Self.large + path, to: path) }
            try await laptop.sync()
            #expect(try await laptop.report().held.count == 3)
            try desk.write("two", to: "edited.txt")
            try desk.delete("deleted.txt")
            try await desk.sync()
            try await converge(laptop, desk)
            #expect(laptop.read("edited.txt") == "two" && desk.read("edited.txt") == "two")
            let copies = try laptop.conflictCopies()
            #expect(copies.contains { laptop.read($0) == Self.large + "edited.txt" }, "\(copies)")
            #expect(laptop.read("deleted.txt") == Self.large + "deleted.txt")
            #expect(laptop.read("left.txt") == Self.large + "left.txt" && desk.read("left.txt") == "one")
            // Made small again, it follows.
            for path in ["deleted.txt", "left.txt"] { try laptop.write("three", to: path) }
            try await converge(laptop, desk)
            #expect(desk.read("deleted.txt") == "three" && desk.read("left.txt") == "three")
            try laptop.close()
            try desk.close()
        }
    }

    @Test("One that came from a device with a larger limit is known by its bytes: touched, renamed and after a restart")
    func larger() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop") { $0.assetLimit = 10 }, try world.device("desk"))
            for path in ["a.txt", "Note/photo.txt"] { try desk.write(Self.large + path, to: path) }
            try desk.write(#"{"photo": "photo.txt"}"#, to: "Note/n.json")
            try await converge(desk, laptop)
            #expect(laptop.read("a.txt") == Self.large + "a.txt")
            for path in ["a.txt", "Note/photo.txt"] {
                #expect(utimes(laptop.folder.appending(path).string, nil) == 0)
            }
            try laptop.move("a.txt", to: "b.txt")
            try await converge(laptop, desk)
            try laptop.configure { _ in }
            try await converge(laptop, desk)
            let report = try await laptop.report()
            #expect(report.verdict == .inSync, "\(report.held)")
            #expect(desk.read("b.txt") == Self.large + "a.txt" && desk.read("a.txt") == nil)
            #expect(try laptop.conflictCopies().isEmpty && desk.conflictCopies().isEmpty)
            try laptop.close()
            try desk.close()
        }
    }

    @Test(
        "One that came from there and is moved by a copy and a deletion is the same record's, with the note that names it",
        arguments: [true, false])
    func copied(isSeenTwice: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop") { $0.assetLimit = 10 }, try world.device("desk"))
            let note = #"{"photo": "photo.txt"}"#
            let moved = ["film.txt": "films/film.txt", "Note/photo.txt": "Note/sub/photo.txt"]
            for path in moved.keys { try desk.write(Self.large + path, to: path) }
            try desk.write(note, to: "Note/n.json")
            try await converge(desk, laptop)
            let before = try #require(await laptop.session.trees.remote[RecordName("film.txt")])
            // Neither the file nor its stamp is the same afterwards: the bytes alone are.
            for (old, new) in moved { try laptop.write(Self.large + old, to: new) }
            try laptop.write(note, to: "Note/sub/n.json")
            if isSeenTwice {
                try await laptop.sync()
                #expect(try await laptop.report().held.contains { $0.message.hasPrefix("films/film.txt has") })
            }
            for path in ["film.txt", "Note/photo.txt", "Note/n.json"] { try laptop.delete(path) }
            try await converge(laptop, desk)
            let after = await laptop.session.trees.remote[RecordName("film.txt")]
            #expect(after?.createdMilliseconds == before.createdMilliseconds)
            #expect(after?.path == FolderPath("films/film.txt"))
            let expected = [
                "films/film.txt": Self.large + "film.txt", "Note/sub/photo.txt": Self.large + "Note/photo.txt",
                "Note/sub/n.json": note,
            ]
            try await expectInSync(laptop, desk, with: expected)
        }
    }

    @Test("One that is deleted while another one of just its size is here, which is nobody's, is deleted everywhere")
    func sameSize() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop") { $0.assetLimit = 10 }, try world.device("desk"))
            try desk.write(Self.large, to: "film.txt")
            try await converge(desk, laptop)
            try laptop.write(String(Self.large.reversed()), to: "other.txt")
            try await laptop.sync()
            try laptop.delete("film.txt")
            try await converge(laptop, desk)
            #expect(desk.read("film.txt") == nil)
            #expect(laptop.read("other.txt") == String(Self.large.reversed()))
            #expect(try await laptop.report().held.map(\.code) == ["tooLarge"])
            try laptop.close()
            try desk.close()
        }
    }

    @Test("One that is here already and comes to the zone later with equal bytes is equal")
    func later() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop") { $0.assetLimit = 10 }, try world.device("desk"))
            try laptop.write(Self.large, to: "a.txt")
            try await laptop.sync()
            try desk.write(Self.large, to: "a.txt")
            try await converge(desk, laptop)
            #expect(try await laptop.report().verdict == .inSync)
            #expect(try laptop.conflictCopies().isEmpty)
            try laptop.close()
            try desk.close()
        }
    }

    @Test("A note is read, however low the limit of assets is: where it goes elsewhere, it goes here")
    func note() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop") { $0.assetLimit = 10 }, try world.device("desk"))
            try desk.write(#"{"text": "\#(Self.large)"}"#, to: "Note/n.json")
            try await converge(desk, laptop)
            #expect(utimes(laptop.folder.appending("Note/n.json").string, nil) == 0)
            try await laptop.sync()
            try desk.delete("Note/n.json")
            try await desk.sync()
            try await converge(laptop, desk)
            #expect(laptop.read("Note/n.json") == nil && desk.read("Note/n.json") == nil)
            try laptop.close()
            try desk.close()
        }
    }
}
