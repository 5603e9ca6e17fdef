import CloudKitClient
import CloudKitWire
import FolderSettings
import Foundation
import StateStorage
import Synchronization
import SystemPackage
import Testing

@testable import RemoteZone
@testable import SessionCore
@testable import SyncEngine
@testable import SyncService

/// A courier that holds every answer back until it is told to give one.
private final class HeldCourier: CloudKitTransport {
    private struct State {
        var tokens = 0
        var polls: [String] = []
        var waiting: [Int: CheckedContinuation<TransportResponse?, Never>] = [:]
    }

    private let state = Mutex(State())

    /// The addresses that were asked, in order.
    var polls: [String] { state.withLock(\.polls) }

    /// Answers whoever waits.
    func answer(_ body: String = "") {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.values.map(\.self)
        }
        for waiter in waiting { waiter.resume(returning: TransportResponse(status: 200, body: Array(body.utf8))) }
    }

    /// Waits until it was asked so often.
    func asked(_ count: Int) async {
        await until { polls.count >= count }
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard request.lane == .courier else {
            let number = state.withLock { state in
                state.tokens += 1
                return state.tokens
            }
            let body =
                #"{"apnsEnvironment": "development", "apnsToken": "t\#(number)", "webcourierURL": "https://courier/\#(number)"}"#
            return TransportResponse(status: 200, body: Array(body.utf8))
        }
        let number = state.withLock { state in
            state.polls.append(request.url)
            return state.polls.count
        }
        let response = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    guard !Task.isCancelled else { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if isCancelled { continuation.resume(returning: nil) }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: nil)
        }
        guard let response else { throw .cancelled() }
        return response
    }

    func download(
        _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        throw .unreachable("nothing is downloaded here")
    }
}

@Suite("Listening at the courier (S0.12, S0.13)", .timeLimit(.minutes(30)))
struct CourierTests {
    /// A listener at work on time that is moved by hand.
    private struct Stage {
        let time = HandMovedClock()
        let courier = HeldCourier()
        let feed = DatabaseFeed()
        let inbox = Inbox()
        let network: NetworkReach

        init() {
            network = NetworkReach(clock: time.clock, connect: { _, _ throws(TransportError) in })
        }

        /// Runs a test while somebody listens.
        static func run(_ body: (Stage) async throws -> Void) async throws {
            let place = FilePath(NSTemporaryDirectory()).appending("zonefolder-courier-\(UUID().uuidString)")
            try FileManager.default.createDirectory(atPath: place.string, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: place.string) }
            let stage = Stage()
            let filter = PushFilter(container: EngineWorld.container, scope: .private, subscriptionIDs: ["changes"])
            let seat = FeedSeat(
                of: PushListener(news: stage.inbox.news, filter: filter, zone: ZoneID(zoneName: "Notes")))
            seat.take(stage.feed)
            let store = try StateStore(of: try StateDirectory.create(in: place))
            let listener = CourierListener(
                database: CloudKitDatabase(
                    DatabaseAddress(container: EngineWorld.container, environment: .development, scope: .private),
                    session: WebAuthSession(apiToken: "api", store: InMemoryTokenStore(WebAuthToken("token"))),
                    transport: stage.courier, logger: EngineWorld.quiet),
                store: store, seat: seat, clock: stage.time.clock, network: stage.network, logger: EngineWorld.quiet)
            let listening = Task { await listener.run() }
            await stage.courier.asked(1)
            #expect(stage.inbox.news.takePushes().isOfDatabase != nil, "what was pushed before is not waited for")
            try await body(stage)
            listening.cancel()
            await listening.value
            try store.close()
        }
    }

    @Test(
        "One that hangs is asked anew a minute after the time at which couriers answer, and what it may have lost is fetched"
    )
    func hanging() async throws {
        try await Stage.run { stage in
            await stage.time.untilAsleep()
            stage.time.advance(by: .seconds(119))
            #expect(stage.courier.polls.count == 1 && stage.inbox.news.takePushes() == .init())
            stage.time.advance(by: .seconds(1))
            await stage.courier.asked(2)
            #expect(stage.courier.polls == ["https://courier/1", "https://courier/1"])
            #expect(stage.inbox.news.takePushes().isOfDatabase != nil)
        }
    }

    @Test("One that answers after 45 s when it has nothing to tell hangs after 105 s")
    func learnt() async throws {
        try await Stage.run { stage in
            await stage.time.untilAsleep()
            stage.time.advance(by: .seconds(45))
            stage.courier.answer()
            await stage.courier.asked(2)
            await stage.time.untilAsleep()
            stage.time.advance(by: .seconds(105))
            await stage.courier.asked(3)
        }
    }

    @Test(
        "How long a courier may hold its answer back",
        arguments: [([], 120), ([45], 105), ([45, 10], 105), ([1], 90), ([58, 61], 121)] as [([Int], Int)])
    func patience(waits: [Int], bound: Int) {
        var patience = CourierPatience()
        for wait in waits { patience.heard(after: .seconds(wait)) }
        #expect(patience.bound == .seconds(bound))
    }

    @Test("When the network returns it is asked anew at once: its connection may be dead, and nobody would say so")
    func returned() async throws {
        try await Stage.run { stage in
            await stage.network.networkCameUp()
            await stage.courier.asked(2)
            #expect(stage.inbox.news.takePushes().isOfDatabase != nil && stage.time.now == .zero)
        }
    }

    @Test("While its host is away nobody asks it, and the return of that is heard at once")
    func away() async throws {
        try await Stage.run { stage in
            let host = ServerOrigin(of: "https://courier")!
            stage.network.failed(nil, at: host, .unreachable, because: "refused")
            stage.courier.answer()
            await stage.time.untilAsleep()
            stage.time.advance(by: .seconds(300))
            for _ in 0..<10 { await Task.yield() }
            #expect(stage.courier.polls.count == 1)
            stage.network.answered(nil, by: host)
            await stage.courier.asked(2)
        }
    }

    @Test("Where pushes seem to go elsewhere a new one is made, and the subscriptions are doubted with it")
    func renewed() async throws {
        try await Stage.run { stage in
            #expect(!stage.inbox.news.takeSubscriptionDoubt(), "the first one replaces none")
            stage.feed.renewCourier()
            await stage.courier.asked(2)
            #expect(stage.courier.polls == ["https://courier/1", "https://courier/2"])
            #expect(stage.inbox.news.takeSubscriptionDoubt())
        }
    }
}
