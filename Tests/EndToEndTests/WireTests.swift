import Foundation
import Testing

@Suite("On the wire", .timeLimit(.minutes(30)))
struct WireTests {
    /// A file with twenty fields, written as people write: one line here, columns there, a number with a point.
    private static let handWritten =
        "{ \"title\" :  \"Caf\\u00e9\", \"rank\": 1.50,\n\n"
        + (1...16).map { "\t\"field\($0)\"\($0 % 2 == 0 ? " " : ""):   \($0 * 7)" }.joined(separator: " ,\n")
        + ",\n  \"list\":[1,2 ,3],   \"nested\": { \"a\" : true } }\n\n"

    @Test(
        "Of twenty fields one is changed: the request holds `update`, the tag and that field (S0.27, S4.2, invariant 14)"
    )
    func oneField() async throws {
        let world = try await RealWorld()
        let proxy = try await RecordingProxy(to: world.url)
        let laptop = try await world.addFolder("laptop", server: proxy.url)
        let desk = try await world.addFolder("desk")
        let daemons = try [laptop.run(), desk.run()]
        try laptop.write(Self.handWritten, to: "Note/one.json")
        #expect(try await eventually { desk.read("Note/one.json") == Self.handWritten })
        let stranger = try await ForeignClient(world)
        let tag = try #require(try await stranger.changeTag(of: "Note/one"))
        let mark = proxy.mark

        let edited = Self.handWritten.replacing("49", with: "50")
        try laptop.write(edited, to: "Note/one.json")
        #expect(try await eventually { desk.read("Note/one.json") == edited })

        let writes = proxy.exchanges(since: mark).filter { !$0.isCourier && !$0.isFetch }
        #expect(writes.map(\.operation) == ["records/modify"])
        let body = try #require(try writes.first?.json() as? [String: Any])
        let operations = try #require(body["operations"] as? [[String: Any]])
        #expect(operations.count == 1)
        #expect(operations[0]["operationType"] as? String == "update")
        let record = try #require(operations[0]["record"] as? [String: Any])
        #expect(Set(record.keys) == ["recordName", "recordType", "recordChangeTag", "fields"])
        #expect(record["recordChangeTag"] as? String == tag)
        let fields = try #require(record["fields"] as? [String: [String: Any]])
        #expect(fields.keys.sorted() == ["field7"])
        #expect(fields["field7"]?["value"] as? Int == 50)
        withExtendedLifetime(daemons) {}
    }

    @Test("An app changes one field of a file with a layout of its own: only that value's bytes change")
    func onlyTheValue() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let desk = try await world.addFolder("desk")
        let daemons = try [laptop.run(), desk.run()]
        try laptop.write(Self.handWritten, to: "Note/one.json")
        #expect(try await eventually { desk.read("Note/one.json") == Self.handWritten })
        let stranger = try await ForeignClient(world)
        var expected = Self.handWritten
        for (field, json, old, new) in [
            ("field7", #"{"value": -3}"#, "49", "-3"), ("title", #"{"value": "Tea"}"#, "\"Caf\\u00e9\"", "\"Tea\""),
            ("rank", #"{"value": 2.25}"#, "1.50", "2.25"),
            // An array that is new is written as in a new file.
            ("list", #"{"value": [9]}"#, "[1,2 ,3]", "[\n    9\n  ]"),
        ] {
            try await stranger.update("Note/one", type: "Note", fields: "{\"\(field)\": \(json)}")
            expected = expected.replacing(old, with: new)
            let wanted = expected
            let isThere = try await eventually {
                laptop.read("Note/one.json") == wanted && desk.read("Note/one.json") == wanted
            }
            #expect(isThere, "\(field): \(laptop.read("Note/one.json") ?? "")")
        }
        #expect(try laptop.copies().isEmpty && desk.copies().isEmpty)
        withExtendedLifetime(daemons) {}
    }
}
