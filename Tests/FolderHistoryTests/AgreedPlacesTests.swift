import SyncModel
import Testing

@testable import FolderHistory

@Suite("Which file is one that was renamed")
struct AgreedPlacesTests {
    private static let bytes = ContentHash(bytes: [UInt8](repeating: 1, count: ContentHash.byteCount))!
    private static let others = ContentHash(bytes: [UInt8](repeating: 2, count: ContentHash.byteCount))!

    private static func file(_ inode: UInt64, born: Int64 = 5) -> FileIdentity {
        FileIdentity(device: 1, inode: inode, born: born)
    }

    private static func record(_ path: String, _ file: FileIdentity, _ hash: ContentHash = bytes) -> BaseEntry {
        BaseEntry(
            name: RecordName(path), recordType: "File", path: FolderPath(path)!, hash: hash, changeTag: "1",
            assets: [AgreedAsset(field: "file", path: FolderPath(path)!, hash: hash, checksum: "c")], file: file)
    }

    /// The file that is gone, or what is agreed on of another, and what is seen at a path.
    struct Row: Sendable {
        var name: String
        var gone = AgreedPlacesTests.file(1)
        var other: BaseEntry?
        var place: String
        var seen: FileIdentity
        var hash = AgreedPlacesTests.bytes
        var isRenamed: Bool
    }

    @Test(
        "It is the file itself, or has its bytes where no other record's file is; a synced copy is none",
        arguments: [
            Row(name: "a rename", place: "new", seen: file(1), isRenamed: true),
            Row(name: "a rename, and an edit", place: "new", seen: file(1), hash: others, isRenamed: true),
            Row(name: "a copy that no record has", place: "new", seen: file(2), isRenamed: true),
            Row(name: "another file", place: "new", seen: file(2), hash: others, isRenamed: false),
            Row(
                name: "the number of the deleted file", place: "new", seen: file(1, born: 9), hash: others,
                isRenamed: false),
            Row(
                name: "the number alone is known", gone: file(1, born: 0), place: "new", seen: file(1),
                isRenamed: true),
            Row(
                name: "the number alone is known, with other bytes", gone: file(1, born: 0), place: "new",
                seen: file(1), hash: others, isRenamed: false),
            Row(
                name: "a synced copy", other: record("other", file(2)), place: "other", seen: file(2),
                isRenamed: false),
            Row(
                name: "a synced copy that was saved anew", other: record("other", file(2)), place: "other",
                seen: file(3), isRenamed: false),
            Row(
                name: "a synced copy that was renamed", other: record("other", file(2)), place: "new", seen: file(2),
                isRenamed: false),
            Row(
                name: "a rename over a synced file", other: record("other", file(2), others), place: "other",
                seen: file(1), isRenamed: true),
            Row(
                name: "a synced hard link", other: record("other", .unknown), place: "other", seen: file(1),
                isRenamed: false),
        ] as [Row])
    func renamed(_ row: Row) {
        var places = AgreedPlaces()
        places.add(Self.record("gone", row.gone))
        if let other = row.other { places.add(other) }
        let isRenamed = places.isRenamed(FolderPath("gone")!, to: FolderPath(row.place)!, row.seen, row.hash)
        #expect(isRenamed == row.isRenamed, "\(row.name)")
    }

    @Test("A structured file's own text is stored: its attachments alone are looked for")
    func attachments() {
        var places = AgreedPlaces()
        places.add(
            BaseEntry(
                name: RecordName("n"), recordType: "Note", path: FolderPath("Note/n.json")!, hash: Self.others,
                changeTag: "1",
                assets: [
                    AgreedAsset(
                        field: "pic", path: FolderPath("Note/a.jpg")!, hash: Self.bytes, checksum: "c",
                        file: Self.file(2))
                ], file: Self.file(1)))
        #expect(
            places.files == [FolderPath("Note/a.jpg")!: .init(hashes: [Self.bytes], files: [Self.file(2)])])
        #expect(!places.isFree(FolderPath("Note/n.json")!, Self.file(3)))
        #expect(!places.isFree(FolderPath("b.jpg")!, Self.file(2)) && places.isFree(FolderPath("b.jpg")!, Self.file(3)))
    }
}
