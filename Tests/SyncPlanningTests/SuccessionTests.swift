import FileCustody
import SyncModel
import SyncPlanning
import Testing

@testable import RecordTrees

/// Files that become another kind of record: the new record comes before the old one goes.
@Suite("Plans for files that change their kind")
struct SuccessionTests {
    private static let path = FolderPath("Note/a.json")!

    /// A note whose text is no object any more.
    private static func outgrown() -> TreeBuilder {
        var build = TreeBuilder()
        build.agreed("note", "Note/a.json", "j", inode: 5, type: "Note")
        build.remote("note", "Note/a.json", created: 1, type: "Note")
        _ = build.plan()
        build.local("Note/a.json", "k", inode: 5)
        return build
    }

    /// The zone took the file as a file record, which is younger than the note.
    private static func accepted() -> TreeBuilder {
        var build = outgrown()
        _ = build.plan()
        build.agreed("file", "Note/a.json", "k", inode: 5)
        build.remote("file", "Note/a.json", created: 9)
        return build
    }

    @Test("A record goes only when the zone has the one of another kind that its file became (invariant 6)")
    func deletedLast() {
        var build = Self.outgrown()
        #expect(build.plan() == ["create new from Note/a.json"])
        #expect(build.plan() == ["create new from Note/a.json"])
        #expect(build.trees.custody(of: Self.path).outgrownRecord == RecordName("note"))

        build = Self.accepted()
        #expect(build.plan() == ["delete record note"])
        build.trees.markAllDirty()
        #expect(build.plan() == ["delete record note"])
        build.remoteGone("note")
        build.trees.setBase(nil, named: RecordName("note"))
        #expect(build.plan() == [])
        #expect(build.trees.baseRecord(at: Self.path)?.name == RecordName("file"))
    }

    @Test("A file that is mended is its record's again, whether the zone has the other one already or not")
    func mended() {
        let note = FileForm.structured(recordType: "Note", attachments: [])
        var build = Self.outgrown()
        _ = build.plan()
        build.local("Note/a.json", "l", inode: 5, form: note)
        #expect(build.plan() == ["update note from Note/a.json content"])

        build = Self.accepted()
        build.local("Note/a.json", "l", inode: 5, form: note)
        #expect(build.plan() == ["update note from Note/a.json content", "delete record file"])
        build.trees.setBase(nil, named: RecordName("file"))
        build.remoteGone("file")
        #expect(build.plan() == ["update note from Note/a.json content"])
    }

    @Test("A record that was edited in the zone outlives the change of its file's kind, at its path")
    func editedThere() {
        var build = Self.outgrown()
        build.remote("note", "Note/a.json", tag: "2", created: 1, type: "Note")
        #expect(build.plan() == ["create new from Note/a.json"])
        build = Self.accepted()
        build.remote("note", "Note/a.json", tag: "2", created: 1, type: "Note")
        #expect(build.plan() == ["move Note/a.json to Note/a.json~file", "write note to Note/a.json"])
    }

    @Test("A file record that becomes a structured one goes last as well")
    func otherWay() {
        var build = TreeBuilder()
        build.agreed("file", "Note/a.json", "j", inode: 5)
        _ = build.plan()
        build.local("Note/a.json", "k", inode: 5, form: TreeBuilder.note())
        #expect(build.plan() == ["create new from Note/a.json"])
        build.agreed("note", "Note/a.json", "k", inode: 5, type: "Note")
        build.remote("note", "Note/a.json", created: 9, type: "Note")
        #expect(build.plan() == ["delete record file"])
    }

    @Test("A file of another kind that took a record's name keeps its own record, and the other one goes last")
    func replaced() {
        var build = TreeBuilder()
        build.agreed("note", "Note/a.json", "j", inode: 5, type: "Note")
        build.agreed("list", "list.json", "k", inode: 6)
        _ = build.plan()
        build.gone("list.json")
        build.local("Note/a.json", "k", inode: 6)
        #expect(build.plan() == ["update list from Note/a.json path"])
        build.agreed("list", "Note/a.json", "k", inode: 6)
        build.remote("list", "Note/a.json", created: 9)
        #expect(build.plan() == ["delete record note"])
    }

    @Test("A record whose file left before another one's came to its path is looked for where its file went")
    func rivals() {
        var build = TreeBuilder()
        build.agreed("one", "a.txt", "x")
        build.save("one", as: "b.txt", "x")
        build.agreed("two", "a.txt", "y")
        #expect(build.plan() == ["update one from b.txt path"])
    }
}
