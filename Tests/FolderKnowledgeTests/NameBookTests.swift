import FolderKnowledge
import RecordTrees
import SyncModel
import Testing

@Suite("The names that new files' records are to have")
struct NameBookTests {
    private static let note = FolderPath("Note/a.json")!
    private static let file = FolderPath("Note/a")!

    /// Both files; each of their paths spells the same name.
    private static func trees() -> SyncTrees {
        var trees = SyncTrees(fileRecordType: "File") { path, _, _ in path }
        for (path, form) in [
            (note, FileForm.structured(recordType: "Note", attachments: [])), (file, .file),
        ] {
            let stamp = FileStamp(
                device: 1, inode: UInt64(path.bytes.count), size: 1, modified: 1, changed: 1, mode: 0o644, born: 1)
            let hash = ContentHash(bytes: repeatElement(1, count: 32))!
            trees.setLocal(LocalEntry(path: path, stamp: stamp, hash: hash, form: form), at: path)
        }
        return trees
    }

    @Test("Two files whose paths spell one name get two, whichever comes first, and each keeps its own")
    func oneNameForTwo() {
        let trees = Self.trees()
        for paths in [[Self.note, Self.file], [Self.file, Self.note, Self.file]] {
            let book = NameBook(of: paths, in: trees)
            #expect(book.givenName(of: paths[0]) == RecordName("Note/a"))
            #expect(book.givenName(of: paths[1]).map { $0.rawValue.hasPrefix("Note/a~") } == true)
            for path in paths { #expect(book.name(of: path, in: trees) == book.givenName(of: path)) }
        }
    }

    @Test("A name that the zone has, or that both sides agreed on, is given to no new file")
    func taken() {
        let name = RecordName("Note/a")
        var (inZone, agreed) = (Self.trees(), Self.trees())
        inZone.setRemote(
            RemoteEntry(name: name, recordType: "Note", changeTag: "1", path: Self.note, createdMilliseconds: 0),
            named: name)
        agreed.setBase(
            BaseEntry(
                name: name, recordType: "Note", path: FolderPath("Note/moved.json")!,
                hash: ContentHash(bytes: repeatElement(2, count: 32))!, changeTag: "1", file: .unknown),
            named: name)
        for trees in [inZone, agreed] {
            let given = NameBook(of: [Self.note], in: trees).givenName(of: Self.note)
            #expect(given.map { $0.rawValue.hasPrefix("Note/a~") } == true)
            #expect(NameBook().name(of: Self.note, in: trees) == given)
        }
    }

    @Test("A file that was not asked for has no name, and would get the one that it has by itself")
    func other() {
        let book = NameBook(of: [Self.note], in: Self.trees())
        #expect(book.givenName(of: Self.file) == nil)
        #expect(NameBook().name(of: Self.file, in: Self.trees()) == RecordName("Note/a"))
    }
}
