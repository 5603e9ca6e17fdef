import RecordTrees
import SyncModel
import Testing

@testable import SyncActions

@Suite("A file that was to be sent as a record of its own when a note came that names it")
struct ReceivedAssetTests {
    private static let path = FolderPath("a.png")!

    private static func local(_ path: String, _ form: FileForm) -> LocalEntry {
        LocalEntry(
            path: FolderPath(path)!,
            stamp: FileStamp(device: 1, inode: path == "a.png" ? 1 : 2, size: 1, modified: 1, changed: 1, mode: 0o644),
            hash: ContentHash(bytes: repeatElement(1, count: 32))!, form: form)
    }

    /// - Parameter place: Where both sides agreed on the file's own record; `nil`: nowhere.
    private static func trees(isNamed: Bool, agreedAt place: String?) -> SyncTrees {
        var trees = SyncTrees(fileRecordType: "File") { path, _, _ in path }
        let named = isNamed ? [Attachment(field: "pic", index: nil, path: path)] : []
        for entry in [
            local("a.png", .file), local("n.json", .structured(recordType: "Note", attachments: named)),
        ] {
            trees.setLocal(entry, at: entry.path)
        }
        if let place {
            let base = BaseEntry(
                name: RecordName("file"), recordType: "File", path: FolderPath(place)!,
                hash: local("a.png", .file).hash, changeTag: "1", file: FileIdentity(device: 1, inode: 1))
            trees.setBase(base, named: base.name)
        }
        return trees
    }

    private static func isOfReceivedAsset(
        _ kind: Action.Kind, _ record: String?, isNamed: Bool = true, agreedAt place: String? = nil
    ) -> Bool {
        let action = Action(kind, record: record.map { RecordName($0) }, path: path, local: nil, changeTag: nil)
        return action.isOfReceivedAsset(in: trees(isNamed: isNamed, agreedAt: place))
    }

    @Test("It is not sent, unless both sides know it as a record of its own there; its record may go")
    func table() {
        #expect(Self.isOfReceivedAsset(.createRecord, nil))
        #expect(!Self.isOfReceivedAsset(.createRecord, nil, isNamed: false))
        // Its record was deleted by others, and it is edited here.
        #expect(Self.isOfReceivedAsset(.createRecord, "file"))
        #expect(!Self.isOfReceivedAsset(.updateRecord(content: true, path: false), "file", agreedAt: "a.png"))
        #expect(Self.isOfReceivedAsset(.updateRecord(content: false, path: true), "file", agreedAt: "b.png"))
        #expect(!Self.isOfReceivedAsset(.deleteRecord, "file", agreedAt: "b.png"))
    }
}
