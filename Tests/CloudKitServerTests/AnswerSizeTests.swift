import CloudKitWire
import GRDB
import Testing

@testable import CloudKitServer

private typealias Record = CloudKitWire.Record

/// No answer holds more than the server's memory can, however small its request is.
@Suite("The size of one answer")
struct AnswerSizeTests {
    private let store: RecordStore
    private let caller: Caller

    init() throws {
        store = try RecordStore(writer: DatabaseQueue(), surroundings: ManualClock(seed: 1).surroundings)
        let user = try store.addUser(name: "ada", container: "iCloud.example", environment: "development")
        caller = try #require(
            try store.caller(
                userRecordName: user.userRecordName, container: "iCloud.example", environment: "development"))
        _ = try store.modifyZones(
            ZonesModifyRequest(operations: ["A", "B", "C"].map { ZoneOperation(.create, ZoneID(zoneName: $0)) }),
            as: caller)
    }

    /// A million bytes each.
    private func save(
        _ names: [String], in zone: String, _ kind: RecordOperation.Kind = .forceUpdate, atomic: Bool = false
    ) throws -> [ItemResult<Record>] {
        let operations = names.map { name in
            var record = Record(recordName: name, recordType: "Note")
            record.fields["text"] = Field(.string(String(repeating: "x", count: 1_000_000)))
            return RecordOperation(kind, record)
        }
        return try store.modify(
            RecordsModifyRequest(operations: operations, zoneID: ZoneID(zoneName: zone), atomic: atomic), as: caller
        ).records
    }

    private func codes<Item>(_ results: [ItemResult<Item>]) -> [ServerErrorCode?] {
        results.map { if case .failure(let error) = $0 { error.serverErrorCode } else { nil } }
    }

    @Test("The same large record, named 200 times, is answered until the answer is full, and the rest when asked again")
    func lookup() throws {
        #expect(codes(try save(["n"], in: "A")) == [nil])
        var names = Array(repeating: "n", count: 40)
        var requests = 0
        while !names.isEmpty {
            let answer = try store.lookup(
                RecordsLookupRequest(recordNames: names, zoneID: ZoneID(zoneName: "A")), as: caller)
            requests += 1
            let left = answer.records.filter { if case .failure = $0 { true } else { false } }
            for case .failure(let error) in left {
                #expect(error.serverErrorCode == .tryAgainLater && error.retryAfter == 0 && error.recordName == "n")
            }
            #expect(names.count - left.count <= 16)
            names = Array(repeating: "n", count: left.count)
        }
        #expect(requests == 3)
    }

    @Test("The zones of one request share a page's bytes; each is read to its end all the same")
    func zones() throws {
        for zone in ["A", "B", "C"] { #expect(codes(try save(["1", "2", "3"], in: zone)) == [nil, nil, nil]) }
        var tokens: [String: String] = [:]
        var found: [String: [String]] = [:]
        var open = ["A", "B", "C"]
        var requests = 0
        while !open.isEmpty, requests < 10 {
            let queries = open.map { ZoneChangesQuery(zoneID: ZoneID(zoneName: $0), syncToken: tokens[$0]) }
            let answer = try store.zoneChanges(ZoneChangesRequest(zones: queries), as: caller)
            requests += 1
            var count = 0
            for (zone, result) in zip(open, answer.zones) {
                switch result {
                case .success(let page):
                    // Never a page that looks like no progress.
                    #expect(page.syncToken != tokens[zone])
                    tokens[zone] = page.syncToken
                    for case .success(let record) in page.records {
                        found[zone, default: []].append(record.recordName!)
                    }
                    count += page.records.count
                    if !page.moreComing { open.removeAll { $0 == zone } }
                case .failure(let error):
                    #expect(error.serverErrorCode == .tryAgainLater && error.retryAfter == 0)
                    #expect(error.zoneID?.zoneName == zone)
                }
            }
            #expect(1...4 ~= count)
        }
        #expect(requests == 3)
        #expect(found == ["A": ["1", "2", "3"], "B": ["1", "2", "3"], "C": ["1", "2", "3"]])
    }

    @Test("A zone is asked for once in a request, whatever its owner is called", arguments: [nil, "__defaultOwner__"])
    func sameZone(owner: String?) throws {
        let zones = [ZoneID(zoneName: "A"), ZoneID(zoneName: "A", ownerRecordName: owner ?? caller.userRecordName)]
        let error = #expect(throws: ErrorDictionary.self) {
            try store.zoneChanges(ZoneChangesRequest(zones: zones.map { ZoneChangesQuery(zoneID: $0) }), as: caller)
        }
        #expect(error?.serverErrorCode == .badRequest)
    }

    @Test("An operation whose record the answer has no room for is not carried out, and goes through when sent again")
    func modify() throws {
        let names = (10..<30).map { "\($0)" }
        let answer = codes(try save(names, in: "A"))
        #expect(answer == Array(repeating: nil, count: 16) + Array(repeating: .tryAgainLater, count: 4))
        let looked = try store.lookup(
            RecordsLookupRequest(recordNames: Array(names.suffix(4)), zoneID: ZoneID(zoneName: "A")), as: caller)
        #expect(codes(looked.records) == Array(repeating: .notFound, count: 4))
        #expect(codes(try save(Array(names.suffix(4)), in: "A", .create)) == [nil, nil, nil, nil])
    }

    @Test("Where all or nothing is asked for, it is nothing, and nobody is told to try the same again")
    func atomic() throws {
        let answer = codes(try save((10..<30).map { "\($0)" }, in: "A", atomic: true))
        #expect(Set(answer) == [.badRequest, .atomicError])
        let feed = try store.zoneChanges(
            ZoneChangesRequest(zones: [ZoneChangesQuery(zoneID: ZoneID(zoneName: "A"))]), as: caller)
        guard case .success(let page) = feed.zones[0] else { return #expect(Bool(false), "\(feed)") }
        #expect(page.records.isEmpty)
    }
}
