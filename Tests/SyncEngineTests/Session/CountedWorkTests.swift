import GRDB
import GRDBSQLite
import SyncModel
import SyncTiming
import Synchronization
import Testing

@testable import FolderObserving
@testable import SessionCore
@testable import StateStorage
@testable import SyncEngine

/// The cost of a change, counted in what the state's database does and not in time, which a machine's load changes.
@Suite("What an edit costs", .timeLimit(.minutes(30)))
struct CountedWorkTests {
    /// What SQLite did since it was told to count.
    private final class Work: Sendable {
        let instructions = Atomic(0)
        let statements = Atomic(0)
    }

    @Test("The work of one edit is the same among 200 files and among 2,000, be it made here or there")
    func oneEdit() async throws {
        let (few, many) = (try await Self.work(among: 200), try await Self.work(among: 2000))
        for (name, (few, many)) in zip(["sent", "received"], zip(few, many)) {
            #expect(few.statements > 0)
            // On a slow machine a look more may find the file, which is too young for one to be enough. Of what is done for
            // each of 1,800 files more, the least would cost more than that.
            #expect(many.statements <= few.statements * 11 / 10 + 5, "\(name): \(few), \(many)")
            #expect(many.instructions <= few.instructions * 11 / 10 + 600, "\(name): \(few), \(many)")
        }
    }

    /// Of an edit that is sent, and of one that is received.
    private static func work(among count: Int) async throws -> [(statements: Int, instructions: Int)] {
        let found = Mutex<[(statements: Int, instructions: Int)]>([])
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<count { try laptop.write("text \(number)", to: "\(number / 100)/\(number % 100).txt") }
            try await laptop.sync()
            try await desk.sync()
            // Files are read again until they are old enough to trust their times.
            try await laptop.sync()
            try await desk.sync()

            let path = FolderPath("3/14.txt")!
            try laptop.write("another text", to: "3/14.txt")
            let sent = try await counting(laptop.store) { await laptop.session.take(changeAt: path) }
            let received = try await counting(desk.store) { await desk.session.take(changeAt: nil) }
            #expect(desk.read("3/14.txt") == "another text")
            found.withLock { $0 = [sent, received] }
        }
        return found.withLock(\.self)
    }

    private static func counting(
        _ store: StateStore, _ body: () async throws -> Void
    ) async throws -> (statements: Int, instructions: Int) {
        let work = Work()
        store.queue.inDatabase { db in
            let context = Unmanaged.passUnretained(work).toOpaque()
            sqlite3_progress_handler(
                db.sqliteConnection, 1,
                { context in
                    Unmanaged<Work>.fromOpaque(context!).takeUnretainedValue().instructions.add(1, ordering: .relaxed)
                    return 0
                }, context)
            db.trace { event in
                if case .statement = event { work.statements.add(1, ordering: .relaxed) }
            }
        }
        try await body()
        store.queue.inDatabase { db in
            sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil)
            db.trace(nil)
        }
        return (work.statements.load(ordering: .relaxed), work.instructions.load(ordering: .relaxed))
    }
}

extension FolderSession {
    /// As after an event in the folder, or after a push.
    fileprivate func take(changeAt path: FolderPath?) async {
        if let path { looks.owe(path) } else { oweDatabaseFetch() }
        for _ in 0..<100 {
            await cycle()
            guard !isQuiet || inbox.isWaiting, let wait = timeUntilNextWork() else { break }
            await inbox.doorbell.wait(timeout: min(wait, .milliseconds(50)), on: .system)
        }
    }
}
