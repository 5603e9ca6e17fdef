import CloudKitClient
import CloudKitServer
import CloudKitWire
import FolderControl
import SyncTiming
import Synchronization
import Testing

@testable import SyncEngine

@Suite("What status says of the network, whatever else there is to say", .timeLimit(.minutes(30)))
struct NetworkStatusTests {
    private static let nobody = StatusReport.Daemon(pid: 1, startedMilliseconds: 0)

    /// A folder in sync but for one broken file.
    private static func held(
        _ body: @escaping @Sendable (EngineWorld, EngineDevice) async throws -> Void
    ) async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write(#"{"a": 1}"#, to: "Note/a.json")
            await laptop.settle()
            // A record already: what is broken of it is held.
            try laptop.write(#"{"a": oops}"#, to: "Note/a.json")
            await laptop.settle()
            let report = try await laptop.report()
            #expect(report.verdict == .attention && report.held.count == 1)
            #expect(report.network == .init(isReachable: true))
            try await body(world, laptop)
            try laptop.close()
        }
    }

    @Test(
        "One held file hides no outage: since when, why, and when it is tried next; what was saved meanwhile is counted"
    )
    func heldAndAway() async throws {
        try await Self.held { _, laptop in
            laptop.network.decide { _ in .lostOnTheWay }
            await laptop.look()
            try laptop.write("new", to: "b.txt")
            await laptop.look()
            let report = try await laptop.report()
            #expect(report.verdict == .attention && report.reason.contains("cannot be reached"))
            let network = try #require(report.network)
            #expect(!network.isReachable && network.cause?.contains("a test cut the line") == true)
            let (since, next) = (try #require(network.sinceMilliseconds), try #require(network.nextTryMilliseconds))
            #expect(since <= SessionClock.system.milliseconds && since < next)
            #expect(report.pending.uploads == 1)
            // Another file's trouble is not this one's; the server's is.
            let other = report.narrowed(to: "c.txt", steps: [])
            #expect(other.verdict == .offline && other.reason.contains("cannot be reached"))

            laptop.network.decide { _ in .delivered }
            try await laptop.sync()
            #expect(try await laptop.report().network == .init(isReachable: true))
        }
    }

    @Test("Whoever waits with the server down and a file held is told offline: without a limit once it was tried")
    func waitingWithoutLimit() async throws {
        try await Self.held { _, laptop in
            laptop.network.decide { _ in .lostOnTheWay }
            let session = laptop.session
            let running = Task { await session.run() }
            let report = await session.settledReport(daemon: Self.nobody, watch: { nil }, timeout: nil)
            #expect(report.verdict == .offline && report.isCurrent == false && report.held.count == 1)
            #expect(report.verdict.exitCode(isRunning: true, needsApproval: false) == 3)
            await session.stop()
            await running.value
        }
    }

    @Test("Whoever waits with a limit waits for the server until then, and has the proof if it comes in time")
    func waitingWithLimit() async throws {
        try await EngineWorld.run { world in
            let time = HandMovedClock()
            let laptop = try world.device("laptop", time: time)
            try laptop.write(#"{"a": 1}"#, to: "Note/a.json")
            let session = laptop.session
            let running = Task { await session.run() }
            // A file that was just saved is looked at once more.
            try await until {
                time.advance(by: .milliseconds(50))
                return try await laptop.report().verdict == .inSync
            }
            try laptop.write(#"{"a": oops}"#, to: "Note/a.json")
            laptop.network.decide { _ in .lostOnTheWay }
            async let late = session.settledReport(daemon: Self.nobody, watch: { nil }, timeout: .seconds(20))
            await until { await !session.isOnline }
            let asked = time.now
            // A limit that begins to count only after time has passed would never be reached.
            await time.untilAsleep(until: asked + .seconds(20))
            for _ in 0..<20 {
                await time.untilAsleep(2)
                time.advance(by: .seconds(1))
            }
            var report = await late
            #expect(
                report.verdict == .offline && report.held.count == 1 && time.now - asked == .seconds(20),
                "\(report) \(time.now - asked)")

            _ = laptop.network.takeOperations()
            let isOver = Mutex(false)
            let waiting = Task {
                defer { isOver.withLock { $0 = true } }
                return await session.settledReport(daemon: Self.nobody, watch: { nil }, timeout: .seconds(1_000_000))
            }
            await until { !laptop.network.takeOperations().isEmpty }
            laptop.network.decide { _ in .delivered }
            // At most half a minute is waited for the network.
            await until {
                time.advance(by: .seconds(1))
                return isOver.withLock(\.self)
            }
            report = await waiting.value
            #expect(report.verdict == .attention && report.isCurrent == true, "\(report.reason)")
            await session.stop()
            await running.value
            try laptop.close()
        }
    }

    struct Fetch: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var operation: String
        var fault: AnswerFault
        var code: String
        var sentence: String
    }

    static let fetches = [
        Fetch(
            testDescription: "a zone's token that stands still", operation: "changes/zone", fault: .standingToken,
            code: "standingToken", sentence: "sync token stands still"),
        Fetch(
            testDescription: "the database's", operation: "changes/database", fault: .standingToken,
            code: "standingToken", sentence: "more to fetch of the database"),
        Fetch(
            testDescription: "a record with an error", operation: "changes/zone",
            fault: .recordError(ErrorDictionary(.internalError, reason: "disk on fire"), recordName: nil),
            code: "erroredRecord", sentence: "disk on fire"),
    ]

    @Test("What keeps a fetch from its end is named with the way out until it is over", arguments: fetches)
    func hindrance(_ row: Fetch) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try desk.write("1", to: "a.txt")
            await laptop.settle()
            await desk.settle()
            world.faults.add(FaultRule(.alter(row.fault), on: .init(operation: row.operation)))
            await laptop.look()
            let report = try await laptop.report()
            let notice = try #require(report.notices?.first, "\(report.reason)")
            #expect(notice.code == row.code && notice.message.contains(row.sentence), "\(notice.message)")
            #expect(notice.remedy.hasSuffix("."))
            #expect(report.verdict == .pending && report.reason == notice.message)
            #expect(report.network?.isReachable == true)
            world.faults.removeAll()
            try await laptop.sync()
            #expect(try await laptop.report().notices == [])
            try laptop.close()
            try desk.close()
        }
    }
}
