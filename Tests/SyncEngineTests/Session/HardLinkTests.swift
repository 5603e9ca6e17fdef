import FolderControl
import FolderHistory
import Foundation
import LocalFolder
import StateStorage
import SyncModel
import SyncPlanning
import SyncTiming
import SystemPackage
import Testing

@testable import FolderObserving
@testable import FolderSettings
@testable import RecordTrees
@testable import SessionCore
@testable import SyncEngine

/// Nobody tells of a write under any other name than the one that was written through (reliability §6).
@Suite("Files with several names", .timeLimit(.minutes(30)))
struct HardLinkTests {
    private static func stamp(_ inode: UInt64, changed: Int64) -> FileStamp {
        FileStamp(device: 1, inode: inode, size: 1, modified: changed, changed: changed, mode: 0o644)
    }

    @Test("Those names of a file are told that were seen before it changed; what is another file by now is not")
    func outdated() throws {
        let (a, b, c) = (FolderPath("a")!, FolderPath("d/b")!, FolderPath("c")!)
        let names = LinkedNames()
        names.take([a, b, c].map { LinkedName(path: $0, stamp: Self.stamp(7, changed: 1)) }, isWhole: true)
        let known = [a: Self.stamp(7, changed: 2), b: Self.stamp(7, changed: 1), c: Self.stamp(8, changed: 1)]
        let found = LinkedName(path: a, stamp: Self.stamp(7, changed: 2))
        let others = names.outdated(by: found, known: { known[$0] })
        #expect(others == [b])
        // That one was seen as it is now.
        let newest = LinkedName(path: b, stamp: Self.stamp(7, changed: 2))
        let none = names.outdated(by: newest, known: { known[$0] })
        #expect(none.isEmpty)
        names.take([], isWhole: true)
        let forgotten = names.outdated(by: found, known: { known[$0] })
        #expect(forgotten.isEmpty)
    }

    /// Two devices that agree on a file with two names on the laptop.
    private static func pair(in world: EngineWorld) async throws -> (laptop: EngineDevice, desk: EngineDevice) {
        let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
        try laptop.write("one", to: "a.txt")
        try laptop.write("other", to: "docs/other.txt")
        guard link(laptop.folder.appending("a.txt").string, laptop.folder.appending("docs/b.txt").string) == 0 else {
            throw Errno(rawValue: errno)
        }
        try await converge(laptop, desk)
        #expect(try desk.files() == ["a.txt": "one", "docs/b.txt": "one", "docs/other.txt": "other"])
        return (laptop, desk)
    }

    /// Writes into the file itself, as `>>` does.
    private static func append(_ text: String, to path: FilePath) throws {
        let file = try #require(FileHandle(forWritingAtPath: path.string))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    @Test("a hard link's other name stays old for ever")
    func otherNames() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await Self.pair(in: world)
            for (index, name) in ["a.txt", "docs/b.txt"].enumerated() {
                try Self.append(" and \(index)", to: laptop.folder.appending(name))
                await laptop.session.noticeChange(of: name)
                let text = try #require(laptop.read("a.txt"))
                #expect(try await laptop.report().verdict == .inSync)
                await desk.settle()
                #expect(desk.read("a.txt") == text && desk.read("docs/b.txt") == text)
            }
            try desk.write("from the desk", to: "docs/b.txt")
            try await converge(laptop, desk)
            #expect(laptop.read("docs/b.txt") == "from the desk")
            #expect(try laptop.conflictCopies().isEmpty && desk.conflictCopies().isEmpty)
            #expect(try await laptop.report().verdict == .inSync)
        }
    }

    @Test("A write to the name that stays, right after the other one was replaced, is no late write and no conflict")
    func writtenAfterReplacing() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await Self.pair(in: world)
            try desk.write("from the desk", to: "a.txt")
            try await converge(laptop, desk)
            #expect(laptop.read("a.txt") == "from the desk" && laptop.read("docs/b.txt") == "one")
            try Self.append(" and more", to: laptop.folder.appending("docs/b.txt"))
            await laptop.session.lookAfterHistoryNow()
            try await converge(laptop, desk)
            await laptop.session.lookAfterHistoryNow()
            #expect(try laptop.conflictCopies().isEmpty)
            try await expectInSync(
                laptop, desk,
                with: ["a.txt": "from the desk", "docs/b.txt": "one and more", "docs/other.txt": "other"])
        }
    }

    @Test("What nobody tells is found by a look each hour, a little at a time, and status says when that was")
    func audit() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop") { $0.auditInterval = .seconds(600) }
            let desk = try world.device("desk")
            for number in 0..<700 { try laptop.write("\(number)", to: "many/\(number).txt") }
            try laptop.write("one", to: "a.txt")
            try laptop.write("gone", to: "deep/gone.txt")
            let outside = world.place.appending("outside.txt")
            guard link(laptop.folder.appending("a.txt").string, outside.string) == 0 else {
                throw Errno(rawValue: errno)
            }
            try await converge(laptop, desk)
            let first = try #require(try await laptop.report().lastLookMilliseconds)

            try Self.append(" and more", to: outside)
            try laptop.write("new", to: "deep/er/new.txt")
            try laptop.delete("deep/gone.txt")
            laptop.pass(.seconds(590))
            await laptop.session.cycle()
            #expect(try await laptop.report().verdict == .inSync)
            laptop.pass(.seconds(20))
            await laptop.session.cycle()
            // It goes on in steps.
            #expect(await laptop.session.isAuditUnderWay)
            for _ in 0..<40 {
                laptop.pass(.milliseconds(500))
                await laptop.session.cycle()
            }
            #expect(await laptop.session.isAuditUnderWay == false)
            let second = try #require(try await laptop.report().lastLookMilliseconds)
            #expect(second > first)
            await desk.settle()
            #expect(desk.read("a.txt") == "one and more")
            #expect(desk.read("deep/er/new.txt") == "new" && desk.read("deep/gone.txt") == nil)

            // It is kept for `status` without a daemon.
            await laptop.settle()
            let third = try #require(try await laptop.report().lastLookMilliseconds)
            #expect(third > second)
            let session = laptop.session
            await session.stop()
            await session.run()
            try laptop.close()
            #expect(try StatusReport.stopped(folder: laptop.folder).lastLookMilliseconds == third)
            try desk.close()
        }
    }
}

extension FolderSession {
    /// An event tells of one path.
    fileprivate func noticeChange(of name: String) async {
        inbox.requestLook(at: FolderPath(name)!, after: .zero, now: now)
        for _ in 0..<100 where inbox.isWaiting || !isQuiet {
            await cycle()
            await inbox.doorbell.wait(timeout: .milliseconds(20), on: .system)
        }
    }

    fileprivate func lookAfterHistoryNow() {
        history.lookAtLateWriters()
        history.lookAfter(at: now) { trees.record(at: $0) }
    }
}
