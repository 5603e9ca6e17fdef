import FileCustody
import SyncModel
import SyncPlanning
import Testing

@testable import RecordTrees

/// Files that structured files name, while those cannot say so, and structured files that name what is not there.
@Suite("Plans for attached files")
struct AttachmentPlanTests {
    @Test("While a structured file is broken its asset is no file of its own; mended without it, it is")
    func broken() {
        var build = TreeBuilder()
        build.agreedNote("note", "Note/a.json", "j", pic: "Note/a.png", "p")
        #expect(build.plan() == [])
        build.local("Note/a.json", "k", form: TreeBuilder.broken)
        #expect(build.plan() == [])
        build.trees.markAllDirty()
        #expect(build.plan() == [])
        build.local("Note/a.json", "l", form: TreeBuilder.note())
        #expect(build.plan() == ["create new from Note/a.png", "update note from Note/a.json content"])
    }

    @Test("A structured file that was renamed and is broken keeps its asset")
    func brokenAndRenamed() {
        var build = TreeBuilder()
        build.agreedNote("note", "Note/a.json", "j", pic: "Note/a.png", "p")
        build.save("note", as: "Note/b.json", "k", form: TreeBuilder.broken)
        #expect(build.plan() == [])
        build.save("note", as: "Note/b.json", "l", form: TreeBuilder.note())
        #expect(build.plan() == ["create new from Note/a.png", "update note from Note/b.json content path"])
    }

    @Test("The asset of a file that is gone leaves together with its record, and not before")
    func gone() {
        var build = TreeBuilder()
        build.agreedNote("note", "Note/a.json", "j", pic: "Note/a.png", "p")
        for number in 0..<60 { build.agreed("r\(number)", "f\(number).txt", "x") }
        build.gone("Note/a.json")
        #expect(build.plan(Planner { $0 == FolderPath("Note/a.json") }) == [])
        build.trees.markAllDirty()
        // Too many deletions: all of them wait for a person, and what belongs to them too.
        for number in 0..<30 { build.gone("f\(number).txt") }
        #expect(build.plan() == [])
        for number in 0..<30 { build.local("f\(number).txt", "x") }
        #expect(build.plan() == ["create new from Note/a.png", "delete record note"])
        #expect(build.plan() == ["create new from Note/a.png", "delete record note"])
        build.trees.setBase(nil, named: RecordName("note"))
        build.remoteGone("note")
        #expect(build.plan() == ["create new from Note/a.png"])
    }

    @Test("An asset that two structured files share is kept by either")
    func shared() {
        var build = TreeBuilder()
        build.agreedNote("m", "Note/m.json", "j", pic: "Note/a.png", "p")
        build.agreedNote("n", "Note/n.json", "k", pic: "Note/a.png", "p")
        build.local("Note/m.json", "x", form: TreeBuilder.broken)
        build.gone("Note/n.json")
        #expect(build.plan() == ["delete record n"])
        build.trees.setBase(nil, named: RecordName("n"))
        build.remoteGone("n")
        #expect(build.plan() == [])
        build.local("Note/m.json", "y", form: TreeBuilder.note())
        #expect(build.plan() == ["create new from Note/a.png", "update m from Note/m.json content"])
    }

    @Test("An asset that two notes share is no file of its own while both are on their way with the zone")
    func sharedAndMoved() {
        var build = TreeBuilder()
        for (name, content) in [("m", Character("j")), ("n", "k")] {
            build.agreedNote(name, "Note/a/\(name).json", content, pic: "Note/a/p.png", "p")
        }
        for (name, content) in [("m", Character("j")), ("n", "k")] {
            build.remote(name, "Note/b/\(name).json", tag: "2", type: "Note")
            build.save(name, as: "Note/b/\(name).json", content, form: TreeBuilder.note(pic: "Note/b/p.png"))
            build.moveBase(name, to: "Note/b/\(name).json")
            var base = build.trees.base[RecordName(name)]!
            base.isPartial = true
            build.trees.setBase(base, named: base.name)
        }
        #expect(!build.plan().contains("create new from Note/a/p.png"))
        for name in ["m", "n"] {
            var base = build.trees.base[RecordName(name)]!
            base.isPartial = false
            build.trees.setBase(base, named: base.name)
        }
        #expect(build.plan().contains("create new from Note/a/p.png"))
    }

    @Test("An asset whose place another record's asset took is not what lies there, also after a start (invariant 2)")
    func succeeded() {
        var build = TreeBuilder()
        build.agreedNote("n", "Note/n.json", "j", pic: "Note/a.png", "p")
        let known = build.trees.base[RecordName("n")]!.assets[0]
        #expect(!build.trees.custody(of: known.path).isSucceeded(known))
        build.agreedNote("m", "Note/m.json", "k", pic: "Note/a.png", "p")
        #expect(!build.trees.custody(of: known.path).isSucceeded(known))
        // Nothing but what both sides agreed on tells of it: that it was received is not known any more.
        build.agreedNote("m", "Note/m.json", "k", pic: "Note/a.png", "q")
        #expect(build.trees.custody(of: known.path).isSucceeded(known))
    }

    @Test("An asset that others went over is not what lies there, though they have it no more (invariant 6)")
    func overwritten() {
        var build = TreeBuilder()
        build.agreedNote("n", "Note/n.json", "j", pic: "Note/a.png", "p")
        let known = build.trees.base[RecordName("n")]!.assets[0]
        build.local("Note/a.png", "q")
        #expect(!build.trees.custody(of: known.path).isSucceeded(known))
        build.trees.noteArrival(of: TreeBuilder.hash("q"), at: known.path)
        #expect(build.trees.custody(of: known.path).isSucceeded(known))
    }

    @Test("What another record brought and left is no edit of this one's asset: the zone's comes back (invariant 6)")
    func leftByAnother() {
        var build = TreeBuilder()
        build.agreedNote("n", "Note/n.json", "j", pic: "Note/a.png", "p")
        build.local("Note/a.png", "q")
        #expect(build.plan() == ["update n from Note/n.json content"])
        build.trees.noteArrival(of: TreeBuilder.hash("q"), at: FolderPath("Note/a.png")!)
        build.trees.markAllDirty()
        #expect(build.plan() == ["write n to Note/n.json"])
        build.local("Note/n.json", "k", form: TreeBuilder.note(pic: "Note/a.png"))
        #expect(build.plan() == ["reconcile n at Note/n.json"])
        build.local("Note/n.json", "j", form: TreeBuilder.note(pic: "Note/a.png"))
        build.remoteGone("n")
        #expect(build.plan() == ["delete file Note/n.json"])
        // Edited once more, it is somebody's.
        build.local("Note/a.png", "r")
        #expect(build.plan() == ["create n from Note/n.json"])
    }

    /// A note whose picture is to come once more.
    private static func noteInPart() -> TreeBuilder {
        var build = TreeBuilder()
        build.agreedNote("n", "Note/n.json", "j", pic: "Note/a.png", "p")
        build.gone("Note/a.png")
        #expect(build.plan() == [])
        build.trees.notePartial(RecordName("n"))
        return build
    }

    @Test("A note that is here only in part is received, and not held for want of the picture that is to come (28)")
    func inPart() {
        var build = Self.noteInPart()
        #expect(build.plan() == ["write n to Note/n.json"])
        build.local("Note/n.json", "k", form: TreeBuilder.note(pic: "Note/a.png"))
        #expect(build.plan() == ["reconcile n at Note/n.json"])
        build.gone("Note/n.json")
        #expect(build.plan() == ["delete record n"])
    }

    @Test("A note that is here only in part goes when somebody else deletes it: nobody here has edited it (7)")
    func inPartDeletedThere() {
        var build = Self.noteInPart()
        build.remoteGone("n")
        #expect(build.plan() == ["delete file Note/n.json"])
        build.local("Note/n.json", "k", form: TreeBuilder.note())
        #expect(build.plan() == ["create n from Note/n.json"])
    }

    @Test("Of two files that swapped names the one whose new place a structured file names is not moved there")
    func swappedWithAnAttachedOne() {
        var build = TreeBuilder()
        build.agreed("a", "a.txt", "x", inode: 5)
        build.agreed("b", "b.txt", "y", inode: 6)
        build.agreed("note", "Note/n.json", "j", type: "Note")
        build.save("note", as: "Note/n.json", "k", form: TreeBuilder.note(pic: "b.txt"))
        build.local("a.txt", "y", inode: 6)
        build.local("b.txt", "x", inode: 5)
        #expect(build.plan() == ["update note from Note/n.json content", "update a from a.txt content"])
    }

    @Test("A copy of a file that became another record's asset is a file of its own")
    func copiedAndAttached() {
        var build = TreeBuilder()
        build.agreed("a", "a.png", "p", inode: 5)
        build.local("b.png", "p")
        build.agreedNote("note", "Note/n.json", "j", pic: "a.png", "p")
        #expect(build.plan() == ["create new from b.png", "delete record a"])
    }

    @Test("A missing asset holds back what is sent, and nothing that the zone has of the record")
    func missing() {
        var build = TreeBuilder()
        build.agreedNote("note", "Note/a.json", "j", pic: "Note/a.png", "p")
        build.gone("Note/a.png")
        let held = Planner { _ in false }.plan(&build.trees)
        #expect(held.actions.isEmpty)
        #expect(held.problems[FolderPath("Note/a.json")!]?.code == .missingAsset)
        build.remote("note", "Note/a.json", tag: "2", type: "Note")
        let plan = Planner { _ in false }.plan(&build.trees)
        #expect(plan.actions.map(\.summary) == ["reconcile note at Note/a.json"])
        #expect(plan.problems.isEmpty)
        build.remote("note", "Note/b.json", tag: "3", type: "Note")
        #expect(build.plan() == ["move Note/a.json to Note/b.json"])
        build.remoteGone("note")
        #expect(build.plan() == [])
    }

    @Test("A new file that names what is not there takes over the record that the zone has at its path")
    func missingWithoutBase() {
        var build = TreeBuilder()
        build.local("Note/a.json", "j", form: TreeBuilder.note(pic: "Note/a.png"))
        build.remote("note", "Note/a.json", type: "Note")
        #expect(build.plan() == ["reconcile note at Note/a.json"])
    }
}
