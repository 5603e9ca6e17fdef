import CloudKitClient
import FolderControl
import HTTPTypes
import SyncTiming
import Synchronization
import Testing

@testable import RemoteZone
@testable import SessionCore
@testable import SyncEngine

/// A server that stops listening, for requests and tries alike.
private final class Outage: Sendable {
    let isOver = Mutex(true)
    let tries = Mutex(0)

    func connect(_ server: ServerOrigin, _ limit: Duration) async throws(TransportError) {
        tries.withLock { $0 += 1 }
        guard isOver.withLock(\.self) else { throw .unreachable("refused") }
    }

    func begin(for device: EngineDevice) {
        isOver.withLock { $0 = false }
        device.network.decide { [self] _ in isOver.withLock(\.self) ? .delivered : .lostOnTheWay }
    }

    func end() { isOver.withLock { $0 = true } }
}

@Suite("Return after an outage (S0.32, S0.33)", .timeLimit(.minutes(30)))
struct ReturnTests {
    private static let nobody = StatusReport.Daemon(pid: 1, startedMilliseconds: 0)

    @Test(
        "A server that was stopped for 5 min has the edits 6 s after it listens again, and was asked nothing meanwhile")
    func fiveMinutes() async throws {
        try await EngineWorld.run { world in
            let (time, outage) = (HandMovedClock(), Outage())
            let network = NetworkReach(clock: time.clock, connect: outage.connect)
            let trying = Task { await network.run() }
            let laptop = try world.device("laptop", reach: network, time: time)
            try laptop.write("first", to: "a.txt")
            let session = laptop.session
            let running = Task { await session.run() }
            // A file that was just saved is looked at once more.
            try await until {
                time.advance(by: .milliseconds(50))
                return try await laptop.report().verdict == .inSync
            }
            _ = laptop.network.takeOperations()

            outage.begin(for: laptop)
            try laptop.write("second", to: "a.txt")
            async let settled = session.settledReport(daemon: Self.nobody, watch: { nil }, timeout: .seconds(1000))
            await until { await network.isAway(session.server) }
            let began = time.now
            for _ in 0..<300 {
                await time.untilAsleep(2)
                time.advance(by: .seconds(1))
                await Task.yield()
            }
            #expect(laptop.network.takeOperations().count == 1, "the one that found the server away")
            let tries = outage.tries.withLock(\.self)
            #expect(tries >= 1 && tries <= 61)
            let meanwhile = try await laptop.report()
            #expect(meanwhile.verdict == .offline && meanwhile.network?.isReachable == false)
            #expect(meanwhile.network?.cause?.contains("refused") == true)

            outage.end()
            // No more time passes than this, whatever there is to do.
            time.advance(by: .seconds(6))
            let after = await settled
            #expect(after.verdict == .inSync && after.network == .init(isReachable: true), "\(after.reason)")
            #expect(time.now - began == .seconds(306))
            #expect(laptop.network.takeOperations().contains("records/modify"))

            await session.stop()
            await running.value
            trying.cancel()
            await trying.value
            try laptop.close()
        }
    }

    @Test("A link that comes up ends the wait at once, without any time")
    func link() async throws {
        try await EngineWorld.run { world in
            let (time, outage) = (HandMovedClock(), Outage())
            let network = NetworkReach(clock: time.clock, connect: outage.connect)
            let trying = Task { await network.run() }
            let laptop = try world.device("laptop", reach: network, time: time)
            try laptop.write("first", to: "a.txt")
            outage.begin(for: laptop)
            let session = laptop.session
            let inbox = await session.inbox
            let running = Task { await session.run() }
            async let settled = session.settledReport(daemon: Self.nobody, watch: { nil }, timeout: .seconds(1000))
            await until { await network.isAway(session.server) }
            // A file that was just saved is looked at once more.
            try await until {
                time.advance(by: .milliseconds(50))
                return try await laptop.report().pending.uploads == 1 && !inbox.isWaiting
            }
            let began = time.now
            outage.end()
            await network.networkCameUp()
            // Two tries are never closer.
            time.advance(by: .milliseconds(200))
            let report = await settled
            #expect(report.verdict == .inSync && time.now - began == .milliseconds(200), "\(report.reason)")
            await session.stop()
            await running.value
            trying.cancel()
            await trying.value
            try laptop.close()
        }
    }

    @Test("An answer to another folder ends a wait for the network, but not one that the server asked for")
    func answers() async throws {
        try await EngineWorld.run { world in
            let outage = Outage()
            let network = NetworkReach(clock: .system, connect: outage.connect)
            let laptop = try world.device("laptop", reach: network)
            try laptop.write("first", to: "a.txt")
            await laptop.settle()
            let server = try #require(await laptop.session.server)
            // A request that gets no answer, while the server can be reached.
            laptop.network.next(2, to: "changes/database", .lostSomewhere)
            await laptop.look()
            #expect(try await laptop.report().network?.isReachable == false)
            network.answered(nil, by: server)
            await laptop.session.cycle()
            #expect(try await laptop.report().network == .init(isReachable: true))

            laptop.network.next(
                to: "changes/database",
                .answered(
                    TransportResponse(
                        status: 429, headers: [.retryAfter: "60"],
                        body: Array(#"{"serverErrorCode": "THROTTLED", "reason": "slow down"}"#.utf8))))
            await laptop.look()
            let throttled = try #require(try await laptop.report().network)
            #expect(throttled.isReachable && throttled.cause?.contains("slow down") == true)
            #expect(throttled.nextTryMilliseconds != nil)
            _ = laptop.network.takeOperations()
            network.failed(nil, at: server, .timedOut, because: "")
            network.answered(nil, by: server)
            await network.networkCameUp()
            await laptop.session.cycle()
            #expect(laptop.network.takeOperations().isEmpty)
            laptop.pass(.seconds(70))
            await laptop.session.cycle()
            #expect(try await laptop.report().network == .init(isReachable: true))
            try laptop.close()
        }
    }
}
