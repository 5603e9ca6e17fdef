import SyncModel
import SyncPlanning
import Testing

@testable import FileCustody
@testable import RecordTrees

/// How files stand to their own records while other records come to name them, or name them no more (reliability.md §4,
/// invariants 1, 6 and 8).
@Suite("How files stand to their records")
struct StandingTests {
    /// Both sides know `p.png` as a file of its own and as the asset of `Note/n.json`.
    private static func attached(_ standing: BaseEntry.Standing) -> TreeBuilder {
        var build = TreeBuilder()
        build.agreed("file", "p.png", "p")
        build.remote("file", "p.png", checksum: "p")
        build.agreedNote("note", "Note/n.json", "j", pic: "p.png", "p")
        build.stands("file", standing)
        return build
    }

    /// `a.png`, a file of its own with the bytes `p`, was renamed over `p.png`, the asset of `Note/n.json`.
    private static func renamedOver(asset bytes: Character) -> TreeBuilder {
        var build = TreeBuilder()
        build.agreed("file", "a.png", "p", inode: 5)
        build.agreedNote("note", "Note/n.json", "j", pic: "p.png", bytes)
        build.gone("a.png")
        build.local("p.png", "p", inode: 5)
        return build
    }

    private static func takeOut(_ build: inout TreeBuilder) {
        build.save("note", as: "Note/n.json", "k", form: TreeBuilder.note())
    }

    @Test("Who attached a file takes its own record away; on other devices that is left to the one who did")
    func attached() {
        var here = Self.attached(.agreed)
        #expect(here.plan() == ["delete record file"])
        var there = Self.attached(.yielded)
        #expect(there.plan() == [])
        there.remoteGone("file")
        #expect(there.plan() == ["forget file"])
    }

    @Test(
        "A record that gave way goes where nothing here has its bytes any more (invariant 8)",
        arguments: [("p", []), ("x", ["delete record file"])] as [(Character, [String])])
    func replaced(bytes: Character, plan: [String]) {
        var build = TreeBuilder()
        build.agreed("file", "p.png", "p")
        build.remote("file", "p.png", checksum: "p")
        build.agreedNote("note", "Note/n.json", "j", pic: "p.png", bytes)
        build.stands("file", .yielded)
        #expect(build.plan() == plan)
    }

    @Test(
        "A note that names a file again that was its own meanwhile is sent anew before that one's record goes (invariant 6)",
        arguments: [BaseEntry.Standing.renewed, .confirmed])
    func namedAgain(standing: BaseEntry.Standing) {
        var build = Self.attached(.yielded)
        #expect(build.plan() == [])
        // The note itself is as both sides know it: nothing else asks for it to be looked at.
        build.stands("file", standing)
        #expect(build.plan() == ["update note from Note/n.json content"])
        #expect(build.plan() == ["update note from Note/n.json content"])
        // The zone took it.
        build.stands("note", .agreed)
        build.stands("file", .agreed)
        #expect(build.plan() == ["delete record file"])
    }

    @Test("A note that names a file again is sent anew also where that one's record was gone meanwhile (invariant 6)")
    func namedAgainAndBack() {
        var build = Self.attached(.yielded)
        #expect(build.plan() == [])
        build.remoteGone("file")
        build.stands("file", .confirmed)
        #expect(build.plan() == ["forget file"])
        // Another device made it anew: nothing of the note changes by that.
        build.remote("file", "p.png", tag: "2", checksum: "p")
        #expect(build.plan() == ["update note from Note/n.json content"])
    }

    @Test("The record of an attached file goes also as another device sent it anew, with the same bytes (invariant 8)")
    func attachedAndSentAnewElsewhere() {
        var build = Self.attached(.agreed)
        build.remote("file", "p.png", tag: "2", checksum: "p")
        #expect(build.plan() == ["delete record file"])
        // It is told by the path at which people know it.
        #expect(build.trees.path(of: RecordName("file")) == FolderPath("p.png"))
        // Who waits for that does not do it.
        build = Self.attached(.yielded)
        build.remote("file", "p.png", tag: "2", checksum: "p")
        #expect(build.plan() == [])
        #expect(build.trees.base[RecordName("file")]?.changeTag == "2")
        // Other bytes are somebody's edit, and another path is somebody's rename.
        build = Self.attached(.agreed)
        build.remote("file", "p.png", tag: "2", checksum: "q")
        #expect(build.plan() == ["write file to p.png~file"])
        build = Self.attached(.agreed)
        build.remote("file", "q.png", tag: "2", checksum: "p")
        #expect(build.plan() == ["write file to q.png"])
    }

    @Test("A file record that comes to where its bytes are an asset is agreed on: who deletes both does it (8)")
    func foundAttached() throws {
        var build = TreeBuilder()
        build.agreedNote("note", "Note/n.json", "j", pic: "p.png", "p")
        build.remote("file", "p.png", checksum: "p")
        #expect(build.plan() == [])
        let found = try #require(build.trees.base[RecordName("file")])
        #expect(found.standing == .yielded && found.hash == TreeBuilder.hash("p") && found.path == FolderPath("p.png"))
        // Nothing is noted twice.
        #expect(Planner { _ in false }.plan(&build.trees).yielded.isEmpty)
        build.gone("Note/n.json")
        build.gone("p.png")
        #expect(build.plan() == ["delete record note"])
        build.forget("note")
        #expect(build.plan() == ["delete record file"])
    }

    @Test("A file record with the bytes that an asset had before a person here put others there is not agreed on")
    func foundWhereOthersAre() {
        var build = TreeBuilder()
        build.agreedNote("note", "Note/n.json", "j", pic: "p.png", "p")
        build.local("p.png", "x")
        build.remote("file", "p.png", checksum: "p")
        #expect(build.plan() == ["update note from Note/n.json content"])
        #expect(build.trees.base[RecordName("file")] == nil)
    }

    @Test("A file that gave way stays so while the note that has it as its asset is here only in part (invariant 8)")
    func yieldedToPart() {
        var build = Self.attached(.yielded)
        // The zone moved the note, and this device its text, which names other paths there.
        build.remote("note", "Note/far/n.json", tag: "2", type: "Note")
        build.save("note", as: "Note/far/n.json", "j", form: TreeBuilder.note(pic: "far/p.png"))
        build.moveBase("note", to: "Note/far/n.json")
        build.trees.notePartial(RecordName("note"))
        #expect(build.plan() == ["write note to Note/far/n.json"])
        build.remoteGone("file")
        #expect(build.plan() == ["write note to Note/far/n.json"])
    }

    @Test("A file that is attached keeps its record while what names it is not as the zone has it")
    func unsettledOwner() {
        var edited = Self.attached(.agreed)
        edited.save("note", as: "Note/n.json", "k", form: TreeBuilder.note(pic: "p.png"))
        #expect(edited.plan() == ["update note from Note/n.json content"])
        var changed = Self.attached(.agreed)
        changed.remote("note", "Note/n.json", tag: "2", type: "Note")
        #expect(changed.plan() == ["write note to Note/n.json"])
    }

    @Test("A file that is to be attached keeps its record until the zone has the other one with it")
    func promised() {
        var build = TreeBuilder()
        build.agreed("file", "p.png", "p")
        build.agreed("note", "Note/n.json", "j", type: "Note")
        build.save("note", as: "Note/n.json", "k", form: TreeBuilder.note(pic: "p.png"))
        #expect(build.plan() == ["update note from Note/n.json content"])
    }

    @Test("The record of a file that was renamed over an attached one stays until the zone has the other one with it")
    func renamedOverAttached() {
        var build = Self.renamedOver(asset: "o")
        #expect(build.plan() == ["update note from Note/n.json content"])
        build.save("note", as: "Note/n.json", "x", form: TreeBuilder.broken)
        #expect(build.plan() == [])
        #expect(build.plan() == [])
        build.agreedNote("note", "Note/n.json", "j", pic: "p.png", "p")
        #expect(build.plan() == ["delete record file"])
        build.forget("file")
        #expect(build.plan() == [])
        #expect(build.trees.dirtyPaths.isEmpty)
    }

    @Test("A file renamed over an equal one that a record names is told to the zone, and then its own record goes")
    func renamedOverEqualAttached() {
        var build = Self.renamedOver(asset: "p")
        #expect(build.plan() == ["update note from Note/n.json content"])
        #expect(build.plan() == ["update note from Note/n.json content"])
        build.agreedNote("note", "Note/n.json", "j", pic: "p.png", "p")
        #expect(build.plan() == ["delete record file"])
        build.forget("file")
        #expect(build.plan() == [])
        #expect(build.trees.dirtyPaths.isEmpty)
    }

    @Test("A file that comes back before its own record went is told to the zone, also after a start")
    func movedBack() {
        var told = Self.renamedOver(asset: "p")
        told.agreedNote("note", "Note/n.json", "j", pic: "p.png", "p")
        for base in told.trees.base.values.sorted(by: { $0.name < $1.name }) {
            var build = told
            // As read from the state again, in either order.
            build.trees.setBase(nil, named: base.name)
            build.trees.setBase(base, named: base.name)
            build.gone("p.png")
            build.local("a.png", "p", inode: 5)
            #expect(build.plan() == ["update file from a.png content"], "\(base.name) last")
        }
    }

    @Test("An asset's file that was renamed over an equal file is told to the zone as an edit of that file")
    func assetRenamedOver() {
        var build = TreeBuilder()
        build.agreed("file", "a.png", "p")
        build.local("p.png", "p", inode: 5)
        build.agreedNote("note", "Note/n.json", "j", pic: "p.png", "p")
        #expect(build.plan() == [])
        build.gone("p.png")
        build.local("a.png", "p", inode: 5)
        #expect(build.plan() == ["update file from a.png content"])
        // Another device renamed it to where the asset was, and deleted its record.
        build.remoteGone("file")
        #expect(build.plan() == ["create file from a.png"])
    }

    @Test("An asset that was renamed over a file, told, and renamed back is told again")
    func assetRenamedBack() {
        var build = TreeBuilder()
        build.local("p.png", "p", inode: 5)
        build.agreedNote("note", "Note/n.json", "j", pic: "p.png", "p")
        build.gone("p.png")
        build.agreed("file", "a.png", "p", inode: 5)
        #expect(build.plan() == [])
        build.gone("a.png")
        build.local("p.png", "p", inode: 5)
        #expect(build.plan() == ["update note from Note/n.json content"])
    }

    @Test("An asset that moves together with what names it comes from nowhere else")
    func movedTogether() {
        var build = TreeBuilder()
        build.local("trip/p.png", "p", inode: 5)
        build.agreedNote("note", "trip/n.json", "j", pic: "trip/p.png", "p")
        build.gone("trip/p.png")
        build.local("italy/p.png", "p", inode: 5)
        build.save("note", as: "italy/n.json", "j", form: TreeBuilder.note(pic: "italy/p.png"))
        #expect(!build.trees.custody(of: FolderPath("italy/p.png")!).isFromElsewhere)
        #expect(build.plan() == ["update note from italy/n.json path"])
    }

    @Test("What a state without the files of assets lacks is found in the folder")
    func foundFiles() {
        var build = TreeBuilder()
        build.agreed("file", "a.png", "p")
        build.local("p.png", "p", inode: 5)
        build.agreedNote("note", "Note/n.json", "j", pic: "p.png", "p")
        var note = build.trees.base[RecordName("note")]!
        let known = note
        note.assets[0].file = nil
        build.trees.setBase(note, named: note.name)
        build.trees.findFilesOfAssets()
        #expect(build.trees.base[note.name] == known)
        // What was renamed there is still to be told.
        build.gone("a.png")
        build.local("p.png", "p", inode: build.trees.base[RecordName("file")]!.file.inode)
        build.trees.setBase(note, named: note.name)
        build.trees.findFilesOfAssets()
        #expect(build.trees.base[note.name] == note)
    }

    @Test("Each file that is renamed over an equal asset of one record is told")
    func twoRenamedOver() {
        var build = TreeBuilder()
        for (number, name) in [(5, "a"), (6, "b")] {
            build.agreed(name, "\(name).png", "p", inode: UInt64(number))
        }
        build.agreedNote("note", "Note/n.json", "j", pic: "p.png", "p")
        for (number, name) in [(5, "a"), (6, "b")] {
            build.gone("\(name).png")
            build.local("p.png", "p", inode: UInt64(number))
            #expect(build.plan().contains("update note from Note/n.json content"))
            build.agreedNote("note", "Note/n.json", "j", pic: "p.png", "p")
            #expect(!build.plan().contains("update note from Note/n.json content"))
        }
    }

    @Test(
        "A file that a person takes out of a record is sent as its own, once, whatever became of its own record",
        arguments: [BaseEntry.Standing.agreed, .renewed, .yielded])
    func takenOut(standing: BaseEntry.Standing) {
        var build = Self.attached(standing)
        Self.takeOut(&build)
        let note = "update note from Note/n.json content"
        #expect(build.plan().sorted() == ["update file from p.png content", note])
        // Who attached it may have deleted the record meanwhile.
        build.remoteGone("file")
        #expect(build.plan().sorted() == ["create file from p.png", note])
        build.remote("file", "p.png", tag: "2", checksum: "p")
        #expect(build.plan().sorted() == ["reconcile file at p.png", note])
        var sent = Self.attached(.confirmed)
        Self.takeOut(&sent)
        #expect(sent.plan() == [note])
        // Another device attached it anew, and did not know that.
        sent.remoteGone("file")
        #expect(sent.plan().sorted() == ["create file from p.png", note])
    }

    @Test("A JSON file that is renamed over its own asset becomes that file, and then its record goes")
    func renamedOverOwnAsset() {
        var build = TreeBuilder()
        build.agreedNote("note", "Note/n.json", "j", pic: "p.png", "p")
        build.save("note", as: "p.png", "j")
        #expect(build.plan() == ["create new from p.png"])
        build.agreed("file", "p.png", "j", inode: build.trees.local[FolderPath("p.png")!]!.stamp.inode)
        #expect(build.plan() == ["delete record note"])
    }

    @Test("A file taken out of a record whose file is renamed in one go is sent as its own, also where its record went")
    func takenOutAndRenamed() {
        var build = Self.attached(.confirmed)
        build.remoteGone("file")
        build.save("note", as: "Note/m.json", "x", form: TreeBuilder.broken)
        #expect(build.plan() == [])
        build.save("note", as: "Note/m.json", "k", form: TreeBuilder.note())
        #expect(build.plan() == ["create file from p.png", "update note from Note/m.json content path"])
    }

    @Test("A file that was named by one that moved before it is no file of its own while that one looks for it")
    func movedBeforeItsAsset() {
        var build = TreeBuilder()
        build.agreedNote("note", "n.json", "j", pic: "p.png", "p")
        build.save("note", as: "Note/n.json", "j", form: TreeBuilder.note(pic: "Note/p.png"))
        #expect(build.plan() == [])
        build.gone("p.png")
        build.local("Note/p.png", "p")
        #expect(build.plan() == ["update note from Note/n.json path"])
    }

    @Test("A file that another device made its own again is shown beside the asset as which it is known here")
    func ownAgainElsewhere() {
        var build = Self.attached(.yielded)
        build.remote("file", "p.png", tag: "2", checksum: "q")
        #expect(build.plan() == ["write file to p.png~file"])
    }

    @Test("A file record at an asset's path is shown beside it, unless it has the same bytes")
    func besideAsset() {
        var build = TreeBuilder()
        build.agreedNote("note", "Note/n.json", "j", pic: "p.png", "p")
        build.remote("other", "p.png", checksum: "p")
        #expect(build.plan() == [])
        build.remote("other", "p.png", tag: "2", checksum: "q")
        #expect(build.plan() == ["write other to p.png~other"])
        // It comes to its place once that is free.
        build.agreed("other", "p.png~other", "q")
        build.remote("other", "p.png", checksum: "q")
        #expect(build.plan() == [])
        build.forget("note")
        build.gone("Note/n.json")
        build.gone("p.png")
        #expect(build.plan() == ["move p.png~other to p.png"])
    }

    @Test("A file that is shown beside an asset goes once that has the same bytes, and comes back with other ones")
    func shownTwice() {
        var build = TreeBuilder()
        build.agreedNote("note", "Note/n.json", "j", pic: "p.png", "p")
        build.agreed("other", "p.png~other", "p")
        build.remote("other", "p.png", checksum: "p")
        #expect(build.plan() == ["delete file p.png~other"])
        build.save("other", as: "p.png~other", "x")
        #expect(build.plan() == ["update other from p.png~other content"])
    }

    @Test(
        "Whose record went, or is about to, is left alone while the record that had it as its asset cannot be read",
        arguments: [BaseEntry.Standing.agreed, .yielded])
    func undecided(standing: BaseEntry.Standing) {
        var build = Self.attached(standing)
        build.save("note", as: "Note/n.json", "x", form: TreeBuilder.broken)
        #expect(build.plan() == [])
        build.remoteGone("file")
        #expect(build.plan() == [])
        build.save("note", as: "Note/n.json", "j", form: TreeBuilder.note(pic: "p.png"))
        #expect(build.plan() == ["forget file"])
    }

    @Test(
        "A file that was taken out of one of two records stays, if the zone takes it out of the other before it is asked"
    )
    func takenOutOfBoth() {
        let path = FolderPath("p.png")!
        var trees = TreeBuilder().trees
        trees.noteTakenOut(path)
        trees.forgetTakenOutFiles()
        #expect(trees.provenance[path].takenOut != nil)
        trees.noteFetch()
        #expect(trees.provenance[path].takenOut != nil)
        trees.forgetTakenOutFiles()
        #expect(trees.provenance[path].takenOut == nil)
    }

    @Test("A file that was taken out, and told to be its own, outlives its record's deletion by who did not know that")
    func takenOutAndDeleted() {
        var build = Self.attached(.confirmed)
        build.agreed("note", "Note/n.json", "k", type: "Note")
        var known = build
        build.trees.noteTakenOut(FolderPath("p.png")!)
        build.remoteGone("file")
        build.trees.noteFetch()
        build.trees.forgetTakenOutFiles()
        #expect(build.plan() == ["create file from p.png"])
        known.remoteGone("file")
        #expect(known.plan() == ["delete file p.png"])
    }

    @Test("What was fetched of a record that has the file is carried out before that is forgotten")
    func takenOutAndFetched() {
        let path = FolderPath("p.png")!
        var build = TreeBuilder()
        build.agreedNote("note", "Note/n.json", "j", pic: "p.png", "p")
        build.trees.noteTakenOut(path)
        build.remoteGone("note")
        build.trees.noteFetch()
        build.trees.forgetTakenOutFiles()
        #expect(build.trees.provenance[path].takenOut != nil)
        build.trees.setBase(nil, named: RecordName("note"))
        build.trees.forgetTakenOutFiles()
        #expect(build.trees.provenance[path].takenOut == nil)
    }
}
