import SeededRandomness
import Testing

@testable import RecordTrees
@testable import SyncPlanning

@Suite("An index of rows")
struct RowIndexTests {
    /// Few hashes, so that rows share them and stand in each other's places.
    @Test(
        "Finds what a dictionary of sets would, whatever was added and removed",
        arguments: 1...30 as ClosedRange<UInt64>)
    func likeADictionary(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var index = RowIndex()
        var expected: [Int: Set<Int>] = [:]
        var hashOfRow: [Int: Int] = [:]
        for step in 0..<3000 {
            let row = Int.random(in: 0..<150, using: &random)
            if let hash = hashOfRow.removeValue(forKey: row) {
                index.remove(row, hash)
                expected[hash]?.remove(row)
            } else {
                let hash =
                    Bool.random(using: &random)
                    ? Int.random(in: -20...20, using: &random) : Int.random(in: .min ... .max, using: &random)
                index.insert(row, hash)
                expected[hash, default: []].insert(row)
                hashOfRow[row] = hash
            }
            let asked = Bool.random(using: &random) ? Int.random(in: -20...20, using: &random) : row
            let found = Set(index.rows(asked) { hashOfRow[$0] == asked })
            if found != expected[asked] ?? [] { Issue.record("step \(step): \(found) at \(asked)") }
        }
        for (row, hash) in hashOfRow { #expect(index.row(hash) { $0 == row } == row) }
    }

    @Test("To remove what is not there does nothing")
    func absent() {
        var index = RowIndex()
        index.remove(1, 5)
        index.insert(1, 5)
        index.remove(2, 5)
        index.remove(1, 6)
        #expect(index.rows(5) { _ in true } == [1])
        index.remove(1, 5)
        #expect(index.row(5) { _ in true } == nil)
    }
}
