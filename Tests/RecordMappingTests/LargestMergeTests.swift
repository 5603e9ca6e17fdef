import DocumentMerging
import LosslessJSON
import Testing

@Suite("The largest and the smallest of two numbers")
struct LargestMergeTests {
    /// The values of one field on both sides, whichever side is which.
    struct Pair: CustomTestStringConvertible, Sendable {
        let less: String
        let more: String
        var testDescription: String { "\(less), \(more)" }

        init(_ less: String, _ more: String) { (self.less, self.more) = (less, more) }
    }

    private static func merge(_ local: String, _ remote: String, _ policy: MergePolicy) throws -> DocumentMerge.Result {
        func document(_ value: String) throws -> JSONDocument {
            try JSONDocument(parsing: Array("{\"n\":\(value)}".utf8))
        }
        return DocumentMerge.merge(
            base: try document("null"), local: try document(local), remote: try document(remote),
            policy: { _ in policy })
    }

    @Test(
        "They are told by the exact values, whichever side is which",
        arguments: [
            Pair("5", "7"), Pair("-7", "-5"), Pair("99", "1e2"), Pair("9.9e1", "100"), Pair("2.5", "10"),
            Pair("-0.5", "0"), Pair("-0", "1e-3"), Pair("-1e-3", "-0"), Pair("-1e22", "1"),
            Pair("1.5e300", "1.50001e300"),
            // Equal as doubles.
            Pair("0.1", "0.1000000000000000055"), Pair("-0.1000000000000000055", "-0.1"),
            Pair("9007199254740992", "9007199254740993.0"), Pair("9007199254740993.0", "9007199254740994"),
            Pair("-9007199254740993.0", "-9007199254740992"), Pair("9007199254740993", "9007199254740993.5"),
            Pair("9223372036854775807", "9223372036854775808"), Pair("0", "1e-400"), Pair("1e-401", "1e-400"),
            Pair("-1e-400", "0.0"), Pair("0.1", "0.1000000000000000055511151231257827021181583404541015625"),
            // One number to whoever counts, and two to CloudKit: it is the same one from either side.
            Pair("2.0", "2"), Pair("1e2", "100"), Pair("0.0", "0"), Pair("-0", "0"), Pair("-2", "-2.0"),
        ])
    func exact(_ pair: Pair) throws {
        for (local, remote) in [(pair.less, pair.more), (pair.more, pair.less)] {
            for (policy, expected) in [(MergePolicy.max, pair.more), (.min, pair.less)] {
                let merged = try Self.merge(local, remote, policy)
                #expect(String(decoding: merged.bytes, as: UTF8.self) == "{\"n\":\(expected)}")
                #expect(merged.collisions.isEmpty)
            }
        }
    }

    @Test(
        "What no field can have is a collision, and so is what has no order",
        arguments: [
            Pair("1", "1e400"), Pair("-1e400", "1"), Pair("1e400", "1e401"), Pair("1", "1e-99999999999999999999"),
            Pair("1", "\"2\""), Pair("true", "1"),
        ])
    func collision(_ pair: Pair) throws {
        for (local, remote) in [(pair.less, pair.more), (pair.more, pair.less)] {
            for policy in [MergePolicy.max, .min] {
                let merged = try Self.merge(local, remote, policy)
                #expect(String(decoding: merged.bytes, as: UTF8.self) == "{\"n\":\(remote)}")
                #expect(merged.collisions == [MergeCollision(path: ["n"], kept: .remote)])
            }
        }
    }
}
