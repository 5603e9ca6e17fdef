import CloudKitServer
import CloudKitWire
import Foundation
import SeededRandomness
import Synchronization
import Testing

/// Requests that nobody would send. `ZONEFOLDER_FUZZ` sets how many; `ZONEFOLDER_SEED` replays a run.
@Suite("Fuzz", .timeLimit(.minutes(30)))
struct FuzzTests {
    static let count = ProcessInfo.processInfo.environment["ZONEFOLDER_FUZZ"].flatMap { Int($0) } ?? 10_000
    static let seeds = [ProcessInfo.processInfo.environment["ZONEFOLDER_SEED"].flatMap { UInt64($0) } ?? 1]
    /// Of a single answer. Measured by the client, connection included, with three others at work beside it. A machine
    /// does other things, too: what takes longer is sent again, and the request is slow only where it always is.
    static let limit: Duration = .seconds(1)
    static let repetitions = 5

    @Test("Nothing makes the server crash, fail or save half of a request", arguments: seeds)
    func fuzz(seed: UInt64) async throws {
        print("seed \(seed), \(Self.count) requests: ZONEFOLDER_SEED=\(seed) ZONEFOLDER_FUZZ=\(Self.count)")
        try await withServer { server in
            let tally = Tally()
            try await withThrowingTaskGroup(of: Void.self) { workers in
                for worker in 0..<4 {
                    let user = try server.server.store.addUser(
                        name: "user\(worker)", container: TestServer.container, environment: "development")
                    let client = TestServer(server: server.server, port: server.port, user: user)
                    workers.addTask {
                        try await Self.work(client, seed: seed &* 4 &+ UInt64(worker), count: Self.count / 4, tally)
                    }
                }
                try await workers.waitForAll()
            }
            print("answers by status: \(tally.summary)")
            #expect(tally.slowest < Self.limit)
            // A run that is refused throughout, or accepted throughout, has tried little.
            #expect(tally.statuses[200, default: 0] > Self.count / 20)
            #expect(tally.statuses[400, default: 0] > Self.count / 20)
        }
    }

    private static func work(_ client: TestServer, seed: UInt64, count: Int, _ tally: Tally) async throws {
        var requests = RandomRequests(seed: seed)
        let caller = try #require(
            try client.server.store.caller(
                userRecordName: client.user.userRecordName, container: TestServer.container, environment: "development")
        )
        let token = { try client.server.store.databaseChanges(DatabaseChangesRequest(), as: caller).syncToken }
        var before = try token()
        for number in 0..<count {
            let (path, body) = requests.next()
            func send() async throws -> (TestServer.Reply, Duration) {
                let start = ContinuousClock.now
                let reply = try await client.send("POST", path, body)
                return (reply, ContinuousClock.now - start)
            }
            let (reply, first) = try await send()
            var duration = first
            tally.note(reply.status)
            for _ in 0..<Self.repetitions where duration >= Self.limit { duration = min(duration, try await send().1) }
            tally.note(duration)
            let request: Comment = "seed \(seed), request \(number): \(path) \(body.prefix(500))"
            #expect(reply.status < 500, request)
            if reply.status == 200 { #expect(!reply.json.isAbsent, request) }
            let after = try token()
            // A request that is refused as a whole has changed nothing, and so has an atomic one that failed.
            if reply.status >= 400 || reply.text.contains("ATOMIC_ERROR") { #expect(before == after, request) }
            before = after
        }
        try await checkFeed(client)
    }

    /// What the feed says of each zone is what lookups say.
    private static func checkFeed(_ client: TestServer) async throws {
        for zone in try await client.get("zones/list")["zones"].items.dropFirst() {
            let id = zone["zoneID"].text!
            var token = ""
            var more = true
            while more {
                let page = try await client.post("changes/zone", #"{"zones":[{"zoneID":\#(id)\#(token)}]}"#)["zones"][0]
                #expect(page["serverErrorCode"].isAbsent)
                for record in page["records"].items {
                    let name = String(decoding: Array(record["recordName"].text!.utf8), as: UTF8.self)
                    let found = try await client.post(
                        "records/lookup", #"{"zoneID":\#(id),"records":[{"recordName":\#(name)}]}"#)["records"][0]
                    #expect(found["recordChangeTag"].string == record["recordChangeTag"].string)
                    #expect(found["fields"].text == record["fields"].text)
                    #expect((found["serverErrorCode"].string == "NOT_FOUND") == (record["deleted"].bool == true))
                }
                token = #","syncToken":\#(page["syncToken"].text!)"#
                more = page["moreComing"].bool == true
            }
        }
    }

    private final class Tally: Sendable {
        private let state = Mutex<(statuses: [Int: Int], slowest: Duration)>(([:], .zero))
        var statuses: [Int: Int] { state.withLock { $0.statuses } }
        var slowest: Duration { state.withLock { $0.slowest } }
        var summary: String {
            statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
                + "; the slowest took \(slowest)"
        }

        func note(_ status: Int) { state.withLock { $0.statuses[status, default: 0] += 1 } }
        func note(_ duration: Duration) { state.withLock { $0.slowest = max($0.slowest, duration) } }
    }
}

/// Requests made from good ones by breaking them, by seed.
struct RandomRequests {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private static let good: [(String, String)] = [
        ("zones/modify", #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"F"}}}]}"#),
        ("zones/modify", #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"G"}}}]}"#),
        ("zones/lookup", #"{"zones":[{"zoneName":"F"},{"zoneName":"G"}]}"#), ("zones/list", "{}"),
        (
            "records/modify",
            #"{"zoneID":{"zoneName":"F"},"atomic":true,"operations":[{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"a","fields":{"s":{"value":"x","type":"STRING"},"n":{"value":7,"type":"INT64"},"d":{"value":0.5,"type":"DOUBLE"},"l":{"value":["a","b"],"type":"STRING_LIST"},"r":{"value":{"recordName":"b","action":"DELETE_SELF"},"type":"REFERENCE"}}}},{"operationType":"forceDelete","record":{"recordName":"b"}}]}"#
        ),
        (
            "records/modify",
            #"{"zoneID":{"zoneName":"F"},"atomic":false,"numbersAsStrings":true,"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"c","parent":{"recordName":"a"},"fields":{"t":{"value":1790000000000,"type":"TIMESTAMP"},"b":{"value":"AAEC","type":"BYTES"},"p":{"value":{"latitude":1,"longitude":2},"type":"LOCATION"},"e":{"value":"x","type":"STRING","isEncrypted":true}}}},{"operationType":"update","record":{"recordName":"a","recordChangeTag":"3","fields":{"s":{"value":null}}}}]}"#
        ),
        (
            "records/lookup",
            #"{"zoneID":{"zoneName":"F"},"desiredKeys":["s","n"],"records":[{"recordName":"a"},{"recordName":"zz"}]}"#
        ),
        (
            "changes/zone",
            #"{"zones":[{"zoneID":{"zoneName":"F"},"syncToken":"WgEAAAAAAAAAAgAAAAAAAAACAAAAAAAA","resultsLimit":10,"desiredKeys":["s"],"reverse":false}]}"#
        ),
        ("changes/zone", #"{"zones":[{"zoneID":{"zoneName":"F"}}],"resultsLimit":2,"numbersAsStrings":true}"#),
        ("changes/database", #"{"resultsLimit":10}"#),
        (
            "subscriptions/modify",
            #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"s","subscriptionType":"zone","zoneID":{"zoneName":"F"},"notificationInfo":{"shouldSendContentAvailable":true}}}]}"#
        ),
        ("subscriptions/lookup", #"{"subscriptions":[{"subscriptionID":"s"}]}"#), ("subscriptions/list", "{}"),
        (
            "assets/upload",
            #"{"zoneID":{"zoneName":"F"},"tokens":[{"recordType":"File","recordName":"a","fieldName":"content"}]}"#
        ),
        ("assets/rereference", #"{"zoneID":{"zoneName":"F"},"assets":[{"recordName":"a","fieldName":"content"}]}"#),
        (
            "records/modify",
            #"{"zoneID":{"zoneName":"F"},"operations":[{"operationType":"forceUpdate","record":{"recordType":"cloudkit.share","recordName":"s","forRecord":{"recordName":"a"},"publicPermission":"READ_ONLY","participants":[{"userIdentity":{"lookupInfo":{"emailAddress":"x@example.com"}},"permission":"READ_WRITE","type":"USER","acceptanceStatus":"INVITED"}],"fields":{"cloudkit.title":{"value":"x"}}}},{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"c","parent":{"recordName":"a"},"createShortGUID":true}}]}"#
        ),
        (
            "records/modify",
            #"{"zoneID":{"zoneName":"F"},"operations":[{"operationType":"forceDelete","record":{"recordName":"s"}},{"operationType":"forceUpdate","record":{"recordType":"cloudkit.share","recordName":"cloudkit.zoneshare","publicPermission":"NONE"}}]}"#
        ),
        ("public/records/resolve", #"{"shortGUIDs":[{"value":"0abc","shouldFetchRootRecord":true}]}"#),
        ("public/records/accept", #"{"shortGUIDs":[{"value":"0abc","rootRecordDesiredKeys":["s"]}]}"#),
        ("shared/changes/database", #"{"resultsLimit":10}"#),
        (
            "shared/records/lookup",
            #"{"zoneID":{"zoneName":"F","ownerRecordName":"_00112233445566778899aabbccddeeff"},"records":[{"recordName":"a"}]}"#
        ),
        (
            "records/query",
            #"{"zoneID":{"zoneName":"F"},"resultsLimit":2,"query":{"recordType":"Note","filterBy":[{"comparator":"EQUALS","fieldName":"s","fieldValue":{"value":"x","type":"STRING"}}],"sortBy":[{"fieldName":"n","ascending":false}]}}"#
        ),
        ("records/changes", #"{"zoneID":{"zoneName":"F"},"resultsLimit":3}"#), ("zones/changes", "{}"),
        ("tokens/create", #"{"apnsEnvironment":"development","clientId":"c"}"#),
    ]

    /// What breaks parsers, databases and arithmetic.
    private static let spice: [String] = [
        "null", "true", "-1", "0", "1e400", "-0", "1.5", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "18446744073709551616", "[]", "{}", "[[]]", #""""#, #""\ud800""#, #""\u0000""#,
        #""_defaultZone""#, #""__defaultOwner__""#, #""' OR 1=1 --""#, #""%00""#, #""../../etc/passwd""#, "\"\u{0}\"",
        "{",
        "}", "\"", ",", ":", "\u{FEFF}", #""e\u0301""#, #""é""#, #"{"value":null}"#, "\\", "NaN", "Infinity", "/*",
        String(repeating: "[", count: 10_000), String(repeating: #"{"a":"#, count: 3_000),
        "\"" + String(repeating: "x", count: 300) + "\"", String(repeating: "9", count: 400),
    ]

    mutating func next() -> (path: String, body: String) {
        let (operation, good) = Self.good[Int.random(in: 0..<Self.good.count, using: &random)]
        var body = Array(good.utf8)
        for _ in 0..<Int.random(in: 0...4, using: &random) { mutate(&body) }
        return (path(of: operation), String(decoding: body, as: UTF8.self))
    }

    private mutating func mutate(_ body: inout [UInt8]) {
        let at = Int.random(in: 0...body.count, using: &random)
        let to = min(body.count, at + Int.random(in: 0...12, using: &random))
        switch Int.random(in: 0..<7, using: &random) {
        case 0: if at < body.count { body[at] = UInt8.random(in: .min ... .max, using: &random) }
        case 1: body.removeSubrange(at..<to)
        case 2: body.insert(contentsOf: body[at..<to], at: at)
        case 3: body.replaceSubrange(at..<to, with: Self.spice.randomElement(using: &random)!.utf8)
        case 4: replaceValue(&body)
        case 5: swapStrings(&body)
        default: body.removeSubrange(at...)
        }
    }

    /// Puts something else after a colon: the JSON stays whole, mostly.
    private mutating func replaceValue(_ body: inout [UInt8]) {
        let colons = body.indices.filter { body[$0] == UInt8(ascii: ":") }
        guard let colon = colons.randomElement(using: &random) else { return }
        let end = body[(colon + 1)...].firstIndex { ",}]".utf8.contains($0) } ?? body.endIndex
        body.replaceSubrange((colon + 1)..<end, with: Self.spice.randomElement(using: &random)!.utf8)
    }

    /// Puts one string of the body, a key or a value, in another's place.
    private mutating func swapStrings(_ body: inout [UInt8]) {
        let quotes = body.indices.filter { body[$0] == UInt8(ascii: "\"") }
        guard quotes.count > 3 else { return }
        let from = Int.random(in: 0..<quotes.count / 2, using: &random) * 2
        let to = Int.random(in: 0..<quotes.count / 2, using: &random) * 2
        let text = Array(body[quotes[from]...quotes[from + 1]])
        body.replaceSubrange(quotes[to]...quotes[to + 1], with: text)
    }

    private mutating func path(of operation: String) -> String {
        let names = operation.split(separator: "/").map(String.init)
        let hasDatabase = DatabaseScope(rawValue: names[0]) != nil
        var parts = ["database", "1", TestServer.container, "development"] + (hasDatabase ? [] : ["private"]) + names
        if operation.hasPrefix("tokens") { parts.remove(at: 4) }
        if Int.random(in: 0..<10, using: &random) == 0 {
            let strange = [
                "", "%", "%zz", "%00", "..", "%2F", "public", "shared",
                "é".addingPercentEncoding(withAllowedCharacters: [])!, String(repeating: "a", count: 5_000),
            ]
            parts[Int.random(in: 0..<parts.count, using: &random)] = strange.randomElement(using: &random)!
        }
        return "/" + parts.joined(separator: "/")
    }
}
