import SyncModel
import SyncPlanning
import Testing

@Suite("What to do about one record")
struct DecisionTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let what: String
        let view: RecordView
        let expected: Decision?

        init(
            _ what: String, base: RecordView.Base? = nil, local: RecordView.Local, remote: RecordView.Remote? = nil,
            expect expected: Decision?
        ) {
            self.what = what
            view = RecordView(base: base, local: local, remote: remote)
            self.expected = expected
        }

        var testDescription: String { what }
    }

    static let p = FolderPath("Note/a.json")!
    static let q = FolderPath("Note/b.json")!
    static let r = FolderPath("Note/c.json")!
    static let agreed = RecordView.Base(path: p, changeTag: "1")
    static let inPart = RecordView.Base(path: p, changeTag: "1", isPartial: true)
    static let same = RecordView.Remote(path: p, changeTag: "1")
    static let changed = RecordView.Remote(path: p, changeTag: "2")
    static let movedThere = RecordView.Remote(path: q, changeTag: "2")

    static func here(_ path: FolderPath = p, edited: Bool = false) -> RecordView.Local {
        .present(path: path, version: version, isEdited: edited)
    }

    static let rows: [Row] = [
        Row("new there", local: .absent, remote: changed, expect: Decision(.writeFile)),
        Row("new here", local: here(), expect: Decision(.createRecord)),
        Row("new on both sides", local: here(edited: true), remote: changed, expect: Decision(.reconcile)),
        Row("nowhere", local: .absent, expect: nil),
        Row("gone on both sides", base: agreed, local: .absent, expect: Decision(.forget)),
        Row("as agreed", base: agreed, local: here(), remote: same, expect: nil),
        Row("deleted here", base: agreed, local: .absent, remote: same, expect: Decision(.deleteRecord)),
        Row(
            "deleted here, edited there", base: agreed, local: .absent, remote: changed,
            expect: Decision(.writeFile, outlivesDeletion: true)),
        Row("here only in part", base: inPart, local: here(), remote: same, expect: Decision(.writeFile)),
        Row(
            "edited here, of what is here only in part", base: inPart, local: here(edited: true), remote: same,
            expect: Decision(.reconcile)),
        Row(
            "deleted here, of which only a part was here", base: inPart, local: .absent, remote: same,
            expect: Decision(.deleteRecord)),
        Row(
            "deleted here, of which only a part was here, edited there", base: inPart, local: .absent, remote: changed,
            expect: Decision(.writeFile, outlivesDeletion: true)),
        Row("deleted there", base: agreed, local: here(), expect: Decision(.deleteFile)),
        Row(
            "edited here, deleted there", base: agreed, local: here(edited: true),
            expect: Decision(.createRecord, outlivesDeletion: true)),
        Row(
            "renamed here, deleted there", base: agreed, local: here(q),
            expect: Decision(.createRecord, outlivesDeletion: true)),
        Row(
            "edited here", base: agreed, local: here(edited: true), remote: same,
            expect: Decision(.updateRecord(content: true, path: false))),
        Row("edited there", base: agreed, local: here(), remote: changed, expect: Decision(.writeFile)),
        Row(
            "edited on both sides", base: agreed, local: here(edited: true), remote: changed,
            expect: Decision(.reconcile)),
        Row(
            "renamed here", base: agreed, local: here(q), remote: same,
            expect: Decision(.updateRecord(content: false, path: true))),
        Row(
            "renamed and edited here", base: agreed, local: here(q, edited: true), remote: same,
            expect: Decision(.updateRecord(content: true, path: true))),
        Row("renamed there", base: agreed, local: here(), remote: movedThere, expect: Decision(.moveFile(to: q))),
        Row(
            "renamed to two places: the zone's holds", base: agreed, local: here(r), remote: movedThere,
            expect: Decision(.moveFile(to: q))),
        Row(
            "renamed there, edited here: first the move", base: agreed, local: here(edited: true), remote: movedThere,
            expect: Decision(.moveFile(to: q))),
        Row("ignored here, deleted there", base: agreed, local: .unobserved, expect: nil),
        Row("unreadable here", base: agreed, local: .unobserved, remote: same, expect: nil),
        Row("broken here, changed there", base: agreed, local: .held, remote: changed, expect: nil),
        Row("broken here, deleted there", base: agreed, local: .held, expect: nil),
    ]

    static let version = LocalVersion(
        stamp: FileStamp(device: 1, inode: 1, size: 1, modified: 1, changed: 1, mode: 0o644),
        hash: ContentHash(bytes: repeatElement(1, count: 32))!)

    @Test("One record, three sides", arguments: rows)
    func decision(_ row: Row) {
        #expect(decide(row.view) == row.expected)
    }

    @Test("Nothing that was not observed is ever deleted, on either side")
    func unobservedDeletesNothing() {
        for base in [nil, Self.agreed] {
            for remote in [nil, Self.same, Self.changed, Self.movedThere] {
                for local in [RecordView.Local.unobserved, .held] {
                    #expect(decide(RecordView(base: base, local: local, remote: remote)) == nil)
                }
            }
        }
    }
}
