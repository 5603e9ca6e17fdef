import CloudKitWire
import RecordMapping
import RecordTrees
import SyncModel
import SyncPlanning
import Testing

@testable import RecordReceiving

@Suite("What is written together")
struct WritingChunkTests {
    private static let picture = FolderPath("p.jpg")!
    private static let trees = SyncTrees(fileRecordType: "File") { path, _, _ in path }

    private static func hash(_ number: UInt8) -> ContentHash { ContentHash(bytes: repeatElement(number, count: 32))! }

    private static let version = LocalVersion(
        stamp: FileStamp(device: 1, inode: 2, size: 3, modified: 4, changed: 5, mode: 0o644), hash: hash(1))

    private static func asset(_ path: FolderPath, _ number: UInt8 = 1) -> AgreedAsset {
        AgreedAsset(field: "pic", path: path, hash: hash(number), checksum: "c\(number)")
    }

    /// A record of a file: structured, where its path ends in `.json`.
    private static func writing(
        _ path: String, kept: [AgreedAsset] = [], carried: [Writing.CarriedAsset] = [], leftOvers: [FolderPath] = [],
        given: [AgreedAsset] = []
    ) -> Writing {
        let file = FolderPath(path)!
        let isStructured = path.hasSuffix(".json")
        let entry = RemoteEntry(
            name: RecordName(path), recordType: isStructured ? "Note" : "File", changeTag: "1", path: file,
            createdMilliseconds: 0)
        let action = Action(.writeFile, record: entry.name, path: file, local: nil, changeTag: "1")
        let receiving = Receiving(
            action: action, entry: entry, record: Record(recordName: path, recordType: entry.recordType), downloads: [:]
        )
        return Writing(
            receiving: receiving, path: file, content: .keep, isExecutable: false, modified: nil, replaces: nil,
            assets: [], carriedAssets: carried, keptAssets: kept,
            leftOvers: leftOvers.map { Writing.LeftOver(path: $0, version: version) }, givenAssets: given,
            conflict: nil, agreed: nil,
            document: isStructured ? [] : nil)
    }

    private static func carried(
        from source: FolderPath, to path: FolderPath, keepsCopy: Bool = false, isMoved: Bool = true
    ) -> Writing.CarriedAsset {
        Writing.CarriedAsset(
            path: path, source: source, version: version, agreed: asset(path), replaces: nil,
            keepsCopy: keepsCopy, isMoved: isMoved)
    }

    private func paths(_ writings: [Writing]) -> [String] { writings.map { "\($0.path)" } }

    @Test("A file record waits whose path becomes another record's asset; whichever of them is first")
    func attached() {
        let writings = [
            Self.writing("p.jpg"), Self.writing("n.json", kept: [Self.asset(Self.picture)]), Self.writing("q.jpg"),
        ]
        for order in [writings, writings.reversed()] {
            let chunk = WritingChunk(order, trees: Self.trees)
            #expect(Set(paths(chunk.writings)) == ["n.json", "q.jpg"])
            #expect(paths(chunk.leftOut) == ["p.jpg"])
        }
    }

    @Test(
        "What goes over a file that another record comes to have waits; of two that would wait for each other, one goes on"
    )
    func keptByAnother() {
        let other = FolderPath("q.jpg")!
        let over = Self.writing("m.json", carried: [Self.carried(from: other, to: Self.picture)])
        let keeper = Self.writing("n.json", kept: [Self.asset(Self.picture)])
        #expect(paths(WritingChunk([over, keeper], trees: Self.trees).writings) == ["n.json"])
        let one = Self.writing(
            "m.json", kept: [Self.asset(other)],
            carried: [Self.carried(from: FolderPath("r.jpg")!, to: Self.picture)])
        let two = Self.writing(
            "n.json", kept: [Self.asset(Self.picture)],
            carried: [Self.carried(from: FolderPath("s.jpg")!, to: other)])
        let chunk = WritingChunk([one, two], trees: Self.trees)
        #expect(paths(chunk.writings) == ["n.json"])
        #expect(paths(chunk.leftOut) == ["m.json"])
    }

    /// Notes that both sides agreed on with the picture, which is here as it was.
    private static func trees(withPictureOf notes: [String], named: [String] = []) -> SyncTrees {
        var trees = trees
        trees.setLocal(LocalEntry(path: picture, stamp: version.stamp, hash: version.hash, form: .file), at: picture)
        for note in notes {
            trees.setBase(
                BaseEntry(
                    name: RecordName(note), recordType: "Note", path: FolderPath(note)!, hash: hash(9), changeTag: "1",
                    assets: [asset(picture)], file: .unknown),
                named: RecordName(note))
        }
        for note in named {
            let form = FileForm.structured(
                recordType: "Note", attachments: [Attachment(field: "pic", index: nil, path: picture)])
            let path = FolderPath(note)!
            trees.setLocal(LocalEntry(path: path, stamp: version.stamp, hash: hash(9), form: form), at: path)
        }
        return trees
    }

    @Test("A file that all who have it leave together goes along with the last of them, or into the history")
    func leftTogether() {
        let given = [Self.asset(Self.picture)]
        let carrier = Self.writing(
            "m.json", carried: [Self.carried(from: Self.picture, to: FolderPath("q.jpg")!, isMoved: false)],
            given: given)
        let leaver = Self.writing("n.json", given: given)
        let trees = Self.trees(withPictureOf: ["m.json", "n.json"])
        let moved = WritingChunk([carrier, leaver], trees: trees)
        #expect(moved.writings[0].carriedAssets[0].isMoved)
        #expect(moved.writings.flatMap(\.leftOvers).isEmpty)
        let left = WritingChunk([Self.writing("m.json", given: given), leaver], trees: trees)
        #expect(left.writings.map { $0.leftOvers.map(\.path) } == [[], [Self.picture]])
        // Somebody else has it still, or has it anew.
        let others = Self.trees(withPictureOf: ["m.json", "n.json", "o.json"], named: ["o.json"])
        for chunk in [
            WritingChunk([carrier, leaver], trees: others), WritingChunk([leaver], trees: trees),
            WritingChunk([carrier, leaver, Self.writing("o.json", kept: given)], trees: trees),
        ] {
            #expect(!chunk.writings.contains { $0.carriedAssets.contains(where: \.isMoved) })
            #expect(chunk.writings.flatMap(\.leftOvers).isEmpty)
        }
    }

    @Test(
        "What goes over a file that another record of the chunk has no more waits for that one, unless nobody copies it"
    )
    func overLeft() {
        let trees = Self.trees(withPictureOf: ["m.json", "n.json"])
        let leaver = Self.writing("m.json", carried: [Self.carried(from: Self.picture, to: FolderPath("q.jpg")!)])
        for keepsCopy in [true, false] {
            let over = Self.writing(
                "o.json", carried: [Self.carried(from: FolderPath("r.jpg")!, to: Self.picture, keepsCopy: keepsCopy)])
            let chunk = WritingChunk([over, leaver], trees: trees)
            #expect(paths(chunk.leftOut) == (keepsCopy ? ["o.json"] : []))
        }
        let stays = Self.writing("m.json", kept: [Self.asset(Self.picture)])
        let other = Self.writing(
            "o.json", carried: [Self.carried(from: FolderPath("r.jpg")!, to: FolderPath("s.jpg")!, keepsCopy: true)])
        #expect(WritingChunk([other, stays], trees: trees).leftOut.isEmpty)
    }

    @Test("A file that one record leaves and another one keeps stays where it is")
    func shared() {
        let leaver = Self.writing(
            "m.json", carried: [Self.carried(from: Self.picture, to: FolderPath("q.jpg")!)], leftOvers: [Self.picture])
        let alone = WritingChunk([leaver], trees: Self.trees)
        #expect(alone.writings[0].carriedAssets[0].isMoved)
        #expect(alone.writings[0].leftOvers.map(\.path) == [Self.picture])
        let keeper = Self.writing("n.json", kept: [Self.asset(Self.picture)])
        let chunk = WritingChunk([leaver, keeper], trees: Self.trees)
        #expect(chunk.leftOut.isEmpty)
        #expect(!chunk.writings[0].carriedAssets[0].isMoved)
        #expect(chunk.writings[0].leftOvers.isEmpty)
    }
}
