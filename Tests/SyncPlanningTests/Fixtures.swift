import RecordTrees
import SyncModel
import SyncPlanning

/// Builds trees from a few words: contents are single characters, every path is its own file.
struct TreeBuilder {
    var trees = SyncTrees(fileRecordType: "File") { path, name, attempt in
        FolderPath("\(path)\(String(repeating: "~", count: attempt))\(name)")!
    }
    private var inodes: UInt64 = 0

    static func hash(_ content: Character) -> ContentHash {
        ContentHash(bytes: repeatElement(content.asciiValue!, count: 32))!
    }

    /// - Parameters:
    ///   - modified: When its bytes last changed; without it, at a time of its inode's own, which renames keep.
    ///   - born: When the file was made.
    mutating func local(
        _ path: String, _ content: Character, inode: UInt64? = nil, modified: Int64? = nil, born: Int64 = 0,
        form: FileForm = .file
    ) {
        inodes += 1
        let path = FolderPath(path)!
        let inode = inode ?? 1000 + inodes
        let stamp = FileStamp(
            device: 1, inode: inode, size: 1, modified: modified ?? Int64(inode), changed: Int64(inodes), mode: 0o644,
            born: born)
        trees.setLocal(LocalEntry(path: path, stamp: stamp, hash: Self.hash(content), form: form), at: path)
    }

    /// The file of a record, with other bytes in its place, or renamed.
    mutating func save(_ name: String, as path: String, _ content: Character, form: FileForm = .file) {
        let base = trees.base[RecordName(name)]!
        if base.path != FolderPath(path), trees.local[base.path]?.stamp.inode == base.file.inode {
            trees.setLocal(nil, at: base.path)
        }
        local(path, content, inode: base.file.inode, born: base.file.born, form: form)
    }

    mutating func gone(_ path: String) {
        trees.setLocal(nil, at: FolderPath(path)!)
    }

    /// - Parameter checksum: Of a file record's content, as the server calls it.
    mutating func remote(
        _ name: String, _ path: String, tag: String = "1", created: Int64 = 0, type: String = "File",
        checksum: String? = nil
    ) {
        let content = checksum.map { AssetVersion(field: "content", index: nil, checksum: $0, size: 1) }
        trees.setRemote(
            RemoteEntry(
                name: RecordName(name), recordType: type, changeTag: tag, path: FolderPath(path)!,
                createdMilliseconds: created, assets: [content].compactMap(\.self)), named: RecordName(name))
    }

    mutating func remoteGone(_ name: String) {
        trees.setRemote(nil, named: RecordName(name))
    }

    /// All three sides agree on a file.
    mutating func agreed(
        _ name: String, _ path: String, _ content: Character, inode: UInt64? = nil, born: Int64 = 0,
        type: String = "File"
    ) {
        inodes += 1
        let inode = inode ?? 1000 + inodes
        local(
            path, content, inode: inode, born: born,
            form: type == "File" ? .file : .structured(recordType: type, attachments: []))
        remote(name, path, type: type)
        trees.setBase(
            BaseEntry(
                name: RecordName(name), recordType: type, path: FolderPath(path)!, hash: Self.hash(content),
                executable: false, changeTag: "1", assets: [],
                file: FileIdentity(device: 1, inode: inode, born: born), modified: Int64(inode)),
            named: RecordName(name))
    }

    /// The file of a record was moved, and the state knows it.
    mutating func moveBase(_ name: String, to path: String) {
        var base = trees.base[RecordName(name)]!
        let path = FolderPath(path)!
        base.path = path
        base.file = trees.local[path]!.stamp.file
        trees.setBase(base, named: base.name)
    }

    /// The zone took what is at the path of a record.
    mutating func taken(_ name: String) {
        var base = trees.base[RecordName(name)]!
        let file = trees.local[base.path]!
        (base.hash, base.file, base.modified) = (file.hash, file.stamp.file, file.stamp.modified)
        base.standing = .agreed
        parted(base.name, by: base)
        trees.setBase(base, named: base.name)
    }

    /// What parts from a record is noted, as with the outcome by which both sides agree on it.
    mutating func parted(_ name: RecordName, by entry: BaseEntry?) {
        let files = trees.parted(from: name, by: entry, removing: [])
        trees.noteStored(trees.provenanceChanges(noting: files))
    }

    /// Neither side has a record any more.
    mutating func forget(_ name: String) {
        trees.setRemote(nil, named: RecordName(name))
        trees.setBase(nil, named: RecordName(name))
    }

    /// How a record's file stands to it, as both sides agreed last.
    mutating func stands(_ name: String, _ standing: BaseEntry.Standing) {
        var base = trees.base[RecordName(name)]!
        base.standing = standing
        trees.setBase(base, named: base.name)
    }

    /// All three sides agree on a structured file of the type `Note` and on the file that its field `pic` names, whose
    /// checksum is the content itself.
    mutating func agreedNote(_ name: String, _ path: String, _ content: Character, pic: String, _ bytes: Character) {
        agreed(name, path, content, type: "Note")
        let pic = FolderPath(pic)!
        if trees.local[pic]?.hash != Self.hash(bytes) { local(pic.description, bytes) }
        local(path, content, inode: trees.base[RecordName(name)]!.file.inode, form: Self.note(pic: pic.description))
        var base = trees.base[RecordName(name)]!
        base.assets = [
            AgreedAsset(
                field: "pic", index: nil, path: pic, hash: Self.hash(bytes), checksum: "\(bytes)",
                file: trees.local[pic]!.stamp.file)
        ]
        trees.setBase(base, named: base.name)
    }

    /// A structured file that names another one, or none.
    static func note(pic: String? = nil) -> FileForm {
        .structured(
            recordType: "Note",
            attachments: pic.map { [Attachment(field: "pic", index: nil, path: FolderPath($0)!)] } ?? [])
    }

    /// A structured file that nobody can read the fields of.
    static let unfit = FileForm.unfit(Problem(.brokenJSON, message: "", remedy: ""))

    /// One that cannot be sent, whatever record it belongs to.
    static let broken = FileForm.held(Problem(.brokenJSON, message: "", remedy: ""))

    /// The kinds of a plan, with paths, as text. What has to be noted is noted.
    mutating func plan(_ planner: Planner = Planner { _ in false }) -> [String] {
        let plan = planner.plan(&trees)
        for (name, standing) in plan.renewed {
            var base = trees.base[name]!
            base.standing = standing
            trees.setBase(base, named: name)
        }
        for (name, entry) in plan.yielded { trees.setBase(entry, named: name) }
        return plan.actions.map(\.summary)
    }
}

extension Action {
    var summary: String {
        let name = record.map { "\($0)" } ?? "new"
        return switch kind {
        case .createRecord: "create \(name) from \(path)"
        case .updateRecord(let content, let path):
            "update \(name) from \(self.path)\(content ? " content" : "")\(path ? " path" : "")"
        case .deleteRecord: "delete record \(name)"
        case .writeFile: "write \(name) to \(path)"
        case .moveFile(let target): "move \(path) to \(target)"
        case .deleteFile: "delete file \(path)"
        case .reconcile: "reconcile \(name) at \(path)"
        case .forget: "forget \(name)"
        }
    }
}
