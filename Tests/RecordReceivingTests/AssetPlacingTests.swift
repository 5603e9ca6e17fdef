import CloudKitWire
import RecordTrees
import SyncModel
import Testing

@testable import RecordMapping
@testable import RecordReceiving

/// The zone has another picture in a note, at the same path; here the note names another file by now.
@Suite("Where a picture goes that another device put into a note, and no text here names")
struct AssetPlacingTests {
    private static let (note, picture) = (FolderPath("n.json")!, FolderPath("p.jpg")!)
    private static let slot = AssetSlot(field: "pic")

    private static func hash(_ content: Character) -> ContentHash {
        ContentHash(bytes: repeatElement(content.asciiValue!, count: 32))!
    }

    private static func file(_ path: FolderPath, _ content: Character) -> LocalEntry {
        let stamp = FileStamp(
            device: 1, inode: path.bytes.reduce(0) { $0 &* 256 &+ UInt64($1) }, size: 1, modified: 1, changed: 1,
            mode: 0o644, born: 1)
        return LocalEntry(path: path, stamp: stamp, hash: hash(content), form: .file)
    }

    /// - Parameters:
    ///   - here: What is in the picture's place here; both sides agreed on the content `a` for the note.
    ///   - own: What both sides agree on of a record of its own, and how that stands.
    /// - Returns: Where the zone's content `z` goes, and whether what is there is copied before.
    private static func place(
        over here: Character?, own: (content: Character, standing: BaseEntry.Standing)? = nil, isInZone: Bool = true,
        taken: [String] = []
    ) -> (path: FolderPath, isCopied: Bool)? {
        var trees = SyncTrees(fileRecordType: "File") { path, _, attempt in
            FolderPath("\(path)\(String(repeating: "~", count: attempt))")!
        }
        // The bytes that came, as of a file that had them already.
        let source = file(FolderPath("source")!, "z")
        let others = taken.map { file(FolderPath($0)!, "t") }
        for file in [source] + others + [here.map { file(picture, $0) }].compactMap(\.self) {
            trees.setLocal(file, at: file.path)
        }
        if let own {
            let content = AgreedAsset(field: "content", path: picture, hash: hash(own.content), checksum: "own")
            trees.setBase(
                BaseEntry(
                    name: RecordName("own"), recordType: "File", path: picture, hash: hash(own.content), changeTag: "1",
                    assets: [content], file: trees.local[picture]?.stamp.file ?? .unknown, standing: own.standing),
                named: RecordName("own"))
            if isInZone {
                trees.setRemote(
                    RemoteEntry(
                        name: RecordName("own"), recordType: "File", changeTag: "1", path: picture,
                        createdMilliseconds: 0),
                    named: RecordName("own"))
            }
        }
        let base = BaseEntry(
            name: RecordName("n"), recordType: "Note", path: note, hash: hash("n"), changeTag: "1",
            assets: [AgreedAsset(field: slot.field, path: picture, hash: hash("a"), checksum: "a")], file: .unknown)
        trees.setBase(base, named: base.name)
        let bytes = AssetBytes(
            place: .folder(source.path, LocalVersion(stamp: source.stamp, hash: source.hash)), hash: source.hash,
            firstBytes: [])
        let placing = AssetPlacing(
            of: note, base: base, named: [Attachment(field: slot.field, index: nil, path: FolderPath("b.jpg")!)],
            trees: trees)
        let asset = AttachedAsset(slot: slot, asset: Asset(fileChecksum: "z"), path: picture)
        return placing.place([asset], files: [slot: bytes], renewed: [])?.carried.first.map { ($0.path, $0.keepsCopy) }
    }

    @Test("It is a newer version of the picture that was the note's alone, and its path may be free")
    func newer() throws {
        for here in ["a", nil] as [Character?] {
            let placed = try #require(Self.place(over: here))
            #expect(placed == (Self.picture, false))
        }
    }

    @Test(
        "It goes beside a file that both sides keep as one of its own: over it, it would be an edit of that",
        arguments: [BaseEntry.Standing.agreed, .renewed, .confirmed])
    func besideFileOfItsOwn(standing: BaseEntry.Standing) throws {
        let placed = try #require(Self.place(over: "a", own: ("a", standing)))
        #expect(placed == (FolderPath("p.jpg~")!, false))
        let next = try #require(Self.place(over: "a", own: ("a", standing), taken: ["p.jpg~"]))
        #expect(next == (FolderPath("p.jpg~~")!, false))
    }

    @Test("It goes over one whose own record gives way to the note's, or is gone")
    func overYielded() throws {
        #expect(try #require(Self.place(over: "a", own: ("a", .yielded))) == (Self.picture, false))
        #expect(try #require(Self.place(over: "a", own: ("a", .agreed), isInZone: false)) == (Self.picture, false))
    }

    @Test("What a person has edited there is copied before")
    func overEdit() throws {
        #expect(try #require(Self.place(over: "e")) == (Self.picture, true))
        #expect(try #require(Self.place(over: "e", own: ("a", .agreed))) == (Self.picture, true))
    }

    @Test("Where the same bytes are there already, nothing is put anywhere")
    func same() {
        #expect(Self.place(over: "z", own: ("z", .agreed)) == nil)
    }
}
