import CloudKitWire
import RecordTrees
import SyncModel
import Testing

@testable import RecordReceiving

@Suite("How a record stands once it is written")
struct WritingStandingTests {
    private static let path = FolderPath("n.json")!
    private static let hash = ContentHash(bytes: repeatElement(1, count: 32))!

    /// A note that a person put over another one, merged with what the zone has.
    private static func merged(conflict: [String]? = nil) -> Writing {
        let entry = RemoteEntry(
            name: RecordName("n"), recordType: "Note", changeTag: "2", path: path, createdMilliseconds: 0)
        let action = Action(.reconcile, record: entry.name, path: path, local: nil, changeTag: "2")
        let receiving = Receiving(
            action: action, entry: entry, record: Record(recordName: "n", recordType: "Note"), downloads: [:])
        return Writing(
            receiving: receiving, path: path, content: .bytes([1]), isExecutable: false, modified: nil, replaces: nil,
            assets: [], carriedAssets: [], keptAssets: [], leftOvers: [], conflict: conflict,
            agreed: (document: [2], hash: hash), document: [1])
    }

    private static func trees(_ standing: BaseEntry.Standing) -> SyncTrees {
        var trees = SyncTrees(fileRecordType: "File") { path, _, _ in path }
        let base = BaseEntry(
            name: RecordName("n"), recordType: "Note", path: path, hash: hash, changeTag: "1",
            file: FileIdentity(device: 1, inode: 2), standing: standing)
        trees.setBase(base, named: base.name)
        return trees
    }

    @Test("That a file was put over another one is still to be told once it was merged, and not where a copy has it")
    func merged() {
        for standing in [BaseEntry.Standing.agreed, .confirmed, .yielded, .renewedAsset] {
            #expect(Self.merged().standing(in: Self.trees(standing), isReadOnly: false) == .agreed)
        }
        #expect(Self.merged().standing(in: Self.trees(.renewed), isReadOnly: false) == .renewed)
        #expect(Self.merged(conflict: []).standing(in: Self.trees(.renewed), isReadOnly: false) == .agreed)
    }
}
