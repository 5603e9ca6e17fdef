import CloudKitClient
import SyncTiming
import Synchronization
import Testing

@testable import RemoteZone

@Suite("What the folders of a process know of the network together", .timeLimit(.minutes(30)))
struct NetworkReachTests {
    /// A server that listens or not.
    private final class Listener: Sendable {
        let listens = Mutex(false)
        let tries = Mutex(0)

        func connect(_ server: ServerOrigin, _ limit: Duration) async throws(TransportError) {
            tries.withLock { $0 += 1 }
            guard listens.withLock(\.self) else { throw .unreachable("refused") }
        }
    }

    private static let server = ServerOrigin(of: "http://server:80")!

    @Test("For 5 min without a server, 20 folders make one try each 5 s together, and all hear of its return")
    func oneForAll() async {
        let (time, listener) = (HandMovedClock(), Listener())
        let network = NetworkReach(clock: time.clock, connect: listener.connect)
        let folders = (0..<20).map { _ in ZoneNews(doorbell: Doorbell()) }
        for folder in folders { network.add(folder) }
        for _ in folders { network.failed(nil, at: Self.server, .unreachable, because: "refused") }
        let running = Task { await network.run() }
        var tries = 0
        for second in 1...300 {
            await time.untilAsleep()
            time.advance(by: .seconds(1))
            tries += (second - 1) % 5 == 0 ? 1 : 0
            await until { listener.tries.withLock(\.self) >= tries }
        }
        #expect(listener.tries.withLock(\.self) == 60)
        #expect(network.isAway(Self.server) && folders.allSatisfy { $0.takeNetworkNews() == nil })

        listener.listens.withLock { $0 = true }
        await time.untilAsleep()
        time.advance(by: .seconds(5))
        for folder in folders {
            var news: NetworkNews?
            await until {
                news = folder.takeNetworkNews()
                return news != nil
            }
            #expect(news == .returned)
        }
        #expect(listener.tries.withLock(\.self) == 61 && !network.isAway(Self.server))
        running.cancel()
        await running.value
    }

    @Test("A link that comes up ends what was cut off before anybody is told, and at rest is told of once in 5 s")
    func cameUp() async {
        let time = HandMovedClock()
        let ended = Mutex(0)
        let network = NetworkReach(
            clock: time.clock, connect: Listener().connect, onReturn: { ended.withLock { $0 += 1 } })
        let folder = ZoneNews(doorbell: Doorbell())
        network.add(folder)
        await network.networkCameUp()
        #expect(ended.withLock(\.self) == 1 && folder.takeNetworkNews() == .returned && network.returns == 1)
        time.advance(by: .seconds(4))
        await network.networkCameUp()
        #expect(folder.takeNetworkNews() == nil)
        time.advance(by: .seconds(2))
        await network.networkCameUp()
        #expect(folder.takeNetworkNews() == .returned)
    }

    @Test("What one server answers is no news of another one")
    func servers() {
        let time = HandMovedClock()
        let network = NetworkReach(clock: time.clock, connect: Listener().connect)
        let other = ServerOrigin(of: "https://other")!
        network.failed(nil, at: Self.server, .unreachable, because: "refused")
        network.answered(nil, by: other)
        #expect(network.isAway(Self.server) && !network.isAway(other) && network.outage(of: other) == nil)
    }
}
