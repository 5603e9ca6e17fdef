import CloudKitClient
import CloudKitWire
import SeededRandomness
import Testing

@testable import WireCoding

private func operation(_ name: String, text: String = "") -> RecordOperation {
    RecordOperation(.create, Record(recordName: name, recordType: "Note", fields: ["text": Field(.string(text))]))
}

@Suite("Requests within the server's limits (protocol §6)")
struct ModifyBatcherTests {
    @Test("At most 200 operations a request", arguments: [(0, []), (1, [1]), (200, [200]), (401, [200, 200, 1])])
    func count(operations: Int, expected: [Int]) {
        let batches = ModifyBatcher().batches(of: (0..<operations).map { operation("n\($0)") })
        #expect(batches.map(\.count) == expected)
    }

    @Test("Every operation is in one batch, in order, and no batch is too large", arguments: 0..<UInt64(10))
    func order(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let operations = (0..<Int.random(in: 0...400, using: &random)).map {
            operation("n\($0)", text: String(repeating: "x", count: Int.random(in: 0...60_000, using: &random)))
        }
        let batches = ModifyBatcher().batches(of: operations)
        #expect(batches.flatMap(Array.init) == Array(operations.indices))
        for batch in batches {
            let request = RecordsModifyRequest(operations: Array(operations[batch]), zoneID: folder, atomic: false)
            #expect(batch.count <= 200 && request.encoded().count <= 1_900_000)
        }
    }

    @Test("An operation larger than the limit travels alone")
    func oversized() {
        let big = String(repeating: "x", count: 2_000_000)
        let batches = ModifyBatcher().batches(of: [operation("a"), operation("b", text: big), operation("c")])
        #expect(batches == [0..<1, 1..<2, 2..<3])
    }

    @Test("A record occurs once in a request: its second operation starts the next")
    func sameRecord() {
        let batches = ModifyBatcher().batches(of: ["a", "b", "a", "a", "c"].map { operation($0) })
        #expect(batches == [0..<2, 2..<3, 3..<5])
    }

    @Test("Two names that differ only in Unicode normal form are two records")
    func normalForms() {
        #expect(ModifyBatcher().batches(of: [operation("\u{E9}"), operation("e\u{301}")]) == [0..<2])
    }

    @Test("Halving ends at single operations, with all of them in order")
    func halves() {
        #expect(ModifyBatcher.halves(of: 3..<3) == [])
        #expect(ModifyBatcher.halves(of: 3..<4) == [3..<4])
        #expect(ModifyBatcher.halves(of: 3..<6) == [3..<4, 4..<6])
        var batches = [0..<200]
        while batches.contains(where: { $0.count > 1 }) { batches = batches.flatMap(ModifyBatcher.halves) }
        #expect(batches == (0..<200).map { $0..<$0 + 1 })
    }
}
