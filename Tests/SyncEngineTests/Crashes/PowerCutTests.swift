import FolderControl
import Foundation
import LocalFolder
import SystemPackage
import Testing

/// What a program saved and nobody synced is gone with the power (invariants 4 and 19; nextcloud#10547).
@Suite("A loss of power", .timeLimit(.minutes(30)))
struct PowerCutTests {
    @Test(
        "What went to the zone is on the disk, with its name: what the power takes is never taken for an edit",
        arguments: [1, 3, 300])
    func sent(files: Int) async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<files {
                try laptop.write("bytes \(number)", to: "a/b/\(number).txt")
                try laptop.write(#"{"n": \#(number), "pic": {"$asset": "\#(number).png"}}"#, to: "Note/\(number).json")
                try laptop.write("picture \(number)", to: "Note/\(number).png")
            }
            let disk = WatchedDisk(of: laptop.folder)
            try await laptop.sync(on: disk)
            #expect(try disk.lostWithPower() == [])
            try disk.losePower()
            try await laptop.sync()
            #expect(try await desk.sync().verdict == .inSync)
            #expect(desk.files().count == files * 3)
            #expect(desk.read("a/b/0.txt") == "bytes 0" && desk.read("Note/0.png") == "picture 0")
            // However many they are, each is not synced by itself: all that one plan sends are synced at once.
            #expect(files < 10 ? disk.fileSystemSyncs == 0 : (1...20).contains(disk.fileSystemSyncs))
        }
    }

    @Test("It is on the disk before it is sent: an answer that is lost with the power makes no edit of it")
    func unanswered() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("bytes", to: "a.txt")
            let disk = WatchedDisk(of: laptop.folder)
            try await laptop.syncUntilKilled(at: "records/modify", on: disk)
            #expect(laptop.transport.isDead)
            try disk.losePower()
            try await laptop.sync()
            try await desk.sync()
            #expect(desk.read("a.txt") == "bytes")
        }
    }

    @Test("A file that both sides have alike is agreed on once it is on the disk")
    func adopted() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for device in [laptop, desk] {
                try device.write("bytes", to: "d/a.txt")
                try device.write(#"{"n": 1}"#, to: "Note/a.json")
            }
            try await laptop.sync()
            let disk = WatchedDisk(of: desk.folder)
            #expect(try await desk.sync(on: disk).verdict == .inSync)
            #expect(try disk.lostWithPower() == [])
        }
    }

    @Test(
        "A deletion that went to the zone is on the disk: a file that comes back with the power is sent to nobody",
        arguments: [("d/a.txt", "d"), ("d/e/a.txt", "d/e"), ("d/e", "d"), ("d", "")])
    func deleted(path: String, directory: String) async throws {
        try await CrashWorld.run { world in
            let laptop = try world.device("laptop")
            for file in ["d/a.txt", "d/b.txt", "d/e/a.txt", "d/e/b.txt", "c.txt"] { try laptop.write(file, to: file) }
            try await laptop.sync()
            try FileManager.default.removeItem(atPath: laptop.folder.appending(path).string)
            let disk = WatchedDisk(of: laptop.folder)
            #expect(try await laptop.sync(on: disk).verdict == .inSync)
            #expect(try !disk.lostWithPower().contains(directory))
        }
    }

    @Test("A deletion that the disk cannot keep is not sent, and goes when the disk can")
    func failingDeletion() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for file in ["d/a.txt", "d/b.txt"] { try laptop.write(file, to: file) }
            try await laptop.sync()
            try FileManager.default.removeItem(atPath: laptop.folder.appending("d/a.txt").string)
            let disk = WatchedDisk(of: laptop.folder)
            disk.failSyncs(with: .ioError)
            #expect(try await laptop.sync(on: disk).held.map(\.path) == ["d/a.txt"])
            try await desk.sync()
            #expect(desk.read("d/a.txt") == "d/a.txt")
            #expect(try await laptop.sync().verdict == .inSync)
            try await desk.sync()
            #expect(desk.read("d/a.txt") == nil)
        }
    }

    @Test("What the disk cannot keep is not sent, and status says so; it goes when the disk can")
    func failing() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("bytes", to: "a.txt")
            let disk = WatchedDisk(of: laptop.folder)
            disk.failSyncs(with: .ioError)
            let report = try await laptop.sync(on: disk)
            #expect(report.verdict == .attention && report.held.map(\.path) == ["a.txt"])
            try await desk.sync()
            #expect(desk.files().isEmpty)
            #expect(try await laptop.sync().verdict == .inSync)
            try await desk.sync()
            #expect(desk.read("a.txt") == "bytes")
        }
    }

    @Test(
        "A file or a directory that the disk cannot keep holds up what is in it, and nothing else",
        arguments: ["d/a.txt", "d"])
    func damaged(path: String) async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for file in ["d/a.txt", "e/b.txt", "c.txt"] { try laptop.write(file, to: file) }
            let disk = WatchedDisk(of: laptop.folder)
            disk.damage(path)
            let report = try await laptop.sync(on: disk)
            #expect(report.verdict == .attention && report.held.map(\.path) == ["d/a.txt"])
            try await desk.sync()
            #expect(desk.files() == ["e/b.txt", "c.txt"])
            #expect(try await laptop.sync().verdict == .inSync)
            try await desk.sync()
            #expect(desk.files() == laptop.files())
        }
    }

    @Test("At rest, nothing is synced")
    func rest() async throws {
        try await CrashWorld.run { world in
            let laptop = try world.device("laptop")
            for number in 0..<40 { try laptop.write("bytes \(number)", to: "\(number).txt") }
            try await laptop.sync()
            let disk = WatchedDisk(of: laptop.folder)
            try await laptop.sync(on: disk)
            #expect(disk.fileSystemSyncs == 0)
            #expect(try disk.lostWithPower().count == 41)
        }
    }
}
