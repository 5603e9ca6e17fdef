import SyncModel
import SystemPackage
import Testing

@testable import FolderSettings
@testable import StateRows
@testable import StateStorage

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Forgetting the state")
struct ResetTests {
    @Test("Trees and tokens are forgotten; whose folder it is, its pause, conflict copies and a lost zone stay")
    func forgetTrees() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let origin = FolderOrigin(FolderConfiguration(container: "iCloud.c", zone: "Notes", device: "d"))
        try store.setOrigin(origin)
        try store.updateFacts {
            $0.account = "_ada"
            $0.marker = "m"
            $0.device = "d"
            $0.pause = FolderPause(sinceMilliseconds: 5)
            $0.subscription = "s"
            $0.courierURL = "https://example.org"
        }
        try store.commitPage(records: [remote("a")], tombstones: [], token: "t", moreComing: false, zone: notes)
        try store.commitOutcomes([agreed("b")])
        try store.commitDatabaseChanges(owed: [], lost: [], token: "d")
        let conflict = ConflictRow(
            copy: FolderPath("a.conflict-1-oak.json")!, original: FolderPath("a.json")!, record: RecordName("a"),
            fields: [], hash: hash(1), atMilliseconds: 5)
        try store.addConflict(conflict)

        try store.forgetTrees()
        let facts = try store.facts()
        #expect(facts.origin == origin && facts.account == "_ada" && facts.marker == "m" && facts.device == "d")
        #expect(facts.pause == FolderPause(sinceMilliseconds: 5))
        #expect(facts.databaseToken == nil && facts.subscription == nil && facts.courierURL == nil)
        #expect(try store.zone(notes) == ZoneFacts())
        let trees = try store.loadTrees()
        #expect(trees.remote.isEmpty && trees.base.isEmpty && trees.local.isEmpty)
        #expect(try store.conflicts() == [conflict])
    }

    @Test("What may not be sent before a person's word still may not", arguments: ZoneLoss.allCases)
    func loss(_ loss: ZoneLoss) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try store.write(.durable) { db in try ZoneTable.update(notes, db) { $0.loss = loss } }
        try store.forgetTrees()
        #expect(try store.zone(notes).loss == (loss == .missing ? .replaced : loss))
    }

    @Test("The directory goes with all that is in it; the folder's files stay, and so does where a link leads")
    func remove() throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let file = folder.path.appending("a.txt")
        let kept = other.path.appending("kept.txt")
        for path in [file, kept, folder.state.credentialsFile, folder.state.history.appending("old.txt")] {
            try DurableFile.write([1], to: path)
        }
        #expect(symlink(other.path.string, folder.state.path.appending("link").string) == 0)
        #expect(try folder.state.historyCount == 1)
        let lock = try FolderLock(of: folder.state)
        try folder.state.remove()
        withExtendedLifetime(lock) {}
        #expect(StateDirectory.folder(holding: folder.path) == nil)
        #expect(try DurableFile.read(file) == [1])
        #expect(try DurableFile.read(kept) == [1])
        #expect(try FileStatus(of: folder.path.appending(".zonefolder.removed-\(getpid())-0")) == nil)
    }
}
