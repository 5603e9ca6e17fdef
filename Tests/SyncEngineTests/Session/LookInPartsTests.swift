import FolderControl
import GRDB
import StateStorage
import SyncModel
import SyncPlanning
import Testing

@testable import RecordTrees
@testable import SyncEngine

/// Of a large folder a part is looked at, then whoever asks something gets a turn.
@Suite("A look in parts", .timeLimit(.minutes(30)))
struct LookInPartsTests {
    private static let count = 400

    @Test("A question in the midst of a look is answered, with how many files are still to be looked at")
    func question() async throws {
        try await CrashWorld.run { world in
            let laptop = try world.device("laptop")
            for number in 0..<Self.count { try laptop.write("text \(number)", to: "\(number).txt") }
            let (session, store) = try laptop.start(filesAtATime: 1)
            let look = Task { try await session.observe() }
            var report = try await session.report(daemon: nil, watch: nil)
            while report.pending.unseen ?? 0 == 0, !(await session.hasLooked) {
                report = try await session.report(daemon: nil, watch: nil)
            }
            let unseen = try #require(report.pending.unseen)
            #expect(unseen > 0 && unseen <= Self.count)
            #expect(report.verdict != .inSync)
            try await look.value
            #expect(try await session.report(daemon: nil, watch: nil).pending.unseen ?? 0 == 0)
            #expect(await session.trees.local.count == Self.count)
            try store.close()
        }
    }

    @Test("A session that is to stop ends in the midst of a look, and the next one sees all files")
    func stop() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<Self.count { try laptop.write("text \(number)", to: "\(number).txt") }
            let (session, store) = try laptop.start(filesAtATime: 1)
            let cycle = Task { await session.cycle() }
            while await session.unread == nil, !(await session.hasLooked) { await Task.yield() }
            await session.stop()
            await cycle.value
            #expect(await !session.hasLooked)
            #expect(await session.isWholeLookOwed)
            try store.close()
            let stored = try laptop.inState { try Int.fetchOne($0, sql: "SELECT count(*) FROM local") } ?? 0
            #expect(stored > 0 && stored < Self.count)
            #expect(try await laptop.sync().verdict == .inSync)
            try await desk.sync()
            #expect(desk.files().count == Self.count)
        }
    }

    @Test("Files that are gone, moved or others are seen as by a look in one", arguments: [1, 3, 1000])
    func changes(filesAtATime: Int) async throws {
        try await CrashWorld.run { world in
            let laptop = try world.device("laptop")
            for number in 0..<40 { try laptop.write("text \(number)", to: "\(number % 4)/\(number).txt") }
            try await laptop.sync()
            for number in 0..<10 { try laptop.delete("0/\(number * 4).txt") }
            for number in 0..<10 { try laptop.move("1/\(number * 4 + 1).txt", to: "3/moved\(number).txt") }
            for number in 0..<10 { try laptop.write("other \(number)", to: "2/\(number * 4 + 2).txt") }
            let (session, store) = try laptop.start(filesAtATime: filesAtATime)
            try await session.observe()
            let seen = await Set(session.trees.local.keys.map(\.description))
            try store.close()
            #expect(seen == laptop.files())
            let stored = try laptop.inState { try String.fetchAll($0, sql: "SELECT CAST(path AS TEXT) FROM local") }
            #expect(Set(stored) == seen)
        }
    }
}
