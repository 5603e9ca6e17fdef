import FolderControl
import GRDB
import SyncModel
import Testing

@Suite("A note with a picture that somebody else deleted", .timeLimit(.minutes(30)))
struct DeletedNoteTests {
    private static let text = #"{"n": 1, "pic": {"$asset": "a.jpg"}}"#

    /// A note with a picture is deleted on the laptop; the desk's disk does not let the picture go.
    private static func withStuckPicture(
        _ body: @Sendable (_ laptop: CrashDevice, _ desk: CrashDevice, WatchedDisk) async throws -> Void
    ) async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(text, to: "Note/n.json")
            try laptop.write("bytes", to: "Note/a.jpg")
            try laptop.write("rest", to: "rest.txt")
            try await laptop.sync()
            try await desk.sync()
            try laptop.delete("Note/n.json")
            try laptop.delete("Note/a.jpg")
            try await laptop.sync()
            let disk = WatchedDisk(of: desk.folder)
            disk.keepInPlace("a.jpg")
            try await body(laptop, desk, disk)
        }
    }

    @Test("A picture that cannot be moved yet is told, goes with its note later, and is no file of its own meanwhile")
    func stuck() async throws {
        try await Self.withStuckPicture { laptop, desk, disk in
            // Also after a restart.
            for _ in 0..<2 {
                let report = try await desk.sync(on: disk)
                #expect(desk.files().sorted() == ["Note/a.jpg", "rest.txt"])
                #expect(report.held.count == 1 && report.held[0].message.contains("Note/a.jpg"), "\(report)")
            }
            try await laptop.sync()
            #expect(laptop.files() == ["rest.txt"])
            let report = try await desk.sync()
            #expect(desk.files() == ["rest.txt"] && report.verdict == .inSync, "\(report)")
        }
    }

    @Test("A note that a person brings back while its picture is stuck stays, with the picture")
    func broughtBack() async throws {
        try await Self.withStuckPicture { laptop, desk, disk in
            try await desk.sync(on: disk)
            try desk.write(Self.text, to: "Note/n.json")
            for _ in 0..<2 { try await desk.sync(on: disk) }
            try await laptop.sync()
            for device in [desk, laptop] {
                #expect(device.files().sorted() == ["Note/a.jpg", "Note/n.json", "rest.txt"])
                #expect(device.read("Note/n.json") == Self.text)
            }
        }
    }

    @Test("A picture that several notes name goes with the last of them, also of those that were deleted together")
    func shared() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("rest", to: "rest.txt")
            try laptop.write("bytes", to: "Note/a.jpg")
            for number in 1...3 { try laptop.write(Self.text, to: "Note/\(number).json") }
            try await laptop.sync()
            try await desk.sync()
            try laptop.delete("Note/1.json")
            try await laptop.sync()
            try await desk.sync()
            #expect(desk.files().sorted() == ["Note/2.json", "Note/3.json", "Note/a.jpg", "rest.txt"])
            for name in ["2.json", "3.json", "a.jpg"] { try laptop.delete("Note/\(name)") }
            try await laptop.sync()
            for device in [desk, laptop] {
                let report = try await device.sync()
                #expect(device.files() == ["rest.txt"] && report.verdict == .inSync, "\(report)")
            }
        }
    }
}
