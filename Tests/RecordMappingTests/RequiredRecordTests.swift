import CloudKitWire
import LosslessJSON
import RecordMapping
import SyncModel
import Testing

/// What a file needs in the zone before it (S4.19).
@Suite("Records that a file's record needs")
struct RequiredRecordTests {
    private static let context = ValueTests.context(["one": .reference])
    private static let f = FolderPath("Folder/f.json")

    @Test(
        "A reference with consequences into the own zone is one, with the key that says so and the file that it names",
        arguments: [
            (
                #"{"v": {"$ref": "Folder/f.json", "action": "VALIDATE"}}"#,
                [RequiredRecord(key: "v", name: RecordName("F-1"), action: .validate, path: f)]
            ),
            (
                #"{"v": {"$ref": {"recordName": "F-1"}, "action": "DELETE_SELF"}}"#,
                [RequiredRecord(key: "v", name: RecordName("F-1"), action: .deleteSelf)]
            ),
            (
                #"{"a b": [{"$ref": {"recordName": "X"}, "action": "VALIDATE"}, "#
                    + #"{"$ref": "Folder/f.json", "action": "VALIDATE"}, {"$ref": {"recordName": "Y"}}]}"#,
                [
                    RequiredRecord(key: "a b", name: RecordName("X"), action: .validate),
                    RequiredRecord(key: "a b", name: RecordName("F-1"), action: .validate, path: f),
                ]
            ),
            (#"{"v": {"$ref": "Folder/f.json"}, "one": "Folder/f.json", "w": "Folder/f.json"}"#, []),
            (#"{"v": {"$ref": {"recordName": "X", "zoneName": "other"}, "action": "VALIDATE"}}"#, []),
        ])
    func required(json: String, expected: [RequiredRecord]) throws {
        let bytes = Array(json.utf8)
        let draft = try StructuredDraft(
            document: try JSONDocument(parsing: bytes), recordType: "Note", file: FolderPath("Note/a.json")!,
            context: Self.context)
        #expect(draft.requiredRecords == expected)
        // What is asked first never says no where there is one.
        let mayHaveAny = StructuredDraft.mayRequireRecords(bytes, recordType: "Note", schema: Self.context.schema)
        #expect(mayHaveAny || expected.isEmpty)
    }

    @Test(
        "A text says at a glance that it needs none",
        arguments: [
            (#"{"title": "a $re f", "x": "\n"}"#, "Plain", false), (#"{"x": "$ref"}"#, "Plain", true),
            (#"{"\u0024ref": 1}"#, "Plain", true), (#"{"title": "t"}"#, "Note", true), ("{}", "Plain", false),
        ])
    func glance(json: String, type: String, expected: Bool) {
        let found = StructuredDraft.mayRequireRecords(
            Array(json.utf8), recordType: type, schema: Self.context.schema)
        #expect(found == expected)
    }

    @Test("A record keeps what it validates in its zone, and its parent")
    func kept() {
        var record = Record(recordName: "R")
        record.parent = "P"
        record.fields["one"] = Field(.reference(Reference(recordName: "A", action: .validate)))
        record.fields["list"] = Field(
            .referenceList([
                Reference(recordName: "B", zoneID: ZoneID(zoneName: "zone"), action: .validate),
                Reference(recordName: "C", zoneID: ZoneID(zoneName: "other"), action: .validate),
                Reference(recordName: "D", action: .deleteSelf),
            ]))
        #expect(record.recordsKept(in: "zone") == Set(["P", "A", "B"].map { RecordName($0) }))
    }
}
