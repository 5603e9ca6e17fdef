import StateRows
import SyncModel
import Testing

@testable import FolderHistory

@Suite("Former paths")
struct FormerPathTests {
    private static func change(
        _ record: String, _ path: String, at moment: Int64, _ action: String = JournalEntry.sent
    ) -> JournalEntry {
        JournalEntry(
            atMilliseconds: moment, action: action, author: .person, path: FolderPath(path)!, record: RecordName(record)
        )
    }

    private static func former(_ place: String, _ changes: [JournalEntry]) -> [String] {
        FormerPath.all(of: FolderPath(place)!, in: changes).map { "\($0.path) until \($0.untilMilliseconds)" }
    }

    @Test("A renamed file had each name until the next one, whoever renamed it")
    func file() {
        let changes = [
            Self.change("1", "Note/first", at: 1), Self.change("1", "Note/first", at: 2),
            Self.change("1", "Note/second", at: 5), Self.change("1", "third", at: 9, JournalEntry.moved),
            Self.change("1", "third", at: 11), Self.change("2", "other", at: 12),
        ]
        #expect(Self.former("third", changes) == ["Note/second until 9", "Note/first until 5"])
        #expect(Self.former("Note/second", changes) == ["Note/first until 5"])
        #expect(Self.former("Note/first", changes) == [] && Self.former("other", changes) == [])
    }

    @Test("A renamed directory is told once; what came into it under another name is told by its own")
    func directory() {
        let changes = [
            Self.change("1", "old/in/a", at: 1), Self.change("2", "old/b", at: 1), Self.change("3", "c", at: 1),
            Self.change("4", "old/in/d", at: 1), Self.change("1", "new/in/a", at: 5), Self.change("2", "new/b", at: 6),
            Self.change("3", "new/c", at: 7), Self.change("4", "new/in/e", at: 8), Self.change("1", "new/in/f", at: 9),
        ]
        #expect(Self.former("new", changes) == ["old/in/d until 8", "c until 7", "old until 6"])
    }

    @Test("A file that was deleted, and another one that was made, are not one that was renamed")
    func deleted() {
        let changes = [
            Self.change("1", "a", at: 1), Self.change("1", "a", at: 2, JournalEntry.recordDeleted),
            Self.change("2", "b", at: 3), Self.change("1", "b", at: 4, JournalEntry.conflict),
        ]
        #expect(Self.former("b", changes) == [])
    }
}
