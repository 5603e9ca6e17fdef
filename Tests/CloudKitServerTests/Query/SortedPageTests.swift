import CloudKitQueries
import CloudKitSchema
import CloudKitWire
import SeededRandomness
import Testing

@testable import CloudKitServer

@Suite("Pages of a sorted query")
struct SortedPageTests {
    private static let schema = QuerySchema(
        recordType: "Note", types: ["rank": "INT64"], indexes: ["rank": .sortable])

    @Test(
        "A page is the beginning of the order, as many as fit, in whatever order records are found", arguments: 0..<50)
    func page(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let order = try QueryOrder([QuerySort(.user("rank"))], Self.schema)
        let stamp = StoredRecord.stamp(1, "_1")
        let offered = (0..<Int.random(in: 0...40, using: &random)).map { number in
            let size = [10, 1_000_000, 2_500_000].randomElement(using: &random)!
            let stored = StoredRecord(
                id: Int64(number), name: "n\(number)", type: "Note", change: 1,
                fields: String(repeating: " ", count: size), size: size, created: stamp, modified: stamp, parent: nil)
            let rank = Int64.random(in: 0...5, using: &random)
            return (place: QueryPlace(keys: [.integer(rank)], zone: 1, name: Array(stored.name.utf8)), stored: stored)
        }
        let limit = Int.random(in: 1...10, using: &random)
        var page = QueryPage(order: order, limit: limit)
        for record in offered { page.offer(record.stored, at: record.place) }

        let sorted = offered.sorted { order.precedes($0.place, $1.place) }
        var budget = AnswerBudget(limit: StoreLimits.pageBytes)
        let expected = sorted.prefix(limit).prefix { budget.admits($0.stored) }
        #expect(page.found.map(\.stored.id) == expected.map(\.stored.id))
        #expect(page.isLast == (expected.count == sorted.count))
    }

    @Test(
        "A key is the beginning of a long value, in whole scalars",
        arguments: [("abc", 3, "abc"), ("abc", 2, "ab"), ("aé", 2, "a"), ("aéb", 3, "aé"), ("😀", 3, ""), ("", 3, "")])
    func keys(text: String, count: Int, key: String) {
        #expect(ComparedValue.text(text).prefix(count) == .text(key))
        #expect(ComparedValue.bytes(Array(text.utf8)).prefix(count) == .bytes(Array(text.utf8.prefix(count))))
        #expect(ComparedValue.integer(5).prefix(count) == .integer(5))
    }

    @Test("Long texts are paged through by short markers, whatever becomes of the record that a marker was made from")
    func longTexts() async throws {
        try await withServer { server in
            try await server.makeZone()
            func save(_ name: String, _ title: String) async throws {
                let saved = try await server.modify(
                    #"{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"\#(name)","fields":{"title":{"value":"\#(title)"}}}}"#
                )
                #expect(saved["records"][0]["serverErrorCode"].isAbsent, "\(saved.text.prefix(300))")
            }
            let long = String(repeating: "é", count: 100_000)
            for name in ["a", "b", "c", "d", "e", "f"] { try await save(name, long + name) }
            try await save("z", "é")
            try await save("y", long + long)
            var (found, marker) = ("", "")
            repeat {
                let page = try await server.post(
                    "records/query",
                    #"{"zoneID":{"zoneName":"Folder"},"query":{"recordType":"Note","sortBy":[{"fieldName":"title"}]},"resultsLimit":2,"desiredKeys":[]\#(marker)}"#
                )
                let names = page["records"].items.compactMap { $0["recordName"].string }
                found += names.joined()
                let text = page["continuationMarker"].string
                #expect(text?.utf8.count ?? 0 < 4096)
                marker = text.map { #","continuationMarker":"\#($0)""# } ?? ""
                switch names.last {
                case "a":
                    _ = try await server.modify(#"{"operationType":"forceDelete","record":{"recordName":"a"}}"#)
                case "c": try await save("c", long + "another end")
                default: break
                }
            } while !marker.isEmpty && found.count < 20
            #expect(found == "zabcdefy")
        }
    }
}
