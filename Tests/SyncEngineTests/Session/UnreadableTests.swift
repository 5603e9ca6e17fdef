import FolderControl
import Foundation
import GRDB
import LocalFolder
import StateStorage
import SyncTiming
import SystemPackage
import Testing

@testable import SyncEngine

/// Invariant 15: what cannot be read is not absent, whatever it is called by now.
@Suite("What cannot be read", .timeLimit(.minutes(30)))
struct UnreadableTests {
    private static func move(_ old: String, to new: String, on device: CrashDevice) throws {
        try FileManager.default.moveItem(
            atPath: device.folder.appending(old).string, toPath: device.folder.appending(new).string)
    }

    @Test("One that was renamed deletes none of its records, also after a start; they move when it can be read again")
    func renamed() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<4 { try laptop.write("text \(number)", to: "docs/deep/\(number).txt") }
            try laptop.write("other", to: "other.txt")
            try await laptop.sync()
            try await desk.sync()
            let files = desk.files()
            #expect(files.count == 5)

            let disk = WatchedDisk(of: laptop.folder)
            disk.deny("docs")
            try Self.move("docs", to: "private", on: laptop)
            for _ in 0..<2 {
                let report = try await laptop.sync(on: disk)
                #expect(report.verdict == .attention)
                #expect(report.approval?.deletions == 4)
                try await desk.sync()
                #expect(desk.files() == files)
            }
            #expect(try await laptop.sync().verdict == .inSync)
            #expect(try await desk.sync().verdict == .inSync)
            #expect(desk.files() == laptop.files())
            #expect(desk.read("private/deep/3.txt") == "text 3")
        }
    }

    @Test("One that was there all the time holds up no deletion")
    func stranger() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<4 { try laptop.write("text \(number)", to: "\(number).txt") }
            try laptop.write("x", to: "lost+found/x")
            let disk = WatchedDisk(of: laptop.folder)
            disk.deny("lost+found")
            let (session, store) = try laptop.start(disk: disk)
            await session.settle()
            await session.settle()
            try FileManager.default.removeItem(atPath: laptop.folder.appending("1.txt").string)
            await session.settle()
            try store.close()
            try await desk.sync()
            #expect(desk.files() == ["0.txt", "2.txt", "3.txt"])
        }
    }

    @Test("While one cannot be read for good, what is deleted after a change of the rules is deleted, also at a start")
    func changedRules() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for name in ["out/a.txt", "out/b.txt", "private/x.txt"] { try laptop.write("text", to: name) }
            let disk = WatchedDisk(of: laptop.folder)
            disk.deny("private")
            for rules in ["out/\n", "*.log\n"] {
                try laptop.write(rules, to: ".zonefolderignore")
                try await laptop.sync(on: disk)
            }
            try await desk.sync()
            #expect(desk.files().isSuperset(of: ["out/a.txt", "out/b.txt"]))
            for name in ["out/a.txt", "out/b.txt"] {
                let (session, store) = try laptop.start(disk: disk)
                for _ in 0..<2 { await session.settle() }
                try laptop.delete(name)
                for _ in 0..<2 { await session.settle() }
                try store.close()
                try await desk.sync()
                #expect(desk.read(name) == nil && laptop.read(name) == nil)
            }
            try await laptop.sync(on: disk)
            #expect(!laptop.files().contains { $0.hasPrefix("out/") })
        }
    }

    @Test("What cannot be read when the rules change, and was never left out, is deleted where a person deletes it")
    func neverLeftOut() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("junk/\n", to: ".zonefolderignore")
            for name in ["f.txt", "g.txt", "junk/j.txt"] { try laptop.write("text", to: name) }
            try await laptop.sync()
            let disk = WatchedDisk(of: laptop.folder)
            disk.deny("f.txt", "g.txt")
            try laptop.write("*.log\n", to: ".zonefolderignore")
            try await laptop.sync(on: disk)
            try laptop.delete("f.txt")
            // Its number may be the next new file's.
            disk.denyNothing()
            disk.deny("g.txt")
            for _ in 0..<2 { try await laptop.sync(on: disk) }
            try await desk.sync()
            #expect(laptop.read("f.txt") == nil && desk.read("f.txt") == nil)
            #expect(desk.read("junk/j.txt") == "text" && laptop.read("g.txt") == "text")
        }
    }

    @Test("What can be read again is looked at within a minute, though no event says so, and nothing else is")
    func secondLook() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("text", to: "docs/a.txt")
            try laptop.write("text", to: "b.txt")
            let disk = WatchedDisk(of: laptop.folder)
            disk.deny("docs/a.txt")
            let time = SkippedTime()
            let (session, store) = try laptop.start(clock: time.clock, disk: disk)
            await session.settle()
            #expect(try await session.report(daemon: nil, watch: nil).verdict == .degraded)
            // It fails once more, and is not given up.
            for _ in 0..<2 {
                #expect(try #require(await session.timeUntilNextWork()) <= .seconds(60))
                time.skip(.seconds(61))
                await session.cycle()
                #expect(try await session.report(daemon: nil, watch: nil).verdict == .degraded)
            }
            disk.denyNothing()
            // Of this nobody tells, and no look at the folder as a whole is due.
            try laptop.write("newer", to: "b.txt")
            time.skip(.seconds(61))
            await session.cycle()
            #expect(try await session.report(daemon: nil, watch: nil).verdict == .inSync)
            try store.close()
            try await desk.sync()
            #expect(desk.files() == ["b.txt", "docs/a.txt"])
            #expect(desk.read("b.txt") == "text")
        }
    }

    @Test("So are the ignore rules, which nobody touches once they can be read again")
    func ignoreRules() async throws {
        try await CrashWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write("*.draft", to: ".zonefolderignore")
            try laptop.write("text", to: "a.txt")
            let disk = WatchedDisk(of: laptop.folder)
            let time = SkippedTime()
            let (session, store) = try laptop.start(clock: time.clock, disk: disk)
            await session.settle()
            disk.deny(".zonefolderignore")
            await session.settle()
            for _ in 0..<2 {
                let report = try await session.report(daemon: nil, watch: nil)
                #expect(report.verdict == .degraded)
                #expect(report.reason.contains(".zonefolderignore"))
                #expect(try #require(await session.timeUntilNextWork()) <= .seconds(60))
                time.skip(.seconds(61))
                await session.cycle()
            }
            disk.denyNothing()
            time.skip(.seconds(61))
            await session.cycle()
            #expect(try await session.report(daemon: nil, watch: nil).verdict == .inSync)
            try store.close()
        }
    }

    @Test("A start goes by the ignore rules of before where they cannot be read; only the first one is refused")
    func ignoreRulesAtStart() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("*.draft", to: ".zonefolderignore")
            try laptop.write("text", to: "a.txt")
            let disk = WatchedDisk(of: laptop.folder)
            disk.deny(".zonefolderignore")
            #expect(throws: FolderError.self) { _ = try laptop.start(disk: disk) }
            disk.denyNothing()
            try await laptop.sync(on: disk)

            disk.deny(".zonefolderignore")
            for name in ["b.draft", "c.txt"] { try laptop.write("text", to: name) }
            let (session, store) = try laptop.start(disk: disk)
            await session.settle()
            let report = try await session.report(daemon: nil, watch: nil)
            #expect(report.verdict == .degraded && report.reason.contains(".zonefolderignore"))
            try store.close()
            try await desk.sync()
            #expect(desk.files() == ["a.txt", "c.txt"])
        }
    }

    @Test("The first ignore rules of a folder that had none refuse no start either", arguments: [false, true])
    func firstIgnoreRules(isOlderState: Bool) async throws {
        try await CrashWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write("text", to: "a.txt")
            try await laptop.sync()
            // Earlier versions stored nothing of a folder without rules.
            if isOlderState {
                try laptop.inState { try $0.execute(sql: "UPDATE folder SET ignore_rules = NULL, looked = 1") }
            }
            try laptop.write("*.draft", to: ".zonefolderignore")
            let disk = WatchedDisk(of: laptop.folder)
            disk.deny(".zonefolderignore")
            #expect(try await laptop.sync(on: disk).verdict == .degraded)
            #expect(try await laptop.sync().verdict == .inSync)
        }
    }

    @Test("The folder itself: a look that cannot list it is none, and it is made up for as soon as it can")
    func folderItself() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<4 { try laptop.write("text \(number)", to: "\(number).txt") }
            try await laptop.sync()
            try await desk.sync()

            // While nothing runs.
            try laptop.write("new", to: "docs/new.txt")
            try FileManager.default.removeItem(atPath: laptop.folder.appending("1.txt").string)
            let disk = WatchedDisk(of: laptop.folder)
            disk.deny("")
            let (session, store) = try laptop.start(disk: disk)
            for _ in 0..<2 {
                await session.cycle()
                let report = try await session.report(daemon: nil, watch: nil)
                #expect(report.verdict == .attention)
                #expect(report.reason.contains("cannot be listed"))
                #expect(try #require(await session.timeUntilNextWork()) <= .seconds(5))
            }
            disk.denyNothing()
            await session.settle()
            #expect(try await session.report(daemon: nil, watch: nil).verdict == .inSync)
            try store.close()
            try await desk.sync()
            #expect(desk.files() == ["0.txt", "2.txt", "3.txt", "docs/new.txt"])
        }
    }

    @Test("A folder that is back on a disk with another number is opened again by a daemon, and left alone until then")
    func mountedAnew() async throws {
        try await CrashWorld.run { world in
            let laptop = try world.device("laptop")
            for number in 0..<4 { try laptop.write("text \(number)", to: "docs/\(number).txt") }
            try await laptop.sync()
            for isWatched in [true, false] {
                let disk = WatchedDisk(of: laptop.folder)
                let (session, store) = try laptop.start(disk: disk, isWatched: isWatched)
                await session.settle()
                disk.mountAnew()
                try laptop.write("edited", to: "docs/0.txt")
                await session.settle()
                let report = try await session.report(daemon: nil, watch: nil)
                #expect(report.held.map(\.code) == ["unreadable"])
                #expect(report.held.first?.message.contains("is not the folder that was synced") == true)
                #expect(await session.isReloading == isWatched)
                try store.close()
            }
            #expect(try await laptop.sync().verdict == .inSync)
        }
    }
}
