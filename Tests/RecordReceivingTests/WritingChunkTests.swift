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
        _ path: String, kept: [AgreedAsset] = [], carried: [Writing.CarriedAsset] = [], leftOvers: [FolderPath] = []
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
            leftOvers: leftOvers.map { Writing.LeftOver(path: $0, version: version) }, conflict: nil, agreed: nil,
            document: isStructured ? [] : nil)
    }

    private static func carried(from source: FolderPath, to path: FolderPath) -> Writing.CarriedAsset {
        Writing.CarriedAsset(
            path: path, source: source, version: version, agreed: asset(path), replaces: nil, keepsCopy: false,
            isMoved: true)
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
