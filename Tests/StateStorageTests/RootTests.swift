import SyncModel
import Testing

@testable import StateRows
@testable import StateStorage

@Suite("The number of the folder's disk")
struct RootTests {
    private static let root = FileIdentity(device: 3, inode: 2, born: 17)

    /// A store with a file, a record with an asset, a version that is sent, and a file whose place is remembered; all on disk 3.
    private static func filled(_ folder: TemporaryFolder) throws -> StateStore {
        let store = try folder.store()
        var file = local("a")
        file.stamp.device = 3
        try store.commitLocal(upserts: [file], removals: [])
        var entry = base("a")
        entry.assets[0].file = FileIdentity(device: 3, inode: 8, born: 9)
        try store.noteSent([SentVersion(entry: entry, document: nil)])
        var known = Provenance()
        known.origin = AgreedFile(
            record: RecordName("a"), path: FolderPath("elsewhere")!, hash: hash(1),
            file: FileIdentity(device: 3, inode: 4, born: 5), modified: 6, isAsset: true)
        entry.name = RecordName("b")
        try store.commitOutcomes(
            [Outcome(base: .agreed(entry, document: nil))], provenance: [FolderPath("c")!: known])
        return store
    }

    @Test(
        "A state that was put back is of another file, by when that was made, where this is known",
        arguments: [(Int64(5), Int64(6), true), (5, 5, false), (0, 6, false), (5, 0, false)])
    func putBack(before: Int64, now: Int64, isCopy: Bool) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        for born in [before, before, now] { try store.setRoot(Self.root, stateBorn: born) }
        #expect(try store.facts().isCopy == isCopy)
    }

    private static func disks(_ store: StateStore) throws -> Set<UInt64> {
        let trees = try store.loadTrees()
        var disks = Set(trees.local.map(\.stamp.device))
        for entry in trees.base + trees.sent.map(\.entry) {
            disks.formUnion([entry.file.device] + entry.assets.compactMap(\.file?.device))
        }
        return disks.union(trees.provenance.values.compactMap(\.origin?.file.device))
    }

    @Test("Where the same directory is on a disk of another number, all of its files are known by that one")
    func renumbered() throws {
        let folder = try TemporaryFolder()
        var store = try Self.filled(folder)
        #expect(try !store.setRoot(Self.root))
        #expect(try !store.setRoot(Self.root))
        #expect(try Self.disks(store) == [3])
        try store.close()
        store = try folder.store()
        #expect(try store.setRoot(FileIdentity(device: .max, inode: 2, born: 17)))
        #expect(try Self.disks(store) == [.max])
        #expect(try !store.facts().isCopy)
        #expect(try !store.setRoot(FileIdentity(device: .max, inode: 2, born: 17)))
    }

    @Test(
        "Another directory, as of a copy, has other files, and so may one whose time of birth nobody knows",
        arguments: [(inode: UInt64(5), born: Int64(17)), (2, 18), (2, 0)])
    func another(inode: UInt64, born: Int64) throws {
        let folder = try TemporaryFolder()
        let store = try Self.filled(folder)
        try store.setRoot(FileIdentity(device: 3, inode: 2, born: born == 0 ? 0 : 17))
        #expect(try !store.facts().isCopy)
        #expect(try !store.setRoot(FileIdentity(device: 4, inode: inode, born: born)))
        #expect(try Self.disks(store) == [3])
        #expect(try store.facts().isCopy == (born == 18))
    }
}
