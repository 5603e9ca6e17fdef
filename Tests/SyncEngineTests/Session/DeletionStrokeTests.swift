import StateRows
import SyncModel
import Testing

@testable import SyncEngine

/// What of the deletions of late belongs to one large one.
@Suite("Strokes of deletions")
struct DeletionStrokeTests {
    private static func change(
        _ path: String, at seconds: Int64, _ action: String = JournalEntry.recordDeleted, event: Int64? = nil
    ) -> JournalEntry {
        JournalEntry(
            event: event, atMilliseconds: seconds * 1000 + 200, action: action, author: .person,
            path: FolderPath(path)!, record: RecordName(path))
    }

    private static func paths(_ strokes: [DeletionStroke]) -> [[String]] {
        strokes.map { $0.paths.map(\.description) }
    }

    @Test("What went minutes before is a stroke of its own, and so is what went on the other side")
    func pauses() throws {
        let journal = [
            Self.change("on purpose", at: 100), Self.change("too", at: 132),
            Self.change("there", at: 388, "delete-file"),
            Self.change("a", at: 390), Self.change("sent", at: 391, "send"), Self.change("b", at: 400),
            Self.change("c", at: 415),
        ]
        let strokes = try DeletionStroke.all(true, in: journal)
        #expect(Self.paths(strokes) == [["on purpose"], ["too"], ["a", "b", "c"]])
        #expect(strokes.map(\.sinceMilliseconds) == [100_200, 132_200, 390_200])
        #expect(strokes.map(\.untilMilliseconds) == [100_200, 132_200, 415_200])
        #expect(try Self.paths(DeletionStroke.all(false, in: journal)) == [["there"]])
        #expect(try Self.paths(DeletionStroke.all(true, in: journal, from: 400_000)) == [["b", "c"]])
    }

    @Test("One export is one stroke while it fetches last versions, unless nothing goes for minutes")
    func export() throws {
        let journal = [
            Self.change("a", at: 100, event: 7), Self.change("b", at: 160, event: 7),
            Self.change("c", at: 190, event: 8),
            Self.change("d", at: 400, event: 8),
        ]
        #expect(try Self.paths(DeletionStroke.all(true, in: journal)) == [["a", "b"], ["c"], ["d"]])
    }

    @Test("It begins with its export, which keeps files before it deletes them, and after what went before")
    func beginnings() throws {
        let journal = [Self.change("before", at: 100), Self.change("a", at: 390), Self.change("b", at: 800)]
        let begins: [Int64: Int64] = [390_200: 60_000, 800_200: 797_000]
        let strokes = DeletionStroke.all(true, in: journal) { begins[$0] }
        #expect(strokes.map(\.sinceMilliseconds) == [100_200, 101_000, 797_000])
    }
}
