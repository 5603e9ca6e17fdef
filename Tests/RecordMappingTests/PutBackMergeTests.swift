import DocumentMerging
import LosslessJSON
import Testing

@Suite("Merging what was put back after it was sent without an answer")
struct PutBackMergeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let fact: String
        var base = #"{"a":1,"b":1}"#
        var sent = [#"{"a":2,"b":1}"#]
        var local = #"{"a":1,"b":1}"#
        let remote: String
        var policy = MergePolicy.remote
        let expected: String
        var collisions: [MergeCollision] = []
        var testDescription: String { fact }
    }

    private static func collision(_ path: String..., kept: MergeSide = .remote) -> MergeCollision {
        MergeCollision(path: path, kept: kept)
    }

    @Test(
        "What the zone has of what was sent is changed back; what it may have made of that collides",
        arguments: [
            Row(fact: "the zone has what was sent", remote: #"{"a":2,"b":1}"#, expected: #"{"a":1,"b":1}"#),
            Row(
                fact: "and another value by somebody else", remote: #"{"a":2,"b":7}"#, expected: #"{"a":1,"b":7}"#),
            Row(
                fact: "the zone has another value in its place", remote: #"{"a":3,"b":1}"#,
                expected: #"{"a":3,"b":1}"#, collisions: [collision("a")]),
            Row(
                fact: "where this side's stands, it stands", remote: #"{"a":3,"b":1}"#, policy: .local,
                expected: #"{"a":1,"b":1}"#, collisions: [collision("a", kept: .local)]),
            Row(
                fact: "what was sent has nothing to do with it", remote: #"{"a":1,"b":7}"#,
                expected: #"{"a":1,"b":7}"#),
            Row(
                fact: "the zone has it no more", remote: #"{"b":1}"#, expected: #"{"b":1,"a":1}"#,
                collisions: [collision("a", kept: .local)]),
            Row(
                fact: "it was added, and taken out again", base: #"{"b":1}"#, local: #"{"b":1}"#,
                remote: #"{"a":3,"b":1}"#, expected: #"{"a":3,"b":1}"#, collisions: [collision("a")]),
            Row(
                fact: "the larger one is the same whoever put it back", remote: #"{"a":3,"b":1}"#, policy: .max,
                expected: #"{"a":3,"b":1}"#),
            Row(
                fact: "inside an object", base: #"{"o":{"x":1,"y":1}}"#, sent: [#"{"o":{"x":2,"y":1}}"#],
                local: #"{"o":{"x":1,"y":1}}"#, remote: #"{"o":{"x":3,"y":7}}"#,
                expected: #"{"o":{"x":3,"y":7}}"#, collisions: [collision("o", "x")]),
            Row(
                fact: "a place stays one place", base: #"{"p":{"latitude":1,"longitude":1}}"#,
                sent: [#"{"p":{"latitude":2,"longitude":1}}"#], local: #"{"p":{"latitude":1,"longitude":1}}"#,
                remote: #"{"p":{"latitude":3,"longitude":3}}"#, policy: .local,
                expected: #"{"p":{"latitude":1,"longitude":1}}"#,
                collisions: [collision("p", "latitude", kept: .local)]),
            Row(
                fact: "a text of several lines", base: #"{"t":"one\ntwo\nthree\n"}"#,
                sent: [#"{"t":"ONE\ntwo\nthree\n"}"#], local: #"{"t":"one\ntwo\nthree\n"}"#,
                remote: #"{"t":"ONE\ntwo\nTHREE\n"}"#, expected: #"{"t":"ONE\ntwo\nTHREE\n"}"#,
                collisions: [collision("t")]),
        ])
    func putBack(_ row: Row) throws {
        func document(_ text: String) throws -> JSONDocument { try JSONDocument(parsing: Array(text.utf8)) }
        let ancestor = DocumentMerge.ancestor(
            base: Array(row.base.utf8), sent: row.sent.map { Array($0.utf8) }, remote: Array(row.remote.utf8))
        let result = DocumentMerge.merge(
            base: try ancestor.map { try JSONDocument(parsing: $0) }, local: try document(row.local),
            remote: try document(row.remote), sent: try row.sent.map(document), policy: { _ in row.policy })
        #expect(String(decoding: result.bytes, as: UTF8.self) == row.expected)
        #expect(result.collisions == row.collisions)
    }
}
