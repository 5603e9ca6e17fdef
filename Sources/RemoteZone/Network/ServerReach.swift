import CloudKitClient
package import SyncTiming

/// Whether one server can be reached, and when it is tried where it cannot.
///
/// A value without a clock: the time is handed in, and what happens to requests and to tries. While a server is away nobody
/// sends it requests; a connection is made and ended at once every few seconds instead, for all folders together. What a
/// server refuses is an answer, and no matter of this.
package struct ServerReach: Sendable {
    /// Since when requests get no answer, and why.
    package struct Outage: Hashable, Sendable {
        package var since: SteadyInstant
        /// When a request or a try failed last.
        package var last: SteadyInstant
        package var cause: String
    }

    /// Between two tries.
    static let pause = Duration.seconds(5)
    /// After the first failure: a server that is started anew is back soon.
    static let firstPause = Duration.seconds(1)
    /// A request without an answer for so long is a reason to try.
    static let patience = Duration.seconds(5)
    /// Between two tries, whatever happens: a link that comes up is told of several times.
    private static let shortestPause = Duration.milliseconds(200)
    private static let longestPause = Duration.seconds(300)
    /// Between two tries while a request, as one with a large asset, is only slow.
    private static let longestSlowPause = Duration.seconds(60)

    private(set) var outage: Outage?
    /// Whether a connection came into being since, so that requests make sense.
    private var isConnected = false
    /// Whether a request got no answer since the last one that did.
    private var isDoubted = false
    /// How often in a row a connection came into being, and then no request got through it.
    private var vainConnections = 0
    /// How often in a row a try showed that a request is only slow.
    private var slowTries = 0
    private var dueTry: SteadyInstant?
    private var lastTry: SteadyInstant?
    private var lastNumber = 0
    /// Requests without an answer, by their numbers.
    private var underWay: [Int: SteadyInstant] = [:]

    /// Whether to send nothing for now.
    var isAway: Bool { outage != nil && !isConnected }

    /// When to try next; `nil` where there is no reason to.
    var nextTry: SteadyInstant? {
        if let dueTry { return dueTry }
        guard outage == nil, let oldest = underWay.values.min() else { return nil }
        let first = oldest.advanced(by: Self.patience)
        let pause = min(Self.pause * (1 << min(slowTries, 10)), Self.longestSlowPause)
        return lastTry.map { max(first, $0.advanced(by: pause)) } ?? first
    }

    // MARK: Requests

    /// A request leaves, and is waited for.
    mutating func asked(_ request: Int, at now: SteadyInstant) {
        underWay[request] = now
    }

    /// Something was answered; gives whether that is news.
    mutating func answered(_ request: Int?) -> Bool {
        if let request { underWay[request] = nil }
        let isNews = outage != nil || isDoubted
        (outage, isConnected, isDoubted, vainConnections, slowTries, dueTry) = (nil, false, false, 0, 0, nil)
        return isNews
    }

    /// A request got no answer of the server.
    /// - Parameter code: `nil` where somebody in between answered for it.
    mutating func failed(_ request: Int?, _ code: TransportError.Code?, because cause: String, at now: SteadyInstant) {
        if let request { underWay[request] = nil }
        switch code {
        case .unreachable:
            if isConnected { vainConnections += 1 }
            let wasAway = isAway
            outage = Outage(since: outage?.since ?? now, last: now, cause: cause)
            isConnected = false
            guard !wasAway else { return }
            dueTry = now.advanced(by: vainConnections == 0 ? Self.firstPause : pauseAfterVainConnections)
        case .timedOut, .connectionLost, nil:
            isDoubted = true
            if outage == nil, dueTry == nil, code != nil {
                dueTry = max(now, lastTry?.advanced(by: Self.pause) ?? now)
            }
        // Somebody answers there, whoever it is.
        case .cancelled, .sourceFailed, .sinkFailed, .badURL, .untrusted: break
        }
    }

    private var pauseAfterVainConnections: Duration {
        min(Self.pause * (1 << min(vainConnections, 10)), Self.longestPause)
    }

    // MARK: Tries

    /// Begins a try where one is due; gives its number.
    mutating func beginTry(at now: SteadyInstant) -> Int? {
        guard let nextTry, nextTry <= now else { return nil }
        lastTry = now
        dueTry = outage == nil ? nil : now.advanced(by: Self.pause)
        lastNumber += 1
        return lastNumber
    }

    /// A connection came into being; gives whether that is news.
    mutating func connected() -> Bool {
        guard outage != nil else {
            slowTries += 1
            return false
        }
        dueTry = nil
        isConnected = true
        return true
    }

    /// No connection came into being. Of tries under way at the same time only the newest says that there is none.
    mutating func notConnected(_ number: Int, because cause: String, at now: SteadyInstant) {
        guard number == lastNumber else { return }
        outage = Outage(since: outage?.since ?? lastTry ?? now, last: now, cause: cause)
        isConnected = false
        slowTries = 0
        dueTry = dueTry ?? max(now, (lastTry ?? now).advanced(by: Self.pause))
    }

    /// A link, an address or a route came up; gives whether requests make sense now.
    mutating func networkCameUp(at now: SteadyInstant) -> Bool {
        guard outage != nil else { return true }
        vainConnections = 0
        guard isAway else { return true }
        dueTry = max(now, lastTry?.advanced(by: Self.shortestPause) ?? now)
        return false
    }
}
