import SyncModel
import Testing

@testable import StateRows
@testable import StateStorage

@Suite("Saves without a stored answer")
struct SentTests {
    private static func sent(_ name: String, _ number: Int) -> SentVersion {
        var entry = base(name, tag: "", number)
        entry.createdMilliseconds = 0  // Only an answer tells it.
        return SentVersion(entry: entry, document: number % 2 == 0 ? [1, 2] : nil)
    }

    @Test("They are there after a start, in the order of sending, until an outcome settles their record")
    func lifetime() throws {
        let folder = try TemporaryFolder()
        var store = try folder.store()
        try store.noteSent([Self.sent("a", 1), Self.sent("b", 2)])
        try store.noteSent([Self.sent("a", 3), Self.sent("c", 4)])
        try store.noteSent([Self.sent("a", 1)])
        try store.close()
        store = try folder.store()
        #expect(
            try store.loadTrees().sent == [Self.sent("a", 3), Self.sent("a", 1), Self.sent("b", 2), Self.sent("c", 4)])
        try store.commitOutcomes([agreed("a"), Outcome(base: .removed(RecordName("b")))])
        #expect(try store.loadTrees().sent == [Self.sent("c", 4)])
        try store.forgetSent(RecordName("c"), hash: hash(5))
        #expect(try store.loadTrees().sent == [Self.sent("c", 4)])
        try store.forgetSent(RecordName("c"), hash: hash(4))
        #expect(try store.loadTrees().sent.isEmpty)
    }

    @Test("Of one record the newest few are kept; a zone that was replaced takes all along that it has no record for")
    func bounds() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        for number in 0..<10 { try store.noteSent([Self.sent("a", number)]) }
        #expect(try store.loadTrees().sent == (6..<10).map { Self.sent("a", $0) })
        try store.noteSent([Self.sent("b", 1)])
        // It may be the same zone that comes back.
        try store.loseZone(notes)
        #expect(try store.loadTrees().sent.count == 5)
        try store.beginFullListing(zone: notes)
        try store.commitPage(records: [remote("b")], tombstones: [], token: "1", moreComing: false, zone: notes)
        try store.replaceZone(notes)
        #expect(try store.loadTrees().sent == [Self.sent("b", 1)])
    }
}
