import SyncModel
import Testing

@testable import StateRows
@testable import StateStorage

@Suite("What happened to files that no tree tells")
struct ProvenanceTests {
    private static let path = FolderPath(bytes: [0xFF, 0x2F, 0xC3, 0xA9])!

    private static func file(
        _ number: Int, isAsset: Bool, at path: FolderPath, modified: Int64 = 5
    ) -> AgreedFile {
        AgreedFile(
            record: RecordName("r\(number)"), path: path, hash: hash(number),
            file: FileIdentity(device: .max, inode: UInt64(number), born: .min), modified: modified, isAsset: isAsset)
    }

    /// One of each kind.
    private static var kinds: [Provenance] {
        let changes: [(inout Provenance) -> Void] = [
            { $0.origin = file(1, isAsset: true, at: FolderPath("elsewhere")!) },
            { $0.origin = file(2, isAsset: false, at: FolderPath("elsewhere")!) },
            { $0.parted = file(3, isAsset: false, at: path) },
            { $0.parted = file(3, isAsset: false, at: path, modified: 0) },
            { $0.parted = file(3, isAsset: true, at: path, modified: 0) },
            { $0.letGo = hash(4) },
            { $0.overwritten = [hash(5), hash(6)] },
            { $0.isUnwatched = true },
            { $0.takenOut = .unasked },
            { $0.takenOut = .asked },
            { $0.arrived = hash(7) },
            { $0.awaited = hash(8) },
            { $0.movedHere = RecordName("r9") },
        ]
        return changes.map { change in
            var known = Provenance()
            change(&known)
            return known
        }
    }

    @Test("Every kind comes back as it was stored, and is gone once there is nothing to remember")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        for known in Self.kinds {
            try store.note([Self.path: known])
            #expect(try store.loadTrees().provenance == [Self.path: known])
        }
        try store.note([Self.path: Provenance()])
        #expect(try store.loadTrees().provenance.isEmpty)
    }

    @Test("It is stored with the outcomes that it belongs to")
    func outcomes() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try store.commitOutcomes([agreed("b")], provenance: [Self.path: Self.kinds[0]])
        #expect(try folder.look { try $0.loadTrees() }.provenance == [Self.path: Self.kinds[0]])
    }

    @Test("It goes with the trees, and with a zone that another one follows, as what was half written from that does")
    func forgotten() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try store.note([Self.path: Self.kinds[3]])
        try store.forgetTrees()
        #expect(try store.loadTrees().provenance.isEmpty)
        try store.note([Self.path: Self.kinds[3]])
        let entry = base("a")
        try store.noteWritten([
            WrittenVersion(entry: entry, document: nil, path: entry.path, hash: entry.hash, formerTag: nil)
        ])
        try store.loseZone(notes)
        // It may be the same zone that comes back.
        #expect(try store.writtenVersions().count == 1)
        try store.beginFullListing(zone: notes)
        try store.replaceZone(notes)
        #expect(try store.loadTrees().provenance.isEmpty && store.writtenVersions().isEmpty)
    }
}
