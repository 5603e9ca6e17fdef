import SyncModel
import SyncPlanning
import Testing

@testable import RecordTrees

/// What is known of a file that people moved about, between the looks at the places where it was and where it is
/// (reliability.md §4, invariant 6).
@Suite("A file whose place another one took before it was seen elsewhere")
struct PartedFileTests {
    private static let c = FolderPath("c")!

    /// `c` was moved over the equal `d`, and `b` to where it was; both of these were seen and sent, `d` was not looked at yet.
    private static func rotated() -> TreeBuilder {
        var build = TreeBuilder()
        build.agreed("b", "b", "1", inode: 4)
        build.agreed("c", "c", "2", inode: 5)
        build.agreed("d", "d", "2", inode: 6)
        build.local("c", "1", inode: 4)
        build.local("b", "3", inode: 9)
        _ = build.plan()
        build.taken("b")
        build.taken("c")
        return build
    }

    @Test("It is an edit of the equal file that it is seen in the place of: a deletion elsewhere does not take it")
    func comesToSight() {
        var build = Self.rotated()
        build.local("d", "2", inode: 5)
        #expect(build.plan() == ["update d from d content"])
        build.taken("d")
        #expect(build.trees.provenance[Self.c].isEmpty)
    }

    @Test("It is nothing of the record that it is seen in the place of with other bytes than it had")
    func writtenTo() {
        var build = Self.rotated()
        build.local("e", "4", inode: 5)
        #expect(build.plan() == ["create new from e"])
    }

    /// The file of `c` went over the equal `d`, and a new one was saved in its old place and sent; `d` was not looked at yet.
    private static func savedAnew() -> TreeBuilder {
        var build = TreeBuilder()
        build.agreed("c", "c", "2", inode: 5)
        build.agreed("d", "d", "2", inode: 6)
        build.local("c", "3", inode: 9)
        #expect(build.plan() == ["update c from c content"])
        build.taken("c")
        return build
    }

    @Test("It is an edit of the equal file also where a new file took its place")
    func newFileInItsPlace() {
        var build = Self.savedAnew()
        build.local("d", "2", inode: 5)
        #expect(build.plan() == ["update d from d content"])
        build.taken("d")
        #expect(build.trees.provenance[Self.c].isEmpty)
    }

    @Test("It is remembered until the whole folder was looked at twice: one may end before what it found is taken in")
    func lookedFor() {
        var build = Self.savedAnew()
        let parted = build.trees.provenance[Self.c].parted
        #expect(parted?.file.inode == 5)
        // The first look may have begun before it parted.
        for _ in 0..<2 {
            build.trees.noteWholeLook()
            #expect(build.trees.provenance[Self.c].parted == parted)
        }
        build.trees.noteWholeLook()
        #expect(build.trees.provenance[Self.c].isEmpty)
    }

    @Test("What parted from a place again since the looks is remembered on")
    func partedAgain() {
        var build = Self.savedAnew()
        for _ in 0..<2 { build.trees.noteWholeLook() }
        build.local("c", "4", inode: 10)
        build.taken("c")
        build.trees.noteWholeLook()
        #expect(build.trees.provenance[Self.c].parted?.file.inode == 9)
    }

    @Test("An asset is remembered as a record's own file is, and is the equal one's edit where it comes to sight")
    func asset() {
        var build = TreeBuilder()
        build.agreedNote("n", "Note/n", "1", pic: "p", "2")
        build.agreedNote("m", "Note/m", "1", pic: "q", "2")
        let first = build.trees.local[FolderPath("p")!]!.stamp.inode
        build.local("p", "3", inode: 900)
        _ = build.plan()
        var base = build.trees.base[RecordName("n")]!
        base.assets[0].hash = TreeBuilder.hash("3")
        base.assets[0].file = FileIdentity(device: 1, inode: 900, born: 0)
        build.parted(base.name, by: base)
        build.trees.setBase(base, named: base.name)
        #expect(build.trees.provenance[FolderPath("p")!].parted?.isAsset == true)
        build.local("q", "2", inode: first)
        #expect(build.plan() == ["update m from Note/m content"])
    }

    @Test("So is one that a person took out of its record, or whose record they deleted", arguments: [true, false])
    func takenOut(isDeleted: Bool) {
        var build = TreeBuilder()
        build.agreedNote("n", "Note/n", "1", pic: "p", "2")
        build.agreed("d", "d", "2", inode: 6)
        let file = build.trees.local[FolderPath("p")!]!.stamp.inode
        let old = build.trees.base[RecordName("n")]!
        var base: BaseEntry? = isDeleted ? nil : old
        base?.assets = []
        build.parted(old.name, by: base)
        build.trees.setBase(base, named: old.name)
        build.local("Note/n", "4", inode: old.file.inode, form: TreeBuilder.note())
        if isDeleted { build.gone("Note/n") }
        build.gone("p")
        build.local("d", "2", inode: file)
        #expect(build.plan().contains("update d from d content"))
    }

    @Test("Not so where this device removed it")
    func removedHere() {
        var build = TreeBuilder()
        build.agreedNote("n", "Note/n", "1", pic: "p", "2")
        let files = build.trees.parted(from: RecordName("n"), by: nil, removing: [FolderPath("p")!])
        #expect(files.isEmpty)
    }

    @Test("Of a file that is where it belongs until this device replaces it, nothing is to be remembered")
    func replacedHere() {
        var build = TreeBuilder()
        build.agreed("c", "c", "2", inode: 5)
        var base = build.trees.base[RecordName("c")]!
        base.file = FileIdentity(device: 1, inode: 9, born: 0)
        build.parted(base.name, by: base)
        #expect(build.trees.provenance[Self.c].isEmpty)
    }

    @Test("It is known where it came to sight before the zone took the new one")
    func seenBefore() {
        var build = TreeBuilder()
        build.agreed("c", "c", "2", inode: 5)
        build.agreed("d", "d", "2", inode: 6)
        build.local("c", "3", inode: 9)
        _ = build.plan()
        build.local("d", "2", inode: 5)
        build.taken("c")
        #expect(build.plan() == ["update d from d content"])
    }

    @Test("It is known where its record moved on, or is gone", arguments: [nil, "e"])
    func recordLeft(to path: String?) {
        var build = Self.savedAnew()
        if let path {
            build.local(path, "3", inode: 9)
            build.gone("c")
            build.moveBase("c", to: path)
        } else {
            build.gone("c")
            build.forget("c")
        }
        build.local("d", "2", inode: 5)
        #expect(build.plan().contains("update d from d content"))
    }

    @Test("Another link to it was there all the time, and is no edit")
    func link() {
        var build = TreeBuilder()
        build.agreed("a", "a", "2", inode: 5)
        build.agreed("b", "b", "2", inode: 5)
        #expect(build.plan() == [])
        build.local("b", "3", inode: 9)
        #expect(build.plan() == ["update b from b content"])
        build.taken("b")
        // It has a link less.
        build.local("a", "2", inode: 5)
        #expect(build.plan() == [])
        build.remoteGone("a")
        #expect(build.plan() == ["delete file a"])
    }

    @Test("What is seen stays known, however often the folder is looked at before there is a plan")
    func seenWhilePaused() {
        var build = Self.savedAnew()
        build.local("d", "2", inode: 5)
        for _ in 0..<4 { build.trees.noteWholeLook() }
        #expect(build.plan() == ["update d from d content"])
    }

    @Test("A start knows it still")
    func start() {
        let build = Self.rotated()
        var started = TreeBuilder()
        started.trees.load(
            local: Array(build.trees.local.values), remote: Array(build.trees.remote.values),
            base: Array(build.trees.base.values), provenance: build.trees.provenance.changes)
        var looked = started
        started.local("d", "2", inode: 5)
        #expect(started.plan() == ["update d from d content"])
        // Nothing was done since that the first look does not see.
        looked.trees.noteWholeLook()
        #expect(looked.trees.provenance[Self.c].isEmpty)
    }

    @Test("A start forgets what told of a file that is there no more")
    func outdated() {
        var known = Provenance()
        known.letGo = TreeBuilder.hash("1")
        known.arrived = TreeBuilder.hash("1")
        known.isUnwatched = true
        known.takenOut = .asked
        var build = TreeBuilder()
        build.trees.load(local: [], remote: [], base: [], provenance: [Self.c: known])
        var left = Provenance()
        left.takenOut = .asked
        #expect(build.trees.provenance[Self.c] == left)
        #expect(build.trees.provenance.changes == [Self.c: left])
        build.trees.forgetTakenOutFiles()
        #expect(build.trees.provenance.changes == [Self.c: Provenance()])
    }
}
