import DocumentMerging
import LosslessJSON
import RecordMapping
import Testing

@Suite("What a merge begins from after lost answers")
struct MergeAncestorTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var fact: String
        var base: String?
        var sent: [String]
        var remote: String
        var expected: String?
        var testDescription: String { fact }
    }

    @Test(
        "Values that the zone has as they were sent count as agreed on, all others are the base's",
        arguments: [
            Row(fact: "nothing was sent", base: #"{"a":1}"#, sent: [], remote: #"{"a":2}"#, expected: #"{"a":1}"#),
            Row(
                fact: "the zone has all of it", base: #"{"a":1,"b":1}"#, sent: [#"{"a":2,"b":1}"#],
                remote: #"{ "a": 2, "b": 1 }"#, expected: #"{"a":2,"b":1}"#),
            Row(
                fact: "another value was changed upon it", base: #"{"a":1,"b":1}"#, sent: [#"{"a":2,"b":1}"#],
                remote: #"{"a":2,"b":9}"#, expected: #"{"a":2,"b":1}"#),
            Row(
                fact: "the same value was changed", base: #"{"a":1}"#, sent: [#"{"a":2}"#], remote: #"{"a":3}"#,
                expected: #"{"a":1}"#),
            Row(
                fact: "a value was removed", base: #"{"a":1,"b":1}"#, sent: [#"{"a":1}"#], remote: #"{"a":1}"#,
                expected: #"{"a":1}"#),
            Row(
                fact: "one of two versions arrived", base: #"{"a":1}"#, sent: [#"{"a":2}"#, #"{"a":3}"#],
                remote: #"{"a":2}"#, expected: #"{"a":2}"#),
            Row(
                fact: "a new record", base: nil, sent: [#"{"a":1,"b":1}"#], remote: #"{"a":1,"b":2}"#,
                expected: #"{"a":1}"#),
        ])
    func ancestor(_ row: Row) {
        let ancestor = DocumentMerge.ancestor(
            base: row.base.map { Array($0.utf8) }, sent: row.sent.map { Array($0.utf8) }, remote: Array(row.remote.utf8)
        )
        #expect(ancestor.map { String(decoding: $0, as: UTF8.self) } == row.expected)
    }
}
