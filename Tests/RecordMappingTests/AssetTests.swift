import CloudKitWire
import LosslessJSON
import RecordMapping
import RecordPaths
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
    }

    @Test("That an equal file was put in an asset's place is told as long as the asset is this one")
    func renewed() throws {
        let (fields, text) = try Self.album(more: ["BBBB", "CCCC"])
        let second = AssetSlot(field: "more", index: 1)
        let cover = AssetSlot(field: "cover")
        let assets = [
            cover: Self.picture, AssetSlot(field: "more", index: 0): Asset(fileChecksum: "BBBB"),
            second: Asset(fileChecksum: "CCCC"),
        ]
        func said(
            _ fields: [String: Field], _ assets: [AssetSlot: Asset], new: [AssetSlot: String] = [:]
        ) throws -> [String: Field] {
            try RoundTripTests.draft(Array(text.utf8), remote: fields).fields(
                recordName: RoundTripTests.name, path: RoundTripTests.file, assets: assets, renewingAssets: new)
        }
        let anew = try said(fields, assets, new: [cover: "7", second: "7"])
        #expect(RecordHints.renewedAssets(of: anew) == [cover: "7", second: "7"])
        #expect(String(decoding: Self.rendering(anew).output().bytes, as: UTF8.self) == text)
        let other = assets.merging([second: Asset(fileChecksum: "DDDD")]) { _, new in new }
        let next = try said(anew, other, new: [cover: "8"])
        #expect(RecordHints.renewedAssets(of: next) == [cover: "8"])
    }

    @Test("The hash of an asset is told when it is sent, and as long as the asset is this one")
    func hashes() throws {
        let (old, text) = try Self.album(more: ["BBBB", "CCCC"])
        let cover = AssetSlot(field: "cover")
        let more = [0, 1].map { AssetSlot(field: "more", index: $0) }
        func hash(_ byte: UInt8) -> ContentHash { ContentHash(bytes: repeatElement(byte, count: 32))! }
        func said(
            _ remote: [String: Field], _ assets: [AssetSlot: Asset], sent: [AssetSlot: ContentHash] = [:]
        ) throws -> [String: Field] {
            try RoundTripTests.draft(Array(text.utf8), remote: remote).fields(
                recordName: RoundTripTests.name, path: RoundTripTests.file, assets: assets, hashes: sent)
        }
        func witness(_ checksum: String, _ fields: [String: Field]) -> ContentHash? {
            AssetWitnesses(of: Asset(fileChecksum: checksum, size: 3), hints: RecordHints(of: fields)).hint
        }
        let assets = [
            cover: Self.picture, more[0]: Asset(fileChecksum: "BBBB"), more[1]: Asset(fileChecksum: "CCCC"),
        ]
        let first = try said(old, assets, sent: [cover: hash(1), more[1]: hash(2)])
        #expect(witness("AAAA", first) == hash(1) && witness("CCCC", first) == hash(2))
        #expect(witness("BBBB", first) == nil)
        #expect(String(decoding: Self.rendering(first).output().bytes, as: UTF8.self) == text)
        // Kept through a save that sends another one; what is in the record no more is told of no more.
        let other = assets.merging([more[1]: Asset(fileChecksum: "DDDD")]) { _, new in new }
        let next = try said(first, other, sent: [more[1]: hash(3)])
        #expect(witness("AAAA", next) == hash(1) && witness("DDDD", next) == hash(3) && witness("CCCC", next) == nil)
        // Nothing is said anew of what nobody sent, so that nothing is to be sent.
        #expect(RecordChanges.diff(from: next, to: try said(next, other)).isEmpty)
        #expect(RecordChanges.diff(from: old, to: try said(old, assets)).isEmpty)
        // Another client's asset is not the one that the hint is of.
        var foreign = next
        foreign["cover"] = Field(.asset(Asset(fileChecksum: "EEEE", size: 3)))
        #expect(witness("EEEE", foreign) == nil)
    }

    @Test("An asset that another client replaced is where its author had the one before")
    func replaced() throws {
        let (fields, text) = try Self.album()
        var changed = fields
        changed["cover"] = Field(.asset(Asset(fileChecksum: "CCCC", size: 9)))
        let rendering = Self.rendering(changed)
        #expect(rendering.assets.first?.path == FolderPath("Note/img/a b.png"))
        #expect(String(decoding: rendering.output().bytes, as: UTF8.self) == text)
        // Unless something else has that path: then it is where the caller says, and the text says so.
        let place = FolderPath("Note/sub/a.cover.png")!
        let output = rendering.output(assetPaths: [AssetSlot(field: "cover"): place])
        #expect(
            String(decoding: output.bytes, as: UTF8.self)
                == text.replacing("{\"$asset\": \"../img/a b.png\"}", with: "\"a.cover.png\""))
        #expect(output.assets.first?.path == place)
    }

    @Test(
        "The assets of a list that another client changed stay with their bytes, and new ones take places that are free",
        arguments: [
            ("12", "xy"), ("21", "yx"), ("2", "y"), ("1", "x"), ("123", "xy-"), ("312", "-xy"), ("32", "xy"),
            ("13", "xy"), ("34", "xy"), ("11", "xy"), ("22", "xy"), ("222", "xy-"),
        ])
    func changedList(checksums: String, expected: String) throws {
        var fields = try Self.album(more: ["1", "2"]).fields
        fields["more"] = Field(.assetList(checksums.map { Asset(fileChecksum: String($0), size: 1) }))
        let paths = Self.rendering(fields).assets.filter { $0.slot.field == "more" }.map(\.path)
        let names: [Character: FolderPath?] = [
            "x": FolderPath("Note/sub/x.pdf"), "y": FolderPath("Note/sub/y.pdf"), "-": nil,
        ]
        #expect(paths == expected.map { names[$0] ?? nil })
    }

    /// A record with a picture and a list of documents, as its author's text has them.
    private static func album(
        more: [String] = ["BBBB"]
    ) throws -> (fields: [String: Field], text: String) {
        let list = zip(more, ["x", "y"]).map { "{\"$asset\":\"\($1).pdf\"}" }.joined(separator: ", ")
        let text = "{\"cover\": {\"$asset\": \"../img/a b.png\"}, \"more\": [\(list)]}"
        let assets = more.enumerated().map { index, checksum in
            (AssetSlot(field: "more", index: index), Asset(fileChecksum: checksum, size: 1, receipt: "q"))
        }
        let fields = try RoundTripTests.draft(Array(text.utf8)).fields(
            recordName: RoundTripTests.name, path: RoundTripTests.file,
            assets: Dictionary(uniqueKeysWithValues: assets + [(AssetSlot(field: "cover"), picture)]))
        return (fields, text)
    }

    private static func rendering(_ fields: [String: Field]) -> StructuredRendering {
        StructuredRendering(
            recordType: "Note", fields: fields, file: RoundTripTests.file, context: MappingContext())
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

    @Test(
        "An asset that is named after its file is named after it still when that gets another path",
        arguments: [
            ("Note/a.pic.png", "b.pic.png"), ("Note/a~c2.pic.png", "b.pic.png"), ("img/x.pic.gif", "b.pic.gif"),
            ("Note/a.pic.1.png", nil), ("Note/a.png", nil), ("Note/a.pic", nil), ("Note/.pic.png", nil),
        ])
    func namedAfterItsFile(asset: String, expected: String?) {
        let path = AssetNaming.path(
            of: FolderPath(asset)!, field: "pic", index: nil, beside: FolderPath("Note/b.json")!)
        #expect(path == expected.flatMap { FolderPath("Note/\($0)") })
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
