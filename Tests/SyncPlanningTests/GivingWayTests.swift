import SyncModel
import Testing

@testable import RecordTrees

@Suite("Records that give way at a path")
struct GivingWayTests {
    private static let path = FolderPath("p.txt")!

    @Test("A path that an older record takes from another one is planned again: a new file may have waited there")
    func olderRecord() {
        var build = TreeBuilder()
        build.remote("late", "p.txt", created: 2)
        _ = build.plan()
        #expect(!build.trees.dirtyPaths.contains(Self.path))
        build.remote("early", "p.txt", created: 1)
        #expect(build.trees.dirtyPaths.contains(Self.path))
        #expect(build.trees.dirtyRecords == [RecordName("late"), RecordName("early")])
    }
}
