import FolderControl
import FolderHistory
import Foundation
import StateStorage
import SyncModel
import SyncPlanning
import SyncTiming
import Synchronization
import SystemPackage
import Testing

@testable import FolderSettings
@testable import RecordTrees
@testable import StateRows
@testable import SyncEngine

@Suite("Looking after the history", .timeLimit(.minutes(30)))
struct HistoryCareTests {
    @Test("What is kept longer than `history_days` is removed at the start, and nothing younger")
    func pruning() async throws {
        try await CrashWorld.run { world in
            let device = try world.device("laptop")
            let history = device.state.history
            let yesterday = Date(timeIntervalSinceNow: -86_400)
            let format = DateFormatter()
            format.locale = Locale(identifier: "en_US_POSIX")
            format.timeZone = TimeZone(identifier: "UTC")
            format.dateFormat = "yyyyMMdd'T'HHmmss'Z-0'"
            let twoMonthsAgo = Date(timeIntervalSinceNow: -60 * 86_400)
            for bucket in [twoMonthsAgo, yesterday].map(format.string(from:)) {
                try device.write("old", to: ".zonefolder/history/\(bucket)/Note/a.json")
            }
            try await device.sync()
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: history.string) == [format.string(from: yesterday)])
        }
    }

    @Test("What was filed before the clock was put right is kept as long as anything")
    func clockStep() async throws {
        try await CrashWorld.run { world in
            let device = try world.device("laptop")
            // A board without a clock of its own, which learns the time when it has been up for a while.
            let wall = Mutex<Int64>(1_000_000_000_000)
            let clock = SessionClock(wall: { wall.withLock(\.self) }, steady: SessionClock.system.steady)
            let (session, store) = try device.start(clock: clock)
            await session.lookAfterHistory()
            try device.write("version", to: ".zonefolder/history/19700101T001640Z-0/Note/a.json")
            wall.withLock { $0 = SessionClock.system.wall() }
            await session.lookAfterHistory()
            try store.close()
            try await device.sync()
            let buckets = try FileManager.default.contentsOfDirectory(atPath: device.state.history.string)
            #expect(buckets.count == 1 && !(buckets.first?.hasPrefix("1970") ?? true), "\(buckets)")
        }
    }

    @Test("What was filed before the clock was put right is kept as well while a program still has such a file open")
    func clockStepBesideLateWriter() async throws {
        try await CrashWorld.run { world in
            let (desk, editor) = try await Self.replacedWhileOpen(in: world)
            let put = Mutex<Int64>(0)
            let skipped = Mutex(Duration.zero)
            let clock = SessionClock(
                wall: { SessionClock.system.wall() + put.withLock(\.self) },
                steady: { SessionClock.system.steady() + skipped.withLock(\.self) })
            let (session, store) = try desk.start(clock: clock)
            await session.settle()
            let filed = Self.filed(by: desk)
            #expect(filed.count == 1)
            put.withLock { $0 = 400 * 86_400_000_000_000 }
            // The history is pruned some times a day.
            skipped.withLock { $0 = .seconds(7 * 3600) }
            await session.lookAfterHistory()
            #expect(Self.filed(by: desk) == filed)
            try editor.close()
            skipped.withLock { $0 += .seconds(60) }
            await session.lookAfterHistory()
            let later = Self.filed(by: desk)
            #expect(later.count == 1 && later != filed, "\(later)")
            try store.close()
        }
    }

    /// The versions of the one file in the history.
    private static func filed(by device: CrashDevice) -> [String] {
        (FileManager.default.subpaths(atPath: device.state.history.string) ?? []).filter { $0.hasSuffix("/a.txt") }
    }

    @Test("What was filed in an earlier run, which ended before the clock was put right, is kept as long as anything")
    func earlierRun() async throws {
        try await CrashWorld.run { world in
            let device = try world.device("laptop")
            // Two such runs: a board begins in 1970, another one's battery was empty.
            for bucket in ["19700101T001640Z-0", "19700101T001640Z-1", "20000101T000000Z-0"] {
                try device.write(bucket, to: ".zonefolder/history/\(bucket)/Note/a.json")
            }
            try await device.sync()
            let buckets = try FileManager.default.contentsOfDirectory(atPath: device.state.history.string).sorted()
            #expect(buckets.count == 3 && buckets.allSatisfy { $0 > "2026" }, "\(buckets)")
            // Still in their order.
            #expect(
                device.read(".zonefolder/history/\(try #require(buckets.last))/Note/a.json") == "20000101T000000Z-0")
        }
    }

    @Test("What an editor writes into a file that was replaced under its hands comes beside the file")
    func lateWriter() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("one", to: "a.txt")
            try await laptop.sync()
            try await desk.sync()
            try laptop.write("two", to: "a.txt")
            try await laptop.sync()

            let editor = try #require(FileHandle(forUpdatingAtPath: desk.folder.appending("a.txt").string))
            let (session, store) = try desk.start()
            await session.settle()
            #expect(desk.read("a.txt") == "two")
            try editor.seekToEnd()
            try editor.write(contentsOf: Data(", and a late word".utf8))
            try editor.close()
            await session.rescueLateWrites()
            let copy = try #require(desk.files().first { $0.contains(".conflict-") })
            #expect(desk.read(copy) == "one, and a late word")
            #expect(desk.read("a.txt") == "two")
            #expect(try store.conflicts().map(\.copy.description) == [copy])
            try store.close()
            #expect(try await desk.sync().verdict == .attention)
        }
    }

    @Test("What an editor writes after this program was ended comes beside the file at the next start")
    func lateWriterAfterTheEnd() async throws {
        try await CrashWorld.run { world in
            let (desk, editor) = try await Self.replacedWhileOpen(in: world)
            let (session, store) = try desk.start()
            await session.settle()
            try store.close()
            try Self.writeLate(editor)
            let (next, nextStore) = try desk.start()
            await next.lookAfterHistory()
            try nextStore.close()
            #expect(Self.rescued(desk) == ["one, and a late word"])
            #expect(desk.read("a.txt") == "two")
        }
    }

    @Test("What an editor writes late is looked at again where it could not be put beside the file, or not be read")
    func lateWriterInNeed() async throws {
        for isUnreadable in [false, true] {
            try await CrashWorld.run { world in
                let (desk, editor) = try await Self.replacedWhileOpen(in: world)
                let disk = WatchedDisk(of: desk.folder)
                let (session, store) = try desk.start(disk: disk)
                await session.settle()
                try Self.writeLate(editor)
                if isUnreadable {
                    let filed = FileManager.default.subpaths(atPath: desk.state.history.string)
                    disk.deny(".zonefolder/history/\(try #require(filed?.first { $0.hasSuffix("/a.txt") }))")
                } else {
                    disk.failSyncs(with: .noSpace)
                }
                await session.rescueLateWrites()
                #expect(desk.files() == ["a.txt"])
                disk.denyNothing()
                disk.failSyncs(with: nil)
                await session.rescueLateWrites()
                try store.close()
                #expect(Self.rescued(desk) == ["one, and a late word"])
            }
        }
    }

    /// A device with a file that an editor has open, and that others replaced without its knowing yet.
    private static func replacedWhileOpen(in world: CrashWorld) async throws -> (desk: CrashDevice, editor: FileHandle)
    {
        let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
        try laptop.write("one", to: "a.txt")
        try await laptop.sync()
        try await desk.sync()
        try laptop.write("two", to: "a.txt")
        try await laptop.sync()
        return (desk, try #require(FileHandle(forUpdatingAtPath: desk.folder.appending("a.txt").string)))
    }

    private static func writeLate(_ editor: FileHandle) throws {
        try editor.seekToEnd()
        try editor.write(contentsOf: Data(", and a late word".utf8))
        try editor.close()
    }

    /// What is in the conflict copies.
    private static func rescued(_ device: CrashDevice) -> [String?] {
        device.files().filter { $0.contains(".conflict-") }.map { device.read($0) }
    }

    @Test("A program that keeps a replaced file open and writes on makes one conflict copy (invariant 22)")
    func writerThatStays() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("line 0\n", to: "app.log")
            try await laptop.sync()
            try await desk.sync()
            try laptop.write("another", to: "app.log")
            try await laptop.sync()

            let service = try #require(FileHandle(forUpdatingAtPath: desk.folder.appending("app.log").string))
            try service.seekToEnd()
            // A clock that stood still would leave the received file too young for ever.
            let skipped = Mutex<Int64>(0)
            let clock = SessionClock(
                wall: { SessionClock.system.wall() + skipped.withLock(\.self) }, steady: SessionClock.system.steady)
            let (session, store) = try desk.start(clock: clock)
            await session.settle()
            #expect(desk.read("app.log") == "another")
            var text = "line 0\n"
            for number in 1...10 {
                text += "line \(number)\n"
                try service.write(contentsOf: Data("line \(number)\n".utf8))
                skipped.withLock { $0 += 60_000_000_000 }
                await session.rescueLateWrites()
            }
            let copies = { desk.files().filter { $0.contains(".conflict-") } }
            #expect(copies().map { desk.read($0) } == ["line 0\nline 1\n"])
            try service.close()
            await session.rescueLateWrites()
            #expect(copies().map { desk.read($0) } == [text])
            #expect(try store.conflicts().map(\.copy.description) == Array(copies()))
            try store.close()
        }
    }
}

extension FolderSession {
    fileprivate func lookAfterHistory() {
        history.lookAfter(at: now) { trees.record(at: $0) }
    }

    fileprivate func rescueLateWrites() {
        history.rescueLateWrites { trees.record(at: $0) }
    }
}
