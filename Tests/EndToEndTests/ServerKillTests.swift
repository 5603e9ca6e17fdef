import Foundation
import SeededRandomness
import Synchronization
import Testing

/// `kill -9` of the server while it is written to. `ZONEFOLDER_SERVER_KILLS` sets how often; `ZONEFOLDER_SEED` replays a
/// run as far as the machine's timing lets it.
@Suite("A server killed at any instant", .timeLimit(.minutes(15)))
struct ServerKillTests {
    static let kills = ProcessInfo.processInfo.environment["ZONEFOLDER_SERVER_KILLS"].flatMap { Int($0) } ?? 25
    static let seeds = [ProcessInfo.processInfo.environment["ZONEFOLDER_SEED"].flatMap { UInt64($0) } ?? 1]
    static let writers = 3

    @Test(
        "What was answered is there, every token gives the difference, and none stands for two states", arguments: seeds
    )
    func kill(seed: UInt64) async throws {
        print("seed \(seed), \(Self.kills) kills: ZONEFOLDER_SEED=\(seed) ZONEFOLDER_SERVER_KILLS=\(Self.kills)")
        var random = SeededGenerator(seed: seed)
        let world = try await RealWorld()
        let reader = FeedReader(try await ForeignClient(world))
        try await reader.client.post(
            "zones/modify", #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Notes"}}}]}"#)
        var writers: [RecordWriter] = []
        for number in 0..<Self.writers {
            writers.append(RecordWriter(try await ForeignClient(world), number: number, seed: random.next()))
        }

        for _ in 0..<Self.kills {
            let pause = Duration.milliseconds(Int.random(in: 20...400, using: &random))
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for writer in writers { tasks.addTask { await writer.writeUntilCut() } }
                tasks.addTask { await reader.readUntilCut() }
                try await Task.sleep(for: pause)
                try await world.killServer()
                try await tasks.waitForAll()
            }
            try await world.startServer()
            try await reader.catchUp()
            for writer in writers { await writer.check(try await reader.values()) }
        }

        var answered = 0
        for writer in writers { answered += await writer.answered }
        let states = await reader.states
        print("\(answered) writes were answered, \(states.count) tokens seen")
        #expect(answered > 0 && states.count > 1, "nothing was shown")
        try await reader.checkDifferences()
    }
}

/// Saves and deletes records of its own, and remembers what it was answered.
actor RecordWriter {
    private let client: ForeignClient
    private let number: Int
    private var random: SeededGenerator
    private var counter = 0
    private(set) var answered = 0
    /// By name: the value that the server confirmed last, `nil` once it confirmed the deletion; and what was asked for
    /// since without an answer.
    private var records: [String: (confirmed: Int?, open: [Int?])] = [:]

    init(_ client: ForeignClient, number: Int, seed: UInt64) {
        self.client = client
        self.number = number
        random = SeededGenerator(seed: seed)
    }

    /// Writes until a request has no answer.
    func writeUntilCut() async {
        while true {
            // One to twenty records in one atomic request.
            var values: [String: Int?] = [:]
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                counter += 1
                let name = "w\(number)-\(Int.random(in: 0..<40, using: &random))"
                values[name] = .some(Int.random(in: 0..<5, using: &random) == 0 ? nil : counter)
            }
            for (name, value) in values { records[name, default: (nil, [])].open.append(value) }
            let operations = values.map { name, value in
                value.map {
                    #"{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"\#(name)","fields":{"v":{"value":\#($0),"type":"INT64"}}}}"#
                } ?? #"{"operationType":"forceDelete","record":{"recordName":"\#(name)"}}"#
            }
            let body = #"{"zoneID":{"zoneName":"Notes"},"operations":[\#(operations.joined(separator: ","))]}"#
            guard let answer = try? await client.post("records/modify", body) else { return }
            #expect(!String(decoding: answer, as: UTF8.self).contains("serverErrorCode"))
            answered += 1
            for (name, value) in values { records[name] = (value, []) }
        }
    }

    /// What is there is what was answered last, or what was asked for since; from now on it is the truth.
    func check(_ values: [String: Int]) {
        for (name, record) in records {
            let value = values[name]
            #expect(
                value == record.confirmed || record.open.contains(value),
                "\(name) is \(value.map(String.init) ?? "gone"), confirmed was \(record.confirmed.map(String.init) ?? "gone")"
            )
            records[name] = (value, [])
        }
    }
}

/// Follows the zone's feed, and remembers what each token stood for.
actor FeedReader {
    /// What a record is at a token.
    struct State: Hashable {
        var tag: String
        var value: Int
    }

    let client: ForeignClient
    private(set) var states: [String: [String: State]] = [:]
    private var token: String?
    private var current: [String: State] = [:]

    init(_ client: ForeignClient) {
        self.client = client
    }

    func values() throws -> [String: Int] { current.mapValues(\.value) }

    /// Reads until a request has no answer.
    func readUntilCut() async {
        while (try? await catchUp()) != nil {}
    }

    /// Reads to the end of the feed.
    func catchUp() async throws {
        while true {
            let page = try await page(since: token)
            apply(page, to: &current)
            token = page.token
            guard !page.moreComing else { continue }
            if let before = states.updateValue(current, forKey: page.token) {
                #expect(before == current, "one token stood for two states")
            }
            return
        }
    }

    /// From every token that was ever seen, the feed brings the records that changed since, and no others.
    func checkDifferences() async throws {
        for (token, before) in states {
            var state = before
            var next = token
            while true {
                let page = try await page(since: next)
                for (name, change) in page.changes {
                    #expect(change == nil || change != before[name], "\(name) did not change since")
                }
                apply(page, to: &state)
                next = page.token
                if !page.moreComing { break }
            }
            #expect(state == current)
            #expect(next == self.token)
        }
    }

    private struct Page {
        var changes: [(name: String, state: State?)] = []
        var token = ""
        var moreComing = false
    }

    private func apply(_ page: Page, to state: inout [String: State]) {
        for (name, change) in page.changes { state[name] = change }
    }

    private func page(since token: String?) async throws -> Page {
        struct Answer: Decodable {
            struct Record: Decodable {
                struct Field: Decodable { var value: Int }
                var recordName: String
                var recordChangeTag: String?
                var deleted: Bool
                var fields: [String: Field]?
            }
            struct Zone: Decodable {
                var records: [Record]
                var syncToken: String
                var moreComing: Bool
            }
            var zones: [Zone]
        }
        let since = token.map { #","syncToken":"\#($0)""# } ?? ""
        let bytes = try await client.post("changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"}\#(since)}]}"#)
        let zone = try JSONDecoder().decode(Answer.self, from: bytes).zones[0]
        let changes = zone.records.map { record -> (String, State?) in
            guard !record.deleted, let tag = record.recordChangeTag, let value = record.fields?["v"]?.value else {
                return (record.recordName, nil)
            }
            return (record.recordName, State(tag: tag, value: value))
        }
        return Page(changes: changes, token: zone.syncToken, moreComing: zone.moreComing)
    }
}
