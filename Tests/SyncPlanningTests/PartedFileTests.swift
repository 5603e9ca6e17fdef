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

    @Test("A file that an editor saved in a new one leaves nothing to remember")
    func savedAnew() {
        var build = TreeBuilder()
        build.agreed("c", "c", "2", inode: 5)
        build.local("c", "3", inode: 9)
        #expect(build.plan() == ["update c from c content"])
        build.taken("c")
        #expect(build.trees.provenance[Self.c].isEmpty)
    }

    @Test("A start knows it still")
    func start() {
        let build = Self.rotated()
        var started = TreeBuilder()
        started.trees.load(
            local: Array(build.trees.local.values), remote: Array(build.trees.remote.values),
            base: Array(build.trees.base.values), provenance: build.trees.provenance.changes)
        started.local("d", "2", inode: 5)
        #expect(started.plan() == ["update d from d content"])
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
