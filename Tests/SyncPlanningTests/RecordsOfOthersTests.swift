import SyncModel
import SyncPlanning
import Testing

@Suite("Records as somebody else saved them")
struct RecordsOfOthersTests {
    @Test("A zone has records of others where one of them was not agreed on as it is")
    func others() {
        var build = TreeBuilder()
        build.local("a.txt", "a")
        // It is merely made: nobody has filled it.
        #expect(!build.trees.hasRecordsOfOthers)
        // What this device itself saved says nothing of others.
        build.agreed("a", "a.txt", "a")
        #expect(!build.trees.hasRecordsOfOthers)
        build.remote("a", "a.txt", tag: "2")
        #expect(build.trees.hasRecordsOfOthers)
        build.remote("a", "a.txt")
        #expect(!build.trees.hasRecordsOfOthers)
        build.remote("b", "b.txt")
        #expect(build.trees.hasRecordsOfOthers)
        build.remoteGone("b")
        #expect(!build.trees.hasRecordsOfOthers)
    }
}
