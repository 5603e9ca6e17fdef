import SyncModel
import SyncPlanning
import Testing

@testable import RecordTrees

/// Files where the zone has moved records to whose own files are gone here.
@Suite("Files where the zone has moved records to")
struct MovedAlikeTests {
    /// The zone moved one file, and here that one and another are gone, and a file is in the new place.
    private static func given(_ content: Character, inode: UInt64? = nil) -> TreeBuilder {
        var build = TreeBuilder()
        build.agreed("a", "a.txt", "x", inode: 5)
        build.agreed("b", "b.txt", "y", inode: 6)
        _ = build.plan()
        build.remote("a", "c.txt", tag: "2")
        for name in ["a.txt", "b.txt"] { build.gone(name) }
        build.local("c.txt", content, inode: inode)
        return build
    }

    @Test("A file is the record's that the zone has moved to its path, whatever its bytes", arguments: ["x", "z"])
    func alike(content: Character) {
        var build = Self.given(content)
        let first = content == "x" ? "write a to c.txt" : "reconcile a at c.txt"
        #expect(build.plan() == [first, "delete record b"])
    }

    @Test(
        "One that was renamed to there, be it by a copy, is its own record's still",
        arguments: [6, nil] as [UInt64?])
    func renamed(inode: UInt64?) {
        var build = Self.given("y", inode: inode)
        #expect(build.plan() == ["write a to c.txt", "update b from c.txt path"])
    }

    @Test("One whose bytes another record had that the zone has elsewhere too is not taken for that one's")
    func movedBoth() {
        var build = Self.given("y")
        build.remoteGone("b")
        #expect(build.plan() == ["forget b", "reconcile a at c.txt"])
    }

    @Test("Only what is neither the record's file nor has its bytes need be no version of it")
    func unrelated() throws {
        let path = try #require(FolderPath("c.txt"))
        func isUnrelated(_ content: Character, inode: UInt64? = nil) throws -> Bool {
            let trees = Self.given(content, inode: inode).trees
            return trees.isUnrelated(path, to: try #require(trees.base[RecordName("a")]))
        }
        #expect(try isUnrelated("z"))
        #expect(try !isUnrelated("x") && !isUnrelated("z", inode: 5))
    }
}
