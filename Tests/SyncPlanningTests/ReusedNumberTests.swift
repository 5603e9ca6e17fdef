import SyncModel
import Testing

@testable import RecordTrees
@testable import SyncPlanning

@Suite("A file system gives the number of a deleted file to a new one")
struct ReusedNumberTests {
    @Test("A new file that was given the number of a deleted one is no rename of it", arguments: [2, 1, 0])
    func reusedNumber(born: Int64) {
        var build = TreeBuilder()
        build.agreed("a", "a.txt", "x", inode: 5, born: born == 0 ? 0 : 1)
        build.gone("a.txt")
        build.local("sub/b.txt", "z", inode: 5, born: born)
        // Where the file system keeps no time of birth, the number alone has to do.
        let isRename = born < 2
        #expect(
            build.plan()
                == (isRename
                    ? ["update a from sub/b.txt content path"] : ["create new from sub/b.txt", "delete record a"]))
    }

    @Test("A file of which it was not known when it was made is the one that is there")
    func unknownBirth() throws {
        var build = TreeBuilder()
        build.agreed("a", "a.txt", "x", inode: 5)
        build.local("a.txt", "x", inode: 5, born: 7)
        let entry = try #require(build.trees.local[FolderPath("a.txt")!])
        let base = try #require(build.trees.touched(entry))
        #expect(base.file == entry.stamp.file)
        build.trees.setBase(base, named: base.name)
        #expect(build.trees.touched(entry) == nil)
        build.gone("a.txt")
        build.local("b.txt", "y", inode: 5, born: 7)
        #expect(build.plan() == ["update a from b.txt content path"])
    }
}
