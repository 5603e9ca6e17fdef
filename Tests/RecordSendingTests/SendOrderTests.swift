import SyncModel
import Testing

@testable import RecordSending

/// Deletions of records that keep others, and who lets go first.
struct DeletionRow: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// By record, those that cannot be deleted as long as it is there.
    var kept: [String: Set<String>]
    /// In the order in which they go.
    var order: [String]
    var lettingGo: [String: Set<String>] = [:]
}

@Suite("The order of deletions (S4.19)")
struct SendOrderTests {
    private static func delete(_ name: String) -> Action {
        Action(.deleteRecord, record: RecordName(name), path: FolderPath(name)!, local: nil, changeTag: "1")
    }

    @Test(
        "Each goes after those that keep it; of some that keep each other one lets go of them first, by a save",
        arguments: [
            DeletionRow(testDescription: "nobody keeps another one", kept: [:], order: ["a", "b", "c"]),
            DeletionRow(testDescription: "a chain", kept: ["c": ["b"], "b": ["a"]], order: ["c", "b", "a"]),
            DeletionRow(testDescription: "itself", kept: ["a": ["a"]], order: ["a", "b", "c"]),
            DeletionRow(
                testDescription: "two that keep each other", kept: ["a": ["b"], "b": ["a"]], order: ["a", "b", "c"],
                lettingGo: ["a": ["b"]]),
            DeletionRow(
                testDescription: "three of which each keeps the next, and one that stays",
                kept: ["a": ["b", "other"], "b": ["c"], "c": ["a"]], order: ["a", "b", "c"], lettingGo: ["a": ["b"]]),
        ])
    func deletions(_ row: DeletionRow) {
        let kept = row.kept.map { (RecordName($0), Set($1.map { RecordName($0) })) }
        let order = SendOrder(
            deleting: ["a", "b", "c"].map(Self.delete), kept: Dictionary(uniqueKeysWithValues: kept))
        #expect(order.groups.flatMap { order.actions(of: $0) }.map { "\($0.path)" } == row.order)
        let lettingGo = order.lettingGo.map { ($0.rawValue, Set($1.map(\.rawValue))) }
        #expect(Dictionary(uniqueKeysWithValues: lettingGo) == row.lettingGo)
    }
}
