import CloudKitWire
import RecordMapping
import RecordPaths
import SyncModel
import Testing

@Suite("Records, files and schema")
struct RecordTests {
    @Test(
        "What a file is to the zone",
        arguments: [
            ("Note/a.json", "{}", "structured"), ("Note/a.json", " {\"a\": 1}\n", "structured"),
            ("Note/a.json", "[1]", "file"), ("a.json", "{}", "file"), ("Note/a.txt", "{}", "file"),
            ("Note/a.json", "{\"a\": }", "brokenJSON"), ("Note/a.json", "", "brokenJSON"),
            ("Note/a.json", "{\"a\":1,\"\\u0061\":2}", "duplicateKey"),
        ])
    func classification(path: String, text: String, expected: String) {
        let found =
            switch StructuredFile.classify(Array(text.utf8), at: FolderPath(path)!, paths: PathMapping()) {
            case .structured(let type, _): type == "Note" ? "structured" : type
            case .file: "file"
            case .problem(let problem): problem.code.rawValue
            }
        #expect(found == expected)
    }

    @Test("Broken JSON is named with its place")
    func place() {
        guard
            case .problem(let problem) = StructuredFile.classify(
                Array("{\n  \"a\": 1,\n  b\n}".utf8), at: FolderPath("Note/a.json")!, paths: PathMapping())
        else {
            Issue.record("It is broken.")
            return
        }
        #expect(problem.line == 3)
        #expect(problem.column == 3)
        #expect(problem.message.contains("line 3, column 3"))
    }

    @Test("JSON over the limit of a record is a file record")
    func large() {
        let bytes = Array("{\"a\": \"\(String(repeating: "x", count: 1_000_000))\"}".utf8)
        guard case .file = StructuredFile.classify(bytes, at: FolderPath("Note/a.json")!, paths: PathMapping()) else {
            Issue.record("It is too large for a record.")
            return
        }
    }

    @Test("Values that take more room in a record than in the file make it a file record")
    func growing() throws {
        let draft = try RoundTripTests.draft(Array("{\"a\": [\(String(repeating: "1,", count: 130_000))1]}".utf8))
        #expect(draft.exceedsRecordLimit)
        #expect(try !RoundTripTests.draft(Array("{\"a\": [1, 2]}".utf8)).exceedsRecordLimit)
    }

    @Test("Hints are left out before a record grows over its limit, and the values are not")
    func roomForHints() throws {
        let text = "{ \"s\": \"\\u0041\(String(repeating: "x", count: 600_000))\", \"b\" : true }"
        let fields = try RoundTripTests.fields(text)
        #expect(RecordSize.bytes(of: fields) <= RecordSize.limit)
        let back = RoundTripTests.render(fields)
        #expect(back.hasPrefix("{\n  \"b\": true,\n  \"s\": \"Axxx"))
    }

    @Test("A file record's fields come back, and a foreign one is read as far as it goes")
    func fileRecord() throws {
        let hash = try #require(ContentHash(hex: String(repeating: "ab", count: 32)))
        let record = FileRecord(
            path: FolderPath("a/é.txt")!, content: Asset(fileChecksum: "A", size: 7), size: 7, sha256: hash,
            modified: 5, isExecutable: true)
        #expect(FileRecord(fields: record.fields) == record)
        #expect(Set(record.fields.keys) == ["path", "content", "size", "sha256", "modified", "executable"])
        let foreign = FileRecord(fields: ["path": Field(.int64(1)), "content": Field(.asset(Asset(size: 3)))])
        #expect(foreign.path == nil)
        #expect(foreign.size == 3)
        #expect(foreign.sha256 == nil)
        #expect(!foreign.isExecutable)
    }

    @Test("A schema learns each field once, and is kept whole")
    func schema() throws {
        var schema = ZoneSchema()
        var record = Record(
            recordName: "a", recordType: "Note",
            fields: ["t": Field(.string("x"), isEncrypted: true), "l": Field(.locationList([])), "u": Field(nil)])
        let (first, second) = (schema.learn(from: record), schema.learn(from: record))
        #expect(first && !second)
        #expect(schema.field("t", of: "Note") == ZoneSchema.FieldSchema(.string, isEncrypted: true))
        schema.setHintsField(false, of: "Todo")
        #expect(!schema.hasHintsField("Todo"))
        #expect(try ZoneSchema(decoding: schema.encoded()) == schema)
        record = Record(recordName: "b", recordType: "Todo", fields: ["zonefolder": Field(.string("{}"))])
        schema.learn(from: record)
        #expect(schema.hasHintsField("Todo"))
    }

    @Test("Only what changed is sent (S4.2, invariant 14)")
    func changes() {
        let remote = ["a": Field(.int64(1)), "b": Field(.string("x")), "c": Field(.double(0.0))]
        let new = ["a": Field(.int64(1)), "c": Field(.double(-0.0)), "d": Field(.string("y"))]
        #expect(
            RecordChanges.diff(from: remote, to: new)
                == ["b": Field(nil), "c": Field(.double(-0.0)), "d": Field(.string("y"))])
        #expect(RecordChanges.diff(from: remote, to: new, isRemovable: { _, _ in false })["b"] == nil)
    }
}
