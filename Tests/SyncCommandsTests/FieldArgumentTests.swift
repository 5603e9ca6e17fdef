import CloudKitQueries
import CloudKitWire
import Testing

@testable import SyncCommands
@testable import WireCoding

@Suite("Fields, filters and orders as people write them")
struct FieldArgumentTests {
    @Test(
        "A field without a type is JSON where it can be, else a string; a type says what it is",
        arguments: [
            ("a=x", FieldValue.string("x")), ("a=", .string("")), ("a=b=c", .string("b=c")),
            ("a=3", .untyped(json: Array("3".utf8))), ("a= 3 ", .untyped(json: Array("3".utf8))),
            ("a=[1,2]", .untyped(json: Array("[1,2]".utf8))), ("a=true", .string("true")), ("a=null", .string("null")),
            ("a:STRING=3", .string("3")), ("a:INT64=9007199254740993", .int64(9_007_199_254_740_993)),
            ("a:TIMESTAMP=5", .timestamp(5)), ("a:BYTES=AAE=", .bytes([0, 1])),
            ("a:REFERENCE=b", .reference(Reference(recordName: "b"))), ("a:STRING_LIST=[]", .stringList([])),
            ("a:DOUBLE=1", .double(1)),
        ])
    func fields(text: String, value: FieldValue) throws {
        let argument = try #require(FieldArgument(argument: text))
        #expect(argument.name == "a")
        #expect(argument.value == value)
    }

    @Test("What is no field is none", arguments: ["a", "=x", ":INT64=1", "a:INT64=1.5", "a:BYTES=?", "a:DANCE=1"])
    func noFields(text: String) {
        #expect(FieldArgument(argument: text) == nil)
    }

    @Test(
        "A filter is a field, a comparator and a value, or the protocol's JSON",
        arguments: [
            ("rank > 3", #"{"comparator":"GREATER_THAN","fieldName":"rank","fieldValue":{"value":3}}"#),
            (
                "title begins-with A b",
                #"{"comparator":"BEGINS_WITH","fieldName":"title","fieldValue":{"value":"A b","type":"STRING"}}"#
            ),
            (
                "modifiedTimestamp:TIMESTAMP <= 5",
                #"{"comparator":"LESS_THAN_OR_EQUALS","systemFieldName":"modifiedTimestamp","fieldValue":{"value":5,"type":"TIMESTAMP"}}"#
            ),
            (
                #"{"comparator":"NEAR","fieldName":"place","distance":5,"fieldValue":{"value":{"latitude":1,"longitude":2}}}"#,
                #"{"comparator":"NEAR","fieldName":"place","fieldValue":{"value":{"latitude":1,"longitude":2}},"distance":5}"#
            ),
        ])
    func filters(text: String, json: String) throws {
        let filter = try #require(FilterArgument(argument: text)).filter
        #expect(String(decoding: filter.encoded(), as: UTF8.self) == json)
    }

    @Test("An order goes down where a minus stands before the field")
    func orders() {
        #expect(SortArgument(argument: "rank")?.sort == QuerySort(.user("rank")))
        #expect(SortArgument(argument: "-recordName")?.sort == QuerySort(.system(.recordName), ascending: false))
        #expect(SortArgument(argument: "-") == nil)
    }

    @Test("A table cuts cells on a terminal, keeps them whole in a pipe, and lets no control character through")
    func tables() {
        var table = Table(["name", "text"])
        table.add(["a", String(repeating: "x", count: 50)])
        table.add(["b", "tab\tand\u{1B}[2J"])
        #expect(
            table.lines(forTerminal: true)
                == ["name  text", "a     " + String(repeating: "x", count: 39) + "…", #"b     tab\tand\u{1B}[2J"#])
        #expect(table.lines(forTerminal: false)[1] == "a\t" + String(repeating: "x", count: 50))
        #expect(table.lines(forTerminal: false)[2] == #"b"# + "\t" + #"tab\tand\u{1B}[2J"#)
    }
}
