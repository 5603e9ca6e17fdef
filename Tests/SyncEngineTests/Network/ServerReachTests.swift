import CloudKitClient
import SyncTiming
import Testing

@testable import RemoteZone

@Suite("Whether a server can be reached, and when it is tried")
struct ServerReachTests {
    private var reach = ServerReach()

    private func at(_ seconds: Double) -> SteadyInstant {
        SteadyInstant(offset: .milliseconds(Int((seconds * 1000).rounded())))
    }

    @Test("Where connecting fails it is tried after a second, then each 5 s, and nothing is sent meanwhile")
    mutating func tries() throws {
        reach.asked(1, at: at(0))
        reach.failed(1, .unreachable, because: "refused", at: at(0))
        #expect(reach.isAway && reach.outage == .init(since: at(0), last: at(0), cause: "refused"))
        var moments: [SteadyInstant] = []
        for tenth in 0..<310 {
            let now = at(Double(tenth) / 10)
            guard let number = reach.beginTry(at: now) else { continue }
            moments.append(now)
            reach.notConnected(number, because: "still refused", at: now)
        }
        #expect(moments == [1, 6, 11, 16, 21, 26].map(at))
        #expect(reach.outage == .init(since: at(0), last: at(26), cause: "still refused"))
        let isNews = reach.connected()
        #expect(isNews && !reach.isAway && reach.nextTry == nil)
        #expect(reach.outage?.since == at(0), "only an answer shows that it is over")
        let isOver = reach.answered(nil)
        #expect(isOver && reach.outage == nil)
    }

    @Test("Requests that fail together are one failure, and put off no try")
    mutating func together() {
        for number in 1...10 { reach.failed(number, .unreachable, because: "refused", at: at(Double(number) / 10)) }
        #expect(reach.nextTry == at(1.1) && reach.outage?.since == at(0.1))
    }

    @Test("A try that hangs is followed by the next one after 5 s, and its own end says nothing then")
    mutating func hanging() {
        reach.failed(nil, .unreachable, because: "no route", at: at(0))
        let first = reach.beginTry(at: at(1))
        #expect(first != nil && reach.nextTry == at(6))
        let second = reach.beginTry(at: at(6))
        #expect(second != nil)
        _ = reach.connected()
        reach.notConnected(first!, because: "no answer in 5 s", at: at(6.1))
        #expect(!reach.isAway)
    }

    @Test("A connection that no request gets through, as with a broken TLS, is not made every 5 s")
    mutating func vainConnections() {
        var (pauses, now) = ([Duration](), at(0))
        for _ in 0..<9 {
            reach.failed(nil, .unreachable, because: "no secure connection", at: now)
            pauses.append(now.duration(to: reach.nextTry!))
            now = reach.nextTry!
            _ = reach.beginTry(at: now)
            _ = reach.connected()
        }
        #expect(pauses == [1, 10, 20, 40, 80, 160, 300, 300, 300].map { .seconds($0) })
        _ = reach.answered(nil)
        reach.failed(nil, .unreachable, because: "refused", at: now)
        #expect(now.duration(to: reach.nextTry!) == .seconds(1))
    }

    @Test("A request that gets no answer for 5 s is a reason to try, ever more seldom while it is only slow")
    mutating func slow() {
        reach.asked(1, at: at(0))
        #expect(reach.nextTry == at(5))
        let first = reach.beginTry(at: at(5))
        #expect(first != nil && reach.nextTry == at(10))
        let isNews = reach.connected()
        #expect(!isNews && reach.outage == nil)
        var moments: [SteadyInstant] = []
        for _ in 0..<5 {
            moments.append(reach.nextTry!)
            _ = reach.beginTry(at: moments.last!)
            _ = reach.connected()
        }
        #expect(moments == [15, 35, 75, 135, 195].map(at))
        // Then the network goes.
        let last = reach.beginTry(at: at(255))
        reach.notConnected(last!, because: "no connection in time", at: at(260))
        #expect(reach.isAway && reach.outage?.since == at(255) && reach.nextTry == at(260))
        let isOver = reach.answered(1)
        #expect(isOver && !reach.isAway && reach.nextTry == nil)
    }

    @Test("An answer after one that did not come is news, and only the first")
    mutating func doubted() {
        reach.failed(nil, .timedOut, because: "no answer in time", at: at(0))
        #expect(!reach.isAway && reach.nextTry == at(0))
        var isNews = reach.answered(nil)
        #expect(isNews)
        isNews = reach.answered(nil)
        #expect(!isNews)
        reach.failed(nil, nil, because: "HTTP 502", at: at(1))
        #expect(reach.nextTry == nil, "a gateway can always be reached")
        isNews = reach.answered(nil)
        #expect(isNews)
    }

    @Test("What is wrong with the file, the disk or the URL says nothing of the server")
    mutating func others() {
        for code in [TransportError.Code.cancelled, .sourceFailed, .sinkFailed, .badURL] {
            reach.asked(1, at: at(0))
            reach.failed(1, code, because: "", at: at(1))
            #expect(reach.outage == nil && reach.nextTry == nil)
        }
    }

    @Test("A link that comes up makes a try at once, also where one hangs, but not one for each of its messages")
    mutating func cameUp() {
        var isThere = reach.networkCameUp(at: at(0))
        #expect(isThere)
        reach.failed(nil, .unreachable, because: "no route", at: at(1))
        _ = reach.beginTry(at: at(2))
        isThere = reach.networkCameUp(at: at(3))
        #expect(!isThere && reach.nextTry == at(3))
        let number = reach.beginTry(at: at(3))
        #expect(number != nil)
        _ = reach.networkCameUp(at: at(3.05))
        #expect(reach.nextTry == at(3.2))
    }
}
