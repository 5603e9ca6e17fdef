import CloudKitWire
import FolderControl
import Foundation
import GRDB
import StateStorage
import SyncTiming
import Synchronization
import Testing

@testable import RemoteZone
@testable import SessionCore
@testable import SyncEngine

/// The state cannot be stored for a while: nothing that was asked for is forgotten, and status tells (invariant 20).
@Suite("A failing state", .timeLimit(.minutes(30)))
struct FailingStateTests {
    /// Time that passes when told to.
    private final class Time: Sendable {
        private let skipped = Mutex(Duration.zero)

        func pass(_ duration: Duration) { skipped.withLock { $0 += duration } }

        var clock: SessionClock {
            SessionClock(
                wall: {
                    SessionClock.system.wall() + self.skipped.withLock(\.self).components.seconds * 1_000_000_000
                },
                steady: { SessionClock.system.steady() + self.skipped.withLock(\.self) })
        }
    }

    @Test("What a push announced and could not be stored is still owed; until then the folder is not in sync")
    func push() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("one", to: "a.txt")
            try await laptop.sync()
            let time = Time()
            let (session, store) = try desk.start(clock: time.clock)
            await session.settle()
            #expect(try await session.report(daemon: nil, watch: nil).verdict == .inSync)

            try laptop.write("two", to: "a.txt")
            try await laptop.sync()
            await session.inbox.news.receivePush()
            // It came and was not looked at yet.
            #expect(try await session.report(daemon: nil, watch: nil).verdict != .inSync)
            try desk.inState { db in
                try db.execute(
                    sql: "CREATE TRIGGER broken BEFORE UPDATE ON remote BEGIN SELECT RAISE(ABORT, 'disk'); END")
            }
            await session.cycle()
            #expect(desk.read("a.txt") == "one")
            let report = try await session.report(daemon: nil, watch: nil)
            #expect(report.verdict == .attention, "\(report.reason)")

            try desk.inState { try $0.execute(sql: "DROP TRIGGER broken") }
            time.pass(.seconds(60))
            await session.cycle()
            #expect(desk.read("a.txt") == "two")
            #expect(try await session.report(daemon: nil, watch: nil).verdict == .inSync)
            try store.close()
        }
    }

    @Test("The time of the last fetch is that of a fetch")
    func lastFetch() async throws {
        try await CrashWorld.run { world in
            let laptop = try world.device("laptop")
            let time = Time()
            let (session, store) = try laptop.start(clock: time.clock)
            await session.settle()
            let before = await session.lastFetch
            time.pass(.seconds(2))
            await session.cycle()
            #expect(await session.lastFetch == before)
            await session.inbox.news.receivePush()
            await session.cycle()
            #expect(await session.lastFetch != before)
            try store.close()
        }
    }

    @Test("A file whose meaning changes with a fetched field type is read again, also after a crash in between")
    func learning() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(#"{"pic": {"$asset": "a.png"}}"#, to: "Note/a.json")
            try laptop.write("a", to: "Note/a.png")
            try await laptop.sync()

            // What the name says is not known yet.
            try desk.write(#"{"pic": "b.png"}"#, to: "Note/b.json")
            try desk.write("b", to: "Note/b.png")
            try StateStore(of: desk.state).close()
            try desk.inState { db in
                try db.execute(
                    sql: """
                        CREATE TRIGGER broken BEFORE UPDATE ON local WHEN NEW.attachments <> OLD.attachments
                        BEGIN SELECT RAISE(ABORT, 'disk'); END
                        """)
            }
            #expect(try await desk.sync().verdict != .inSync)
            try desk.inState { try $0.execute(sql: "DROP TRIGGER broken") }
            let report = try await desk.sync()
            #expect(report.verdict == .inSync, "\(report.reason) \(report.held)")
            try await laptop.sync()
            #expect(laptop.files() == ["Note/a.json", "Note/a.png", "Note/b.json", "Note/b.png"])
            // It is the record's asset, and no record of its own.
            let types = try desk.inState { try String.fetchAll($0, sql: "SELECT record_type FROM remote") }
            #expect(types == ["Note", "Note"])
        }
    }
}
