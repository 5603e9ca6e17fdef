import SyncModel
import Testing

@testable import StateRows
@testable import StateStorage

@Suite("Settled files in the store")
struct SettledTests {
    @Test("Whether a file's times have settled is stored with them")
    func settled() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        var entry = local("a")
        entry.isSettled = false
        try store.commitLocal(upserts: [entry, local("b")])
        #expect(try store.loadTrees().local.map(\.isSettled) == [false, true])
        try store.commitLocal(upserts: [local("a")])
        #expect(try store.loadTrees().local.map(\.isSettled) == [true, true])
    }
}
