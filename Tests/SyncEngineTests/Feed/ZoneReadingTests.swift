import CloudKitClient
import CloudKitWire
import LosslessJSON
import Synchronization
import Testing

@testable import RemoteZone
@testable import SyncEngine

@Suite("Zones of one database are read together (S0.23, S2.7)", .timeLimit(.minutes(10)))
struct ZoneReadingTests {
    @Test(
        "Who comes alone asks at once; who comes meanwhile is asked for in one request, each with an answer of its own")
    func together() async throws {
        let seen = try await read(["A", "B", "C", "D"])
        #expect(seen.requests == [["A"], ["B", "C", "D"]])
        #expect(seen.answers == ["A", "B", "C", "D"])
    }

    @Test("A request has so many zones at most as pages may be in memory")
    func limited() async throws {
        let seen = try await read(["A", "B", "C", "D", "E", "F"], limit: 2)
        #expect(seen.requests.map(\.count) == [1, 2, 2, 1])
        #expect(seen.answers == ["A", "B", "C", "D", "E", "F"])
    }

    @Test("A zone's own error is its folder's alone (S0.25)")
    func ownError() async throws {
        let seen = try await read(["A", "B", "-C", "D"])
        #expect(seen.requests.count == 2)
        #expect(seen.answers == ["A", "B", "ZONE_NOT_FOUND", "D"])
    }

    @Test(
        "A request that is refused for one of its zones is asked again zone by zone (S0.25)",
        arguments: [400, 404, 500])
    func refusedForOne(status: Int) async throws {
        let seen = try await read(["A", "B", "C", "D"]) { zones in
            zones.contains("C") ? .refusal("ODD", status: status) : nil
        }
        #expect(seen.answers == ["A", "B", "ODD", "D"])
        #expect(seen.requests.map { $0.joined() } == ["A", "BCD", "B", "C", "D"])
    }

    @Test("A server that asks everybody to wait is asked once for all")
    func throttled() async throws {
        let seen = try await read(["A", "B", "C"]) { zones in
            zones.count > 1 ? .refusal("THROTTLED", status: 429) : nil
        }
        #expect(seen.answers == ["A", "THROTTLED", "THROTTLED"])
        #expect(seen.requests.map { $0.joined() } == ["A", "BC"])
    }

    @Test("What the server says of one account is not told of the others, who ask with their own")
    func account() async throws {
        let seen = try await read(["A", "B", "C", "D"]) { zones in
            zones.first == "B" ? .refusal("AUTHENTICATION_REQUIRED", status: 421) : nil
        }
        #expect(seen.answers == ["A", "AUTHENTICATION_REQUIRED", "C", "D"])
        #expect(seen.requests.map { $0.joined() } == ["A", "BCD", "CD"])
    }

    @Test("Who is cancelled while waiting is not asked for")
    func cancelled() async throws {
        let network = Network { _ in nil }
        let reading = ZoneReading()
        let first = Task { try await reading.zone("A", over: network) }
        await network.arrival()
        let second = Task { try await reading.zone("B", over: network) }
        while reading.waitingCount < 1 { await Task.yield() }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        network.open()
        #expect(try await first.value == "A")
        #expect(try await reading.zone("C", over: network) == "C")
        #expect(network.requests == [["A"], ["C"]])
    }

    /// Asks for some zones in their order, for all but the first one while the request for that is under way.
    /// - Parameter fault: What is answered instead of pages for some zones; `nil`: the pages.
    /// - Returns: The zone or the error that each of them got, and the zones of each request.
    private func read(
        _ zones: [String], limit: Int = 20,
        fault: @escaping @Sendable (_ zones: [String]) -> TransportResponse? = { _ in nil }
    ) async throws -> (answers: [String], requests: [[String]]) {
        let network = Network(fault)
        let reading = ZoneReading(limit: limit)
        var tasks: [Task<String, any Error>] = []
        for (index, zone) in zones.enumerated() {
            tasks.append(Task { try await reading.zone(zone, over: network) })
            if index == 0 { await network.arrival() }
            while reading.waitingCount < index { await Task.yield() }
        }
        network.open()
        var answers: [String] = []
        for task in tasks { answers.append(try await task.value) }
        return (answers, network.requests)
    }

    /// Answers `changes/zone`, and holds the first request until it is told to go on.
    private final class Network: CloudKitTransport {
        private let fault: @Sendable ([String]) -> TransportResponse?
        private let asked = Mutex<[[String]]>([])
        private let arrivals = AsyncStream.makeStream(of: Void.self)
        private let opening = AsyncStream.makeStream(of: Void.self)

        init(_ fault: @escaping @Sendable ([String]) -> TransportResponse?) {
            self.fault = fault
        }

        var requests: [[String]] { asked.withLock(\.self) }

        func arrival() async {
            for await _ in arrivals.stream { break }
        }

        func open() {
            opening.continuation.finish()
        }

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            guard case .bytes(let bytes) = request.body else { throw .unreachable("no body") }
            let text = String(decoding: bytes, as: UTF8.self)
            let names = text.matches(of: /"zoneName":"([^"]*)"/).map { String($0.output.1) }
            let isFirst = asked.withLock { asked in
                asked.append(names)
                return asked.count == 1
            }
            if isFirst {
                arrivals.continuation.yield()
                for await _ in opening.stream {}
            }
            if let answer = fault(names) { return answer }
            let pages = names.map { name in
                name.hasPrefix("-")
                    ? #"{"zoneID": {"zoneName": "\#(name)"}, "serverErrorCode": "ZONE_NOT_FOUND", "reason": "gone"}"#
                    : #"{"zoneID": {"zoneName": "\#(name)"}, "syncToken": "t", "moreComing": false, "records": []}"#
            }
            return TransportResponse(status: 200, body: Array(#"{"zones": [\#(pages.joined(separator: ","))]}"#.utf8))
        }

        func download(
            _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
        ) async throws(TransportError) -> TransportResponse {
            throw .unreachable("nothing is downloaded here")
        }
    }
}

extension ZoneReading {
    /// Asks for a zone; gives the zone that was answered, or the error's code.
    fileprivate func zone(_ name: String, over network: any CloudKitTransport) async throws -> String {
        let database = CloudKitDatabase(
            DatabaseAddress(container: EngineWorld.container, environment: .development, scope: .private),
            session: WebAuthSession(apiToken: "api", store: InMemoryTokenStore(WebAuthToken("token"))),
            transport: network, logger: EngineWorld.quiet)
        let query = ZoneChangesQuery(zoneID: ZoneID(zoneName: name), resultsLimit: 200)
        do {
            switch try await page(for: query, asking: database) {
            case .success(let page): return page.zoneID.zoneName
            case .failure(let error): return error.serverErrorCode.rawValue
            }
        } catch let error as CloudKitError {
            guard case .server(let code) = error.code else { return error.message }
            return code.rawValue
        }
    }
}
