import CloudKitQueries
import CloudKitSchema
import CloudKitWire
import GRDB
import Testing

@testable import CloudKitServer
@testable import WireCoding

@Suite("Queries of NUMBER fields (protocol §3.3, §8.1)")
struct NumberQueryTests {
    @Test(
        "Whole numbers and others are compared by what they are worth",
        arguments: [
            (ComparedValue.integer(1), ComparedValue.double(1.5), true), (.integer(2), .double(1.5), false),
            (.integer(-2), .double(-1.5), true), (.integer(-1), .double(-1.5), false),
            (.integer(.max), .double(0x1p63), true), (.integer(.min), .double(-0x1p63), false),
            (.integer(9_007_199_254_740_993), .double(9_007_199_254_740_992), false),
            (.integer(9_007_199_254_740_991), .double(9_007_199_254_740_992), true),
            (.integer(0), .double(1e300), true), (.integer(0), .double(-1e300), false),
        ])
    func mixed(whole: ComparedValue, double: ComparedValue, isLess: Bool) {
        #expect(whole.precedes(double) == isLess)
        let isEqual = whole == double.number
        #expect(double.precedes(whole) == (!isLess && !isEqual))
    }

    private func world(_ type: String) throws -> (SchemaWorld, (String) throws -> String) {
        let world = try SchemaWorld()
        try world.importSchema(
            #"RECORD TYPE Note ("___recordID" REFERENCE QUERYABLE, rank \#(type) QUERYABLE SORTABLE, ranks LIST<NUMBER> QUERYABLE);"#
        )
        let caller = world.caller
        return (
            world,
            { query in
                let request = RecordsQueryRequest(
                    query: try Query.decode(Array(#"{"recordType":"Note",\#(query)}"#.utf8)))
                do {
                    return try world.store.query(request, as: caller).records.map { result in
                        guard case .success(let record) = result else { return "?" }
                        return record.recordName ?? "?"
                    }.joined()
                } catch let error as ErrorDictionary {
                    return error.reason ?? ""
                }
            }
        )
    }

    @Test(
        "A NUMBER can be filtered and sorted, whichever number each value is",
        arguments: [
            (#""filterBy":{"comparator":"EQUALS","fieldName":"rank","fieldValue":{"value":2}}"#, "b"),
            (#""filterBy":{"comparator":"EQUALS","fieldName":"rank","fieldValue":{"value":2.0,"type":"DOUBLE"}}"#, "b"),
            (#""filterBy":{"comparator":"EQUALS","fieldName":"rank","fieldValue":{"value":3,"type":"INT64"}}"#, "d"),
            (#""filterBy":{"comparator":"IN","fieldName":"rank","fieldValue":{"value":[1.5,3]}}"#, "ad"),
            (#""filterBy":{"comparator":"LESS_THAN","fieldName":"rank","fieldValue":{"value":2}}"#, "ac"),
            (#""filterBy":{"comparator":"GREATER_THAN","fieldName":"rank","fieldValue":{"value":1.5}}"#, "bd"),
            (#""filterBy":{"comparator":"LIST_CONTAINS","fieldName":"ranks","fieldValue":{"value":1.0}}"#, "a"),
            (#""sortBy":{"fieldName":"rank"}"#, "cabd"), (#""sortBy":{"fieldName":"rank","ascending":false}"#, "dbac"),
            (
                #""filterBy":{"comparator":"EQUALS","fieldName":"rank","fieldValue":{"value":"x"}}"#,
                "Invalid value, expected type NUMBER."
            ),
        ])
    func queries(query: String, found: String) throws {
        let (world, ask) = try world("NUMBER")
        for (name, fields) in [
            ("a", ["rank": FieldValue.double(1.5), "ranks": .int64List([1, 2])]), ("b", ["rank": .int64(2)]),
            ("c", ["rank": .int64(-7)]), ("d", ["rank": .double(3)]),
        ] {
            #expect(try world.refusal(of: fields, name: name, in: "development") == nil)
        }
        #expect(try ask(query) == found)
    }

    @Test("A preferred number takes both kinds in a filter, and orders values from before it was preferred")
    func preferred() throws {
        let (world, ask) = try world("NUMBER")
        #expect(try world.refusal(of: ["rank": .double(1.5)], name: "a", in: "development") == nil)
        try world.importSchema(
            #"RECORD TYPE Note ("___recordID" REFERENCE QUERYABLE, rank NUMBER PREFERRED AS INT64 QUERYABLE SORTABLE, ranks LIST<NUMBER> QUERYABLE);"#
        )
        for (name, rank) in [("b", Int64(2)), ("c", 1)] {
            #expect(try world.refusal(of: ["rank": .int64(rank)], name: name, in: "development") == nil)
        }
        #expect(try ask(#""sortBy":{"fieldName":"rank"}"#) == "cab")
        #expect(
            try ask(#""filterBy":{"comparator":"GREATER_THAN","fieldName":"rank","fieldValue":{"value":1.2}}"#) == "ab")
    }
}
