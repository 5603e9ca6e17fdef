import DocumentMerging
import LosslessJSON
import Testing

@Suite("Counters that both sides changed")
struct CounterMergeTests {
    private static func document(_ text: String) throws -> JSONDocument {
        try JSONDocument(parsing: Array(text.utf8))
    }

    // MARK: Numbers

    struct Sum: CustomTestStringConvertible, Sendable {
        var base: String
        var local: String
        var remote: String
        /// `nil` for a collision.
        var expected: String?
        var testDescription: String { "\(base), \(local), \(remote): \(expected ?? "a collision")" }

        init(_ base: String, _ local: String, _ remote: String, _ expected: String?) {
            (self.base, self.local, self.remote, self.expected) = (base, local, remote, expected)
        }
    }

    @Test(
        "The sum is exact, or there is none, whichever side is which",
        arguments: [
            Sum("10", "12", "15", "17"), Sum("10", "8", "-15", "-17"), Sum("1", "2", "-1", "0"),
            // A minus before an integer zero is a matter of spelling.
            Sum("-0", "2", "3", "5"), Sum("5", "-0", "7", "2"), Sum("-3", "-0", "-3.5", "-0.5"),
            // Integers have all their digits, and no more.
            Sum("9007199254740992", "9007199254740993", "9007199254740994", "9007199254740995"),
            Sum("9223372036854775806", "9223372036854775807", "9223372036854775805", "9223372036854775806"),
            Sum("-9223372036854775807", "9223372036854775807", "-9223372036854775808", "9223372036854775806"),
            Sum("0", "9223372036854775807", "1", nil), Sum("0", "-9223372036854775808", "-1", nil),
            // Fractions are what they look like.
            Sum("0.1", "0.3", "0.2", "0.4"), Sum("0.1", "0.3", "0.4", "0.6"), Sum("0", "0.1", "0.2", "0.3"),
            Sum("1.10", "1.2", "1.30", "1.4"), Sum("19.99", "24.99", "9.99", "14.99"),
            Sum("1.5", "-0.0", "2.5", "1.0"), Sum("0.5", "0.75", "-0.25", "0.0"), Sum("1", "2", "2.5", "3.5"),
            Sum("1", "2", "3.0", "4.0"), Sum("15e-1", "2.5", "35E-1", "4.5"),
            Sum("2251799813685248.5", "2251799813685249.5", "2251799813685250.5", "2251799813685251.5"),
            // These are rounded, as what a field holds or as what the sum would be.
            Sum("12345678901234567.89", "12345678901234568.89", "12345678901234570.89", nil),
            Sum("1", "2", "12345678901234567.89", nil), Sum("0.1000000000000000000001", "0.2", "0.3", nil),
            Sum("2251799813685248.5", "2251799813685248.25", "2251799813685249.5", nil),
            Sum("9007199254740992.0", "9007199254740993.0", "9007199254740994.0", nil),
            Sum("0.1", "0.3", "1e17", nil), Sum("0", "1e22", "1", nil),
            // As somebody wrote it out.
            Sum("10000000000000000000000", "10000000000000000000001", "10000000000000000000005", nil),
            Sum("10000000000000000000000", "20000000000000000000000", "5", nil),
            Sum("10000000000000000000000", "20000000000000000000000", "30000000000000000000000", "4e+22"),
            // Near and beyond the ends of a double.
            Sum("1e22", "2e22", "3e22", "4e+22"), Sum("1e300", "2e300", "5e300", "6e+300"),
            Sum("0", "1e300", "2e300", "3e+300"), Sum("1e300", "2e300", "1", nil), Sum("0", "1e300", "1e-300", nil),
            Sum("1e308", "1.7e308", "1.6e308", nil), Sum("1", "2", "1e400", nil), Sum("1", "2", "1e-400", nil),
            // No numbers.
            Sum("1", "\"2\"", "3", nil), Sum("null", "2", "3", nil), Sum("1", "true", "2", nil),
        ])
    func sums(_ sum: Sum) throws {
        let base = try Self.document("{\"n\":\(sum.base)}")
        for (local, remote) in [(sum.local, sum.remote), (sum.remote, sum.local)] {
            let result = DocumentMerge.merge(
                base: base, local: try Self.document("{\"n\":\(local)}"),
                remote: try Self.document("{\"n\":\(remote)}"), policy: { _ in .counter })
            // Where there is no sum, the zone's number stands as it was written, and the collision is told.
            #expect(String(decoding: result.bytes, as: UTF8.self) == "{\"n\":\(sum.expected ?? remote)}")
            #expect(result.collisions == (sum.expected == nil ? [MergeCollision(path: ["n"], kept: .remote)] : []))
        }
    }

    // MARK: Lost answers

    struct Row: CustomTestStringConvertible, Sendable {
        var fact: String
        var base: String? = #"{"n":11}"#
        var sent = [#"{"n":12}"#]
        var local = #"{"n":12}"#
        var remote: String
        var policy = MergePolicy.counter
        var expected: String
        /// The path of the collision.
        var collision: [String]?
        var testDescription: String { fact }
    }

    @Test(
        "What was sent without an answer is not counted twice",
        arguments: [
            Row(fact: "nothing was sent", sent: [], remote: #"{"n":14}"#, expected: #"{"n":15}"#),
            Row(
                fact: "the zone's number may have been made of what was sent", remote: #"{"n":14}"#,
                expected: #"{"n":14}"#, collision: ["n"]),
            Row(
                fact: "the same, and it was changed here once more", local: #"{"n":13}"#, remote: #"{"n":14}"#,
                expected: #"{"n":14}"#, collision: ["n"]),
            Row(
                fact: "the zone has what was sent, and it was changed here once more", local: #"{"n":13}"#,
                remote: #"{"n":12}"#, expected: #"{"n":13}"#),
            Row(
                fact: "the zone has the first of two numbers that were sent", sent: [#"{"n":12}"#, #"{"n":13}"#],
                local: #"{"n":13}"#, remote: #"{"n":12}"#, expected: #"{"n":13}"#),
            Row(fact: "the zone has the number of before", remote: #"{"n":11}"#, expected: #"{"n":12}"#),
            Row(fact: "both sides have the same number", remote: #"{"n":12}"#, expected: #"{"n":12}"#),
            Row(
                fact: "what was sent had another value changed", base: #"{"n":11,"t":"a"}"#,
                sent: [#"{"n":11,"t":"b"}"#], local: #"{"n":12,"t":"b"}"#, remote: #"{"n":14,"t":"b"}"#,
                expected: #"{"n":15,"t":"b"}"#),
            Row(
                fact: "the number was sent spelled otherwise, and not changed", base: #"{"n":1.5}"#,
                sent: [#"{"n":1.50}"#], local: #"{"n":2.5}"#, remote: #"{"n":3.5}"#, expected: #"{"n":4.5}"#),
            Row(
                fact: "one of several versions had another number", sent: [#"{"n":12}"#, #"{"n":11}"#],
                local: #"{"n":13}"#, remote: #"{"n":14}"#, expected: #"{"n":14}"#, collision: ["n"]),
            Row(
                fact: "the number was sent, and put back here", base: #"{"n":11,"t":"a"}"#,
                sent: [#"{"n":12,"t":"a"}"#], local: #"{"n":11,"t":"b"}"#, remote: #"{"n":14,"t":"a"}"#,
                expected: #"{"n":14,"t":"b"}"#, collision: ["n"]),
            Row(
                fact: "what was sent had no number", sent: [#"{"t":"a"}"#], remote: #"{"n":14}"#,
                expected: #"{"n":14}"#, collision: ["n"]),
            Row(
                fact: "the values beside it are merged all the same", base: #"{"a":1,"n":11,"t":"a"}"#,
                sent: [#"{"a":1,"n":12,"t":"b"}"#], local: #"{"a":1,"n":12,"t":"c"}"#,
                remote: #"{"a":5,"n":14,"t":"b"}"#, expected: #"{"a":5,"n":14,"t":"c"}"#, collision: ["n"]),
            Row(
                fact: "inside an object", base: #"{"s":{"m":1,"n":11}}"#, sent: [#"{"s":{"m":1,"n":12}}"#],
                local: #"{"s":{"m":1,"n":12}}"#, remote: #"{"s":{"m":1,"n":14}}"#, expected: #"{"s":{"m":1,"n":14}}"#,
                collision: ["s", "n"]),
            Row(
                fact: "inside an object, where the zone has what was sent", base: #"{"s":{"m":1,"n":11}}"#,
                sent: [#"{"s":{"m":1,"n":12}}"#], local: #"{"s":{"m":1,"n":13}}"#, remote: #"{"s":{"m":7,"n":12}}"#,
                expected: #"{"s":{"m":7,"n":13}}"#),
            Row(
                fact: "a new record has no number to count from", base: nil, sent: [#"{"n":1}"#], local: #"{"n":2}"#,
                remote: #"{"n":5}"#, expected: #"{"n":5}"#, collision: ["n"]),
            Row(
                fact: "the largest is the same however often it counts", remote: #"{"n":14}"#, policy: .max,
                expected: #"{"n":14}"#),
        ])
    func lostAnswers(_ row: Row) throws {
        let sent = row.sent.map { Array($0.utf8) }
        let ancestor = DocumentMerge.ancestor(
            base: row.base.map { Array($0.utf8) }, sent: sent, remote: Array(row.remote.utf8))
        let result = DocumentMerge.merge(
            base: try ancestor.map { try JSONDocument(parsing: $0) }, local: try Self.document(row.local),
            remote: try Self.document(row.remote), sent: try sent.map { try JSONDocument(parsing: $0) },
            policy: { _ in row.policy })
        #expect(String(decoding: result.bytes, as: UTF8.self) == row.expected)
        #expect(result.collisions == (row.collision.map { [MergeCollision(path: $0, kept: .remote)] } ?? []))
    }
}
