package import CloudKitClient
package import SyncTiming
import Synchronization

/// Whether the servers can be reached that one process asks: kept for all its folders together, so that one cheap try every
/// few seconds does for all of them, and each learns at once that the network is back.
///
/// ``WatchedTransport`` tells it what becomes of requests, ``run()`` makes the tries.
package final class NetworkReach: Sendable {
    /// Makes a connection and ends it at once.
    package typealias Connect = @Sendable (ServerOrigin, Duration) async throws(TransportError) -> Void

    private struct State {
        var servers: [ServerOrigin: ServerReach] = [:]
        var folders: [ObjectIdentifier: ZoneNews] = [:]
        var doorbells: [ObjectIdentifier: Doorbell] = [:]
        var lastRequest = 0
        /// Counts the network's returns.
        var returns = 0
        var lastArrival: SteadyInstant?
        /// Until when ``NetworkReach/run()`` sleeps; `nil`: until it is woken.
        var wakes: SteadyInstant?
    }

    private let state = Mutex(State())
    private let doorbell = Doorbell()
    private let clock: SessionClock
    private let connect: Connect
    private let onReturn: @Sendable () async -> Void

    /// Nothing is known yet: every server is taken to be there.
    /// - Parameters:
    ///   - connect: The cheap try, which takes the time after which to give up.
    ///   - onReturn: Called before anybody is told that the network is back, to end what was cut off.
    package init(
        clock: SessionClock, connect: @escaping Connect, onReturn: @escaping @Sendable () async -> Void = {}
    ) {
        self.clock = clock
        self.connect = connect
        self.onReturn = onReturn
    }

    /// How a server stands, for those who wait for it: `nil` where requests are answered.
    package func outage(of server: ServerOrigin?) -> (outage: ServerReach.Outage, nextTry: SteadyInstant?)? {
        state.withLock { state in
            guard let reach = server.flatMap({ state.servers[$0] }), let outage = reach.outage else { return nil }
            return (outage, reach.nextTry)
        }
    }

    /// Whether to send a server nothing for now.
    package func isAway(_ server: ServerOrigin?) -> Bool {
        state.withLock { state in server.flatMap { state.servers[$0]?.isAway } ?? false }
    }

    /// Counts the network's returns.
    package var returns: Int { state.withLock(\.returns) }

    // MARK: Who wants to know

    /// Tells a folder of good news from now on.
    package func add(_ folder: ZoneNews) { state.withLock { $0.folders[ObjectIdentifier(folder)] = folder } }

    /// Ends what `add` began.
    package func remove(_ folder: ZoneNews) {
        state.withLock { _ = $0.folders.removeValue(forKey: ObjectIdentifier(folder)) }
    }

    /// Rings with good news from now on.
    package func add(_ doorbell: Doorbell) { state.withLock { $0.doorbells[ObjectIdentifier(doorbell)] = doorbell } }

    /// Ends what `add` began.
    package func remove(_ doorbell: Doorbell) {
        state.withLock { _ = $0.doorbells.removeValue(forKey: ObjectIdentifier(doorbell)) }
    }

    private func tell(_ news: NetworkNews) {
        let (folders, doorbells) = state.withLock { state in
            if news == .returned { state.returns += 1 }
            return (Array(state.folders.values), Array(state.doorbells.values))
        }
        for folder in folders { folder.receive(news) }
        for doorbell in doorbells { doorbell.ring() }
    }

    // MARK: Requests

    private var now: SteadyInstant { clock.now }

    /// Notes that a request leaves; gives its number.
    func asked(_ server: ServerOrigin) -> Int {
        let now = now
        let (number, isSooner) = state.withLock { state in
            state.lastRequest += 1
            state.servers[server, default: ServerReach()].asked(state.lastRequest, at: now)
            return (state.lastRequest, Self.isSooner(state, server))
        }
        if isSooner { doorbell.ring() }
        return number
    }

    /// Notes that a server answered.
    /// - Parameter request: From ``asked(_:)``; `nil` where an answer is not expected soon.
    package func answered(_ request: Int?, by server: ServerOrigin) {
        let isNews = state.withLock { $0.servers[server, default: ServerReach()].answered(request) }
        if isNews { tell(.answered) }
    }

    /// Notes that a server did not answer.
    package func failed(_ request: Int?, at server: ServerOrigin, _ code: TransportError.Code?, because cause: String) {
        let now = now
        let isSooner = state.withLock { state in
            state.servers[server, default: ServerReach()].failed(request, code, because: cause, at: now)
            return Self.isSooner(state, server)
        }
        if isSooner { doorbell.ring() }
    }

    /// Whether a try is due before ``run()`` wakes by itself.
    private static func isSooner(_ state: State, _ server: ServerOrigin) -> Bool {
        guard let next = state.servers[server]?.nextTry else { return false }
        return state.wakes.map { next < $0 } ?? true
    }

    /// A person asks: a server that is away is tried at once.
    package func tryNow(_ server: ServerOrigin?) {
        let now = now
        state.withLock { state in
            if let server { _ = state.servers[server]?.networkCameUp(at: now) }
        }
        doorbell.ring()
    }

    // MARK: The network

    /// At rest, links that come and go, as those of containers do, make one look at the server in so much time.
    private static let arrivalPause = Duration.seconds(5)

    /// A link, an address or a route came up: nobody waits any longer, and whatever was cut off begins anew.
    package func networkCameUp() async {
        let now = now
        let isThere = state.withLock { state in
            var isThere = state.servers.isEmpty
            for server in state.servers.keys where state.servers[server]!.networkCameUp(at: now) { isThere = true }
            guard isThere else { return false }
            if let last = state.lastArrival, now < last.advanced(by: Self.arrivalPause) { return false }
            state.lastArrival = now
            return true
        }
        doorbell.ring()
        await onReturn()
        if isThere { tell(.returned) }
    }

    /// Tries the servers that are away, and those that owe an answer for long, until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let now = now
                let (due, next) = state.withLock { state in
                    var due: [(ServerOrigin, Int)] = []
                    for server in state.servers.keys {
                        if let number = state.servers[server]!.beginTry(at: now) { due.append((server, number)) }
                    }
                    state.wakes = state.servers.values.compactMap(\.nextTry).min()
                    return (due, state.wakes)
                }
                for (server, number) in due { group.addTask { await self.tries(server, number) } }
                await doorbell.wait(until: next, on: clock)
            }
            group.cancelAll()
        }
    }

    private func tries(_ server: ServerOrigin, _ number: Int) async {
        do {
            try await connect(server, ServerReach.pause)
        } catch {
            guard error.code != .cancelled else { return }
            let now = now
            let folders = state.withLock { state in
                state.servers[server]?.notConnected(number, because: error.message, at: now)
                return Array(state.folders.values)
            }
            doorbell.ring()
            // Who waits for no longer than until it was tried may go.
            for folder in folders { folder.doorbell.ring() }
            return
        }
        guard state.withLock({ $0.servers[server]?.connected() ?? false }) else { return }
        await onReturn()
        tell(.returned)
    }
}
