import FileCustody
import RecordTrees
import SyncModel
import SyncPlanning
import Testing

/// Files that lie where a structured record's would and fit none (design §3, "Unfit JSON").
@Suite("Plans for files that fit no structured record")
struct UnfitTests {
    private static let path = FolderPath("Note/a.json")!

    private static func plan(_ build: inout TreeBuilder) -> (actions: [String], held: [String]) {
        let plan = Planner { _ in false }.plan(&build.trees)
        return (plan.actions.map(\.summary), plan.problems.keys.map(\.description))
    }

    @Test("One that no record has the path of becomes a file record, and is no problem")
    func new() {
        var build = TreeBuilder()
        build.local("Note/a.json", "j", form: TreeBuilder.unfit)
        #expect(Self.plan(&build) == (["create new from Note/a.json"], []))
        #expect(build.trees.carriedUnfitFiles.map(\.path) == [Self.path])
    }

    @Test("Where a structured record has the path it is held, be that agreed on or only in the zone")
    func held() {
        var build = TreeBuilder()
        build.agreed("note", "Note/a.json", "j", inode: 5, type: "Note")
        build.local("Note/a.json", "k", inode: 5, form: TreeBuilder.unfit)
        #expect(Self.plan(&build) == ([], ["Note/a.json"]))
        #expect(build.trees.carriedUnfitFiles.isEmpty)

        build = TreeBuilder()
        build.remote("note", "Note/a.json", type: "Note")
        build.local("Note/a.json", "k", form: TreeBuilder.unfit)
        #expect(Self.plan(&build) == ([], ["Note/a.json"]))
    }

    @Test("It is held no more once the structured record is gone from the zone: what a person saved outlives that")
    func released() {
        var build = TreeBuilder()
        build.agreed("note", "Note/a.json", "j", inode: 5, type: "Note")
        build.local("Note/a.json", "k", inode: 5, form: TreeBuilder.unfit)
        _ = Self.plan(&build)
        build.remoteGone("note")
        #expect(Self.plan(&build) == (["create new from Note/a.json"], []))
        build.agreed("file", "Note/a.json", "k", inode: 5)
        build.local("Note/a.json", "k", inode: 5, form: TreeBuilder.unfit)
        #expect(Self.plan(&build) == (["forget note"], []))
    }

    @Test("Its own file record is updated and renamed like any other")
    func edited() {
        var build = TreeBuilder()
        build.agreed("file", "Note/a.json", "j", inode: 5)
        build.local("Note/a.json", "k", inode: 5, form: TreeBuilder.unfit)
        #expect(Self.plan(&build) == (["update file from Note/a.json content"], []))
        build.gone("Note/a.json")
        build.local("Note/b.json", "j", inode: 5, form: TreeBuilder.unfit)
        #expect(Self.plan(&build) == (["update file from Note/b.json path"], []))
    }

    @Test("A broken file that was renamed keeps its structured record, and is held where it is now")
    func renamed() {
        var build = TreeBuilder()
        build.agreed("note", "Note/a.json", "j", inode: 5, type: "Note")
        _ = Self.plan(&build)
        build.gone("Note/a.json")
        build.local("Note/b.json", "k", inode: 5, form: TreeBuilder.unfit)
        #expect(Self.plan(&build) == ([], ["Note/b.json"]))
        #expect(Self.plan(&build) == ([], ["Note/b.json"]))
        build.local("Note/b.json", "l", inode: 5, form: TreeBuilder.note())
        #expect(Self.plan(&build).held.isEmpty)
    }

    @Test("Mended it is followed by a structured record, which takes the file record along")
    func mended() {
        var build = TreeBuilder()
        build.agreed("file", "Note/a.json", "j", inode: 5)
        build.local("Note/a.json", "k", inode: 5, form: TreeBuilder.note())
        #expect(Self.plan(&build) == (["create new from Note/a.json"], []))
        #expect(build.trees.custody(of: Self.path).outgrownRecord == RecordName("file"))
    }

    @Test("What a person wants held waits, unless a file record has the path already")
    func configured() {
        var build = TreeBuilder()
        build.trees = SyncTrees(fileRecordType: "File", holdsUnfitFiles: true) { path, _, _ in path }
        build.local("Note/a.json", "j", form: TreeBuilder.unfit)
        build.agreed("file", "Note/b.json", "j", inode: 5)
        build.local("Note/b.json", "k", inode: 5, form: TreeBuilder.unfit)
        #expect(Self.plan(&build) == (["update file from Note/b.json content"], ["Note/a.json"]))
    }

    @Test("Where a structured record follows a file record elsewhere, it takes the untouched file over in its place")
    func takenOver() {
        var build = TreeBuilder()
        build.agreed("file", "Note/a.json", "j", inode: 5)
        build.local("Note/a.json", "j", inode: 5, modified: 5, form: TreeBuilder.unfit)
        _ = Self.plan(&build)
        build.remoteGone("file")
        build.remote("note", "Note/a.json", created: 9, type: "Note")
        #expect(Self.plan(&build) == (["write note to Note/a.json"], []))
        build.agreed("note", "Note/a.json", "k", inode: 6, type: "Note")
        #expect(Self.plan(&build) == (["forget file"], []))
    }

    @Test("A file that was edited meanwhile is held for the structured record, or merged into it")
    func takenOverEdited() {
        for (form, expected) in [
            (TreeBuilder.unfit, ([], ["Note/a.json"])),
            (TreeBuilder.note(), (["reconcile note at Note/a.json"], [])),
        ] as [(FileForm, ([String], [String]))] {
            var build = TreeBuilder()
            build.agreed("file", "Note/a.json", "j", inode: 5)
            build.local("Note/a.json", "k", inode: 5, form: form)
            build.remoteGone("file")
            build.remote("note", "Note/a.json", created: 9, type: "Note")
            #expect(Self.plan(&build) == expected)
        }
    }
    /// A file that a structured one went over elsewhere: its record is gone, and the other one's claims its path.
    private static func wentOver() -> TreeBuilder {
        var build = TreeBuilder()
        build.agreed("file", "Note/a.json", "j", inode: 5)
        build.local("Note/a.json", "j", inode: 5, form: TreeBuilder.unfit)
        build.agreed("note", "Note/b.json", "k", type: "Note")
        build.remote("note", "Note/a.json", tag: "2", type: "Note")
        build.remoteGone("file")
        return build
    }

    @Test("As both sides agreed on it, it goes with its record, though a structured one comes to its path")
    func goesForAnother() {
        var build = Self.wentOver()
        #expect(Self.plan(&build) == (["move Note/b.json to Note/a.json", "delete file Note/a.json"], []))
    }

    @Test("Edited, it is held while a structured record claims its path, and is a file of its own once that is gone")
    func heldForAnother() {
        var build = Self.wentOver()
        build.local("Note/a.json", "l", inode: 5, form: TreeBuilder.unfit)
        #expect(Self.plan(&build).held == ["Note/a.json"])
        build.remoteGone("note")
        #expect(Self.plan(&build).actions.contains("create file from Note/a.json"))
    }
}
