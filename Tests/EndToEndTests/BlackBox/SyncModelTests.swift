import SeededRandomness
import Testing

@Suite("What explains a trace of reads and writes")
struct SyncModelTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var fact: String
        var trace: [Observation]
        /// How many observations can be explained; `nil` for all.
        var explained: Int?
        var testDescription: String { fact }
    }

    @Test(
        "Right traces have an explanation, wrong ones none from the wrong observation on",
        arguments: [
            Row(fact: "nothing happens", trace: [.read(node: 0, nil), .rest(nil, copies: [])]),
            Row(
                fact: "a write comes to the other node, sooner or later",
                trace: [
                    .write(node: 0, "a", over: nil), .read(node: 1, nil), .read(node: 1, "a"), .rest("a", copies: []),
                ]),
            Row(
                fact: "one on top of the other",
                trace: [.write(node: 0, "a", over: nil), .write(node: 1, "b", over: "a"), .rest("b", copies: [])]),
            Row(
                fact: "apart: either may be first",
                trace: [.write(node: 0, "a", over: nil), .write(node: 1, "b", over: nil), .rest("b", copies: ["a"])]),
            Row(
                fact: "apart: or the other one",
                trace: [.write(node: 0, "a", over: nil), .write(node: 1, "b", over: nil), .rest("a", copies: ["b"])]),
            Row(
                fact: "written alike apart, adopted",
                trace: [.write(node: 0, "a", over: nil), .write(node: 1, "a", over: nil), .rest("a", copies: [])]),
            Row(
                fact: "an edit beats a deletion",
                trace: [
                    .write(node: 0, "a", over: nil), .rest("a", copies: []), .write(node: 0, nil, over: "a"),
                    .write(node: 1, "b", over: "a"), .rest("b", copies: []),
                ]),
            Row(
                fact: "or the deletion was known when the edit came",
                trace: [
                    .write(node: 0, "a", over: nil), .rest("a", copies: []), .write(node: 1, "b", over: "a"),
                    .read(node: 0, "b"), .write(node: 0, nil, over: "b"), .rest(nil, copies: []),
                ]),
            Row(
                fact: "changed and changed back is no change",
                trace: [
                    .write(node: 0, "a", over: nil), .rest("a", copies: []), .write(node: 1, "b", over: "a"),
                    .write(node: 1, "a", over: "b"), .write(node: 0, "c", over: "a"), .rest("c", copies: []),
                ]),
            Row(
                fact: "deleted in the instant in which it is put beside the other one",
                trace: [
                    .write(node: 0, "a", over: nil), .write(node: 1, "b", over: nil), .write(node: 1, nil, over: "b"),
                    .rest("a", copies: ["b"]),
                ]),
            Row(
                fact: "saved over, it has no copy",
                trace: [
                    .write(node: 0, "a", over: nil), .write(node: 1, "b", over: nil), .write(node: 1, "c", over: "b"),
                    .rest("a", copies: ["b", "c"]),
                ], explained: 3),
            Row(
                fact: "a lost write",
                trace: [.write(node: 0, "a", over: nil), .write(node: 1, "b", over: nil), .rest("b", copies: [])],
                explained: 2),
            Row(
                fact: "an invented value", trace: [.write(node: 0, "a", over: nil), .read(node: 1, "x")], explained: 1),
            Row(
                fact: "half of a value", trace: [.write(node: 0, "ab", over: nil), .read(node: 1, "a")], explained: 1),
            Row(
                fact: "a resurrected deletion",
                trace: [
                    .write(node: 0, "a", over: nil), .rest("a", copies: []), .write(node: 0, nil, over: "a"),
                    .rest(nil, copies: []), .read(node: 1, "a"),
                ], explained: 4),
            Row(
                fact: "a deletion that takes an edit along",
                trace: [
                    .write(node: 0, "a", over: nil), .rest("a", copies: []), .write(node: 0, nil, over: "a"),
                    .write(node: 1, "b", over: "a"), .rest(nil, copies: []),
                ], explained: 4),
            Row(
                fact: "an older value comes back",
                trace: [
                    .write(node: 0, "a", over: nil), .rest("a", copies: []), .write(node: 0, "b", over: "a"),
                    .read(node: 1, "b"), .read(node: 1, "a"),
                ], explained: 4),
            Row(
                fact: "a conflict of nobody's making",
                trace: [
                    .write(node: 0, "a", over: nil), .rest("a", copies: []), .write(node: 0, "b", over: "a"),
                    .rest("b", copies: ["a"]),
                ], explained: 3),
            Row(
                fact: "a write that never arrives",
                trace: [
                    .write(node: 0, "a", over: nil), .rest("a", copies: []), .write(node: 0, "b", over: "a"),
                    .rest("a", copies: []),
                ], explained: 3),
            Row(
                fact: "a file that vanishes by itself",
                trace: [.write(node: 0, "a", over: nil), .rest("a", copies: []), .read(node: 0, nil)], explained: 2),
        ])
    func explains(_ row: Row) {
        #expect(SyncModelOfOneFile.explained(row.trace, nodes: 2) == row.explained ?? row.trace.count)
    }

    @Test(
        "Whatever the model does has an explanation; with one observation changed, hardly ever",
        arguments: 0..<UInt64(50))
    func itsOwn(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var state = SyncModelOfOneFile(nodes: 3)
        var trace: [Observation] = []
        for number in 0..<30 {
            let node = Int.random(in: 0..<3, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: trace.append(.read(node: node, state.nodes[node].value))
            case 1:
                let value = Bool.random(using: &random) ? "v\(number)" : nil
                trace.append(.write(node: node, value, over: state.nodes[node].value))
                state.nodes[node].value = value
            case 2: state = state.uploaded(by: node) ?? state
            default: state = state.downloaded(by: node) ?? state
            }
        }
        #expect(SyncModelOfOneFile.explained(trace, nodes: 3) == trace.count, "\(trace)")
        trace.append(.read(node: 0, "never written"))
        #expect(SyncModelOfOneFile.explained(trace, nodes: 3) == trace.count - 1)
    }
}
