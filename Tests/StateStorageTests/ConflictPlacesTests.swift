import SyncModel
import Testing

@testable import FolderSettings
@testable import StateRows
@testable import StateStorage

@Suite("Where the files of open conflicts are")
struct ConflictPlacesTests {
    private static func conflict(_ copy: String, of original: String, _ record: String) -> ConflictRow {
        ConflictRow(
            copy: FolderPath(copy)!, original: FolderPath(original)!, record: RecordName(record), fields: [],
            hash: hash(1), atMilliseconds: 5)
    }

    @Test("A conflict follows its record's path, agreed on or only known of the zone; an unknown record's has none")
    func files() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        var moved = base("a")
        moved.path = FolderPath("new/a.md")!
        try store.commitOutcomes([
            Outcome(base: .agreed(moved, document: nil)),
            Outcome(remote: .saved(remote("b", path: "new/b.txt"))),
        ])
        for row in [
            Self.conflict("a.conflict.txt", of: "a.txt", "a"), Self.conflict("b.conflict.txt", of: "b.txt", "b"),
            Self.conflict("c.conflict.txt", of: "c.txt", "c"),
        ] {
            try store.addConflict(row)
        }
        #expect(
            try store.conflictPlaces(fileType: "File") == [
                FolderPath("a.conflict.txt")!: FolderPath("new/a.md")!,
                FolderPath("b.conflict.txt")!: FolderPath("new/b.txt")!,
            ])
    }

    @Test("A conflict of a structured record's text follows it, and one of its asset is never taken for the text's")
    func structured() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        var plain = base("plain")
        (plain.recordType, plain.path, plain.assets) = ("Note", FolderPath("Note/moved.json")!, [])
        var holder = base("holder")
        (holder.recordType, holder.path) = ("Note", FolderPath("Note/holder.json")!)
        holder.assets[0].path = FolderPath("Note/data.json")!
        try store.commitOutcomes([
            Outcome(base: .agreed(plain, document: nil)), Outcome(base: .agreed(holder, document: nil)),
        ])
        for row in [
            Self.conflict("Note/n.conflict.json", of: "Note/n.json", "plain"),
            Self.conflict("Note/p.conflict.jpg", of: "Note/p.jpg", "plain"),
            Self.conflict("Note/o.conflict.json", of: "Note/old.json", "holder"),
        ] {
            try store.addConflict(row)
        }
        #expect(
            try store.conflictPlaces(fileType: "File") == [
                FolderPath("Note/n.conflict.json")!: FolderPath("Note/moved.json")!
            ])
    }
}
