import StateRows
import StateStorage
import SyncModel
import Testing

@testable import SyncCommands

@Suite("Events, file by file")
struct FileEventTests {
    private func entry(
        _ action: String, _ author: Author, _ path: String? = "notes/a.txt", at: Int64 = 1000
    ) -> JournalEntry {
        JournalEntry(atMilliseconds: at, action: action, author: author, path: path.flatMap { FolderPath($0) })
    }

    @Test(
        "A line tells what was done and who did it",
        arguments: [
            (JournalEntry.sent, .person, "sent           notes/a.txt  (you)"),
            (JournalEntry.received, .device("2"), "received       notes/a.txt  (another device)"),
            (JournalEntry.received, .device(nil), "received       notes/a.txt  (another device)"),
            (JournalEntry.moved, .device("2"), "moved here     notes/a.txt  (another device)"),
            (
                JournalEntry.received, .other(user: "_ann", device: "2"),
                "received       notes/a.txt  (somebody else, _ann)"
            ),
            (
                JournalEntry.received, .other(user: "_83b1c86b62ca384bab48c5a30ad36986", device: nil),
                "received       notes/a.txt  (somebody else, _83b1c8…)"
            ),
            (JournalEntry.fileDeleted, .device("2"), "deleted here   notes/a.txt  (another device)"),
            (JournalEntry.fileDeleted, .unknown, "deleted here   notes/a.txt  (another device, or somebody else)"),
            (JournalEntry.recordDeleted, .person, "deleted there  notes/a.txt  (you)"),
            (JournalEntry.received, .merge, "received       notes/a.txt  (a merge)"),
            (JournalEntry.keptEditHere, .person, "kept           notes/a.txt  (a rule)"),
            (JournalEntry.sent, .restore, "sent           notes/a.txt  (a restore)"),
        ] as [(String, Author, String)])
    func line(action: String, author: Author, text: String) throws {
        let event = try #require(FileEvent(entry(action, author)))
        #expect(event.line().text.hasSuffix("  " + text))
    }

    @Test("A change that is about no file has no line")
    func noFile() {
        #expect(FileEvent(entry(JournalEntry.sent, .person, nil)) == nil)
    }

    @Test(
        "A file, a directory and a moment narrow what is shown; a name that only begins alike is another",
        arguments: [
            ("notes/a.txt", nil, 1), ("notes", nil, 1), ("note", nil, 0), ("notes/a", nil, 0), (nil, 1001, 0),
            (nil, 1000, 1), ("notes", 1001, 0),
        ] as [(String?, Int64?, Int)])
    func selection(path: String?, since: Int64?, count: Int) {
        let selection = EventSelection(path: path.flatMap { FolderPath($0) }, sinceMilliseconds: since)
        #expect(selection.lines([entry(JournalEntry.sent, .person)], asJSON: false).count == count)
        #expect(selection.lines([entry(JournalEntry.sent, .person)], asJSON: true).count == count)
    }
}
