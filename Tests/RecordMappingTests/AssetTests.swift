import CloudKitWire
import LosslessJSON
import RecordMapping
import SyncModel
import Testing

@Suite("Attached assets")
struct AssetTests {
    static let picture = Asset(fileChecksum: "AAAA", size: 3, receipt: "r")

    @Test("A named file is an attachment, and its name comes back to every device")
    func attachment() throws {
        let text = "{\"cover\": {\"$asset\": \"../img/a b.png\"}, \"more\": [{\"$asset\":\"x.pdf\"}]}"
        let draft = try RoundTripTests.draft(Array(text.utf8))
        #expect(
            draft.attachments == [
                Attachment(slot: AssetSlot(field: "cover"), path: FolderPath("Note/img/a b.png")!),
                Attachment(slot: AssetSlot(field: "more", index: 0), path: FolderPath("Note/sub/x.pdf")!),
            ])
        let fields = draft.fields(
            recordName: RoundTripTests.name, path: RoundTripTests.file,
            assets: [
                AssetSlot(field: "cover"): Self.picture,
                AssetSlot(field: "more", index: 0): Asset(fileChecksum: "BBBB", size: 1, receipt: "q"),
            ])
        let rendering = StructuredRendering(
            recordType: "Note", fields: fields, file: RoundTripTests.file, context: MappingContext())
        #expect(rendering.assets.map(\.path) == [FolderPath("Note/img/a b.png"), FolderPath("Note/sub/x.pdf")])
        #expect(rendering.output().bytes == Array(text.utf8))
        // Another client puts another picture there: the author's name stays with the old one.
        var changed = fields
        changed["cover"] = Field(.asset(Asset(fileChecksum: "CCCC", size: 9)))
        let second = StructuredRendering(
            recordType: "Note", fields: changed, file: RoundTripTests.file, context: MappingContext())
        #expect(second.assets.first?.path == nil)
        let place = AssetNaming.path(
            beside: RoundTripTests.file, field: "cover", index: nil, firstBytes: [0x89] + Array("PNG\r\n".utf8))
        let output = second.output(assetPaths: [AssetSlot(field: "cover"): place])
        #expect(
            String(decoding: output.bytes, as: UTF8.self)
                == "{\"cover\": \"a.cover.png\", \"more\": [{\"$asset\":\"x.pdf\"}]}")
        #expect(output.assets.first?.path == FolderPath("Note/sub/a.cover.png"))
    }

    @Test(
        "An extension is sniffed from the first bytes",
        arguments: [
            (Array("GIF89a".utf8), "gif"), ([0xFF, 0xD8, 0xFF, 0xE0], "jpg"), (Array("%PDF-1.7".utf8), "pdf"),
            (Array("RIFF1234WEBPVP8 ".utf8), "webp"), (Array("\0\0\0 ftypisom".utf8), "mp4"),
            (Array("\0\0\0 ftypheic".utf8), "heic"), (Array("  <svg xmlns=''>".utf8), "svg"),
            (Array("hello".utf8), "txt"),
            ([0, 1, 2, 3], "bin"), ([], "bin"), (Array("{\"a\": 1}".utf8), "txt"),
            (Array(String(repeating: "é", count: 600).utf8).dropFirst(0).map { $0 }, "txt"),
        ] as [([UInt8], String)])
    func sniffed(bytes: [UInt8], expected: String) {
        #expect(AssetNaming.fileExtension(firstBytes: bytes) == expected)
    }

    @Test("An asset's name beside its file fits, however long file and field are called")
    func longNames() {
        let file = FolderPath("Note/" + String(repeating: "é", count: 125) + ".json")!
        for field in ["f", String(repeating: "f", count: 255)] {
            let path = AssetNaming.path(beside: file, field: field, index: 12, firstBytes: Array("GIF8".utf8))
            #expect(path.name.count <= 255)
            #expect(path.text?.hasSuffix(".gif") == true)
        }
        let short = FolderPath("Note/a.json")!
        #expect(AssetNaming.path(beside: short, field: "f", index: 2, firstBytes: []) == FolderPath("Note/a.f.2.bin"))
    }

    @Test("An asset is the same while its checksum is, however an answer describes it")
    func sameAsset() {
        let uploaded = ["c": Field(.asset(Self.picture))]
        let fetched = ["c": Field(.asset(Asset(fileChecksum: "AAAA", size: 3, downloadURL: "https://example.org/x")))]
        #expect(RecordChanges.diff(from: fetched, to: uploaded).isEmpty)
        #expect(RecordChanges.diff(from: fetched, to: ["c": Field(.asset(Asset(fileChecksum: "B")))]).count == 1)
        #expect(RecordChanges.diff(from: fetched, to: [:]) == ["c": Field(nil)])
    }
}
