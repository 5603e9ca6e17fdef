import CloudKitWire
import LosslessJSON
import RecordMapping
import SeededRandomness
import SyncModel
import Testing

@Suite("JSON values and field values")
struct ValueTests {
    static func context(_ fields: [String: FieldType] = [:], hints: Bool = true) -> MappingContext {
        let types = [
            "Note": ZoneSchema.TypeSchema(
                fields: fields.mapValues { ZoneSchema.FieldSchema($0) }, hasHintsField: hints)
        ]
        return MappingContext(
            schema: ZoneSchema(types: types), zoneName: "zone",
            recordName: { $0 == FolderPath("Folder/f.json") ? RecordName("F-1") : nil },
            path: { $0 == RecordName("F-1") ? FolderPath("Folder/f.json") : nil })
    }

    static func value(_ json: String, as type: FieldType? = nil) throws -> FieldValue? {
        let context = context(type.map { ["v": $0] } ?? [:])
        return try RoundTripTests.fields("{\"v\": \(json)}", context: context)["v"]?.value
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var json: String
        var type: FieldType?
        var value: FieldValue?
        var testDescription: String { "\(json) as \(type?.rawValue ?? "anything")" }

        init(_ json: String, _ value: FieldValue?) {
            (self.json, self.value) = (json, value)
        }

        init(_ json: String, _ type: FieldType, _ value: FieldValue?) {
            (self.json, self.type, self.value) = (json, type, value)
        }
    }

    static var place: Location {
        var place = Location(latitude: 1.5, longitude: -2)
        place.timestamp = 1000
        return place
    }

    @Test(
        "A JSON value becomes a field value",
        arguments: [
            Row("\"x\"", .string("x")), Row("9007199254740993", .int64(9_007_199_254_740_993)), Row("1.0", .double(1)),
            Row("9223372036854775808", .double(9.223372036854775808e18)), Row("true", .int64(1)), Row("null", nil),
            Row("[]", nil), Row("[]", .stringList, .stringList([])), Row("[1,2]", .int64List([1, 2])),
            Row("[1,2.5]", .doubleList([1, 2.5])), Row("[1,\"a\"]", .string("[1,\"a\"]")),
            Row("[true,false]", .int64List([1, 0])), Row("{\"a\": 1}", .string("{\"a\": 1}")),
            Row("[\"a\"]", .string, .string("[\"a\"]")), Row("3", .double, .double(3)), Row("1e2", .int64, .int64(100)),
            Row("\"2026-01-31T12:00:00.250Z\"", .timestamp, .timestamp(1_769_860_800_250)),
            Row("\"2026-01-31T13:00:00+01:00\"", .timestamp, .timestamp(1_769_860_800_000)),
            Row("\"1969-12-31T23:59:59.999Z\"", .timestamp, .timestamp(-1)),
            Row("\"0000-03-01T00:00:00.000Z\"", .timestamp, .timestamp(-62_162_035_200_000)),
            Row("{\"$date\": \"2026-01-31\"}", .timestamp(1_769_817_600_000)), Row("{\"$date\": 5}", .timestamp(5)),
            Row("{\"$bytes\": \"AAEC\"}", .bytes([0, 1, 2])), Row("\"/w==\"", .bytes, .bytes([255])),
            Row("[{\"$bytes\": \"AAEC\"},{\"$bytes\": \"\"}]", .bytesList([[0, 1, 2], []])),
            Row("{\"$ref\": \"Folder/f.json\"}", .reference(Reference(recordName: "F-1"))),
            Row("\"Folder/f.json\"", .reference, .reference(Reference(recordName: "F-1"))),
            Row(
                "{\"$ref\": {\"recordName\": \"q\"}, \"action\": \"DELETE_SELF\"}",
                .reference(Reference(recordName: "q", action: .deleteSelf))),
            Row(
                "{\"$location\": {\"latitude\": 1.5, \"longitude\": -2, \"timestamp\": \"1970-01-01T00:00:01Z\"}}",
                .location(place)),
            Row("{\"$ref\": \"x\", \"other\": 1}", .string("{\"$ref\": \"x\", \"other\": 1}")),
        ])
    func read(row: Row) throws {
        #expect(try Self.value(row.json, as: row.type) == row.value)
    }

    @Test(
        "What does not fit is held, with the key, the reason and the code",
        arguments: [
            ("1e400", nil, .numberOutOfRange), ("9223372036854775808", .int64, .numberOutOfRange),
            ("\"x\"", .int64, .wrongType), ("5", .string, .wrongType), ("1.5", .int64, .wrongType),
            ("[1,\"a\"]", .int64List, .wrongType), ("5", .stringList, .wrongType), ("{}", .int64, .wrongType),
            ("[null]", .stringList, .wrongType), ("\"soon\"", .timestamp, .illegalValue),
            ("\"2026-02-30\"", .timestamp, .illegalValue), ("\"A\"", .bytes, .illegalValue),
            ("\"nobody.json\"", .reference, .missingTarget), ("\"../../../x\"", .asset, .illegalAssetPath),
            ("\"a.json\"", .asset, .illegalAssetPath), ("\".\"", .asset, .illegalAssetPath),
            ("\"/.zonefolderignore\"", .asset, .illegalAssetPath),
            ("\"a/..\"", .asset, .illegalAssetPath), ("\"/\"", .asset, .illegalAssetPath), ("5", .asset, .wrongType),
            ("[\"a.png\", \"\"]", .assetList, .illegalAssetPath), ("\"\"", .assetList, .wrongType),
            ("{\"latitude\": 91, \"longitude\": 0}", .location, .illegalValue),
            ("{\"$date\": \"2026-01-31\"}", .int64, .wrongType),
        ] as [(String, FieldType?, MappingProblem.Code)])
    func problems(json: String, type: FieldType?, code: MappingProblem.Code) throws {
        let problem = try #require(throws: MappingProblem.self) { try Self.value(json, as: type) }
        #expect(problem.code == code)
        #expect(problem.key == "v")
        #expect(problem.message.contains("\"v\""))
    }

    @Test(
        "A type clash names the field and both types, and in a list the element (S3.14)",
        arguments: [
            ("\"many\"", .int64, "\"v\" is a text, but this field holds a whole number (INT64) in the zone"),
            (
                "[{\"name\": \"a\"}]", .stringList,
                "Element 1 of \"v\" is an object, but this field holds a list of texts (STRING_LIST) in the zone"
            ),
            (
                "[\"a\", 1, null]", .stringList,
                "Element 2 of \"v\" is a whole number, but this field holds a list of texts (STRING_LIST)"
            ),
            (
                "[null]", .int64List,
                "Element 1 of \"v\" is null, but this field holds a list of whole numbers (INT64_LIST)"
            ),
            (
                "[{\"$date\": 1}, {\"$bytes\": \"\"}]", .timestampList,
                "Element 2 of \"v\" is an explicit BYTES, but this field holds a list of times"
            ),
            (
                "[{\"$ref\": 1}]", .referenceList,
                "Element 1 of \"v\" is an explicit REFERENCE, but this field holds a list"
            ),
            ("[\"a\"]", .int64, "\"v\" is a list, but this field holds a whole number (INT64)"),
            ("\"a\"", .stringList, "\"v\" is a text, but this field holds a list of texts (STRING_LIST)"),
            ("[\"2026-01-31\", \"soon\"]", .timestampList, "Element 2 of \"v\" is no time"),
            ("[1, 1e400]", .doubleList, "The number in element 2 of \"v\" is too large"),
            ("[\"a.png\", \"\"]", .assetList, "Element 2 of \"v\" is an empty text, which names no file."),
            ("[{\"latitude\": 1}]", .locationList, "Element 1 of \"v\" lacks latitude or longitude."),
        ] as [(String, FieldType, String)])
    func clash(json: String, type: FieldType, says: String) throws {
        let problem = try #require(throws: MappingProblem.self) { try Self.value(json, as: type) }
        #expect(problem.message.hasPrefix(says), "\(problem.message)")
        #expect(problem.key == "v")
    }

    @Test(
        "A reference whose text can be no record of a folder is illegal, and one whose record may come is missing",
        arguments: [
            ("#", true), ("#/integer", true), ("defs.json#/integer", true), ("https://example.org/defs.json", true),
            ("file:///defs.json", true), ("", true), ("/etc/passwd", true), ("../defs.json", true),
            (".zonefolder/state.sqlite", true), ("defs.json", false), ("Note/n.json", false), ("C#/n.json", false),
            ("#drafts/n.json", false),
        ])
    func referenceTexts(text: String, isIllegal: Bool) throws {
        for (json, type) in [("{\"$ref\": \"\(text)\"}", nil), ("\"\(text)\"", FieldType.reference)] {
            let problem = try #require(throws: MappingProblem.self) { try Self.value(json, as: type) }
            #expect(problem.code == (isIllegal ? .illegalValue : .missingTarget))
            #expect(problem.message.contains("\"v\" refers to"))
        }
    }

    @Test("Fields of every type come back from their plain rendering, the schema known")
    func everyType() throws {
        var place = Location(latitude: 1.5, longitude: -2)
        place.altitude = 3
        place.timestamp = 1000
        let fields: [String: Field] = [
            "a": Field(.string("é\u{0}\"")), "b": Field(.int64(.min)), "c": Field(.double(-0.0)),
            "d": Field(.timestamp(-1)),
            "e": Field(.bytes([0, 255, 7, 9])), "f": Field(.reference(Reference(recordName: "F-1"))),
            "g": Field(.reference(Reference(recordName: "away", action: .validate))), "h": Field(.location(place)),
            "i": Field(.stringList(["x", ""])), "j": Field(.int64List([])), "k": Field(.doubleList([1, 1e300])),
            "l": Field(.timestampList([0, 1])), "m": Field(.bytesList([[], [1]])),
            "n": Field(.referenceList([Reference(recordName: "F-1"), Reference(recordName: "away")])),
            "o": Field(.locationList([place])), "p": Field(.timestamp(.max)),
            "q": Field(.reference(Reference(recordName: "x", zoneID: ZoneID(zoneName: "other")))),
        ]
        var context = Self.context()
        context.schema.learn(from: fields, of: "Note")
        let text = RoundTripTests.render(fields, context: context)
        let back = try RoundTripTests.fields(text, remote: fields, context: context)
        #expect(RecordChanges.diff(from: fields, to: back.filter { $0.key != "zonefolder" }) == [:])
        // And without the record at hand, as another file of the same type would be read.
        let copy = try RoundTripTests.fields(text, context: context)
        #expect(RecordChanges.diff(from: fields, to: copy.filter { $0.key != "zonefolder" }) == [:])
    }

    @Test("Times of all years and bytes of all lengths come back from their text", arguments: 0..<UInt64(20))
    func timesAndBytes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let years: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999
        let times =
            (0..<200).map { _ in Int64.random(in: years, using: &random) } + [years.lowerBound, years.upperBound]
        let bytes = (0..<40).map { count in (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }
        let fields = ["t": Field(.timestampList(times)), "b": Field(.bytesList(bytes))]
        var context = Self.context()
        context.schema.learn(from: fields, of: "Note")
        let back = try RoundTripTests.fields(RoundTripTests.render(fields, context: context), context: context)
        #expect(back["t"] == fields["t"])
        #expect(back["b"] == fields["b"])
    }

    @Test("What a file cannot show is neither shown nor removed, and cannot be overwritten (invariant 14)")
    func foreign() throws {
        let secret = FieldValue.unknown(type: "ENCRYPTED_BYTES", json: Array("\"AA==\"".utf8))
        let remote: [String: Field] = ["s": Field(secret), "t": Field(.string("x"), isEncrypted: true)]
        let text = RoundTripTests.render(remote)
        #expect(text == "{\n  \"t\": \"x\"\n}\n")
        let same = try RoundTripTests.fields(text, remote: remote)
        #expect(RecordChanges.diff(from: remote, to: same).isEmpty)
        let changed = try RoundTripTests.fields("{\"t\": \"y\"}", remote: remote)
        #expect(changed["t"] == Field(.string("y"), isEncrypted: true))
        #expect(RecordChanges.diff(from: remote, to: changed)["s"] == nil)
        let problem = try #require(throws: MappingProblem.self) {
            try RoundTripTests.fields("{\"s\": 1, \"t\": \"x\"}", remote: remote)
        }
        #expect(problem.code == .foreignType)
    }

    @Test("A file that becomes plain becomes plain on the devices that have it in another layout, too")
    func plainAgain() throws {
        let own = "{\n  \"b\": \"1\",\n  \"a\": \"2\"\n}\n"
        let plain = "{\n  \"a\": \"2\",\n  \"b\": \"1\"\n}\n"
        let first = try RoundTripTests.fields(own)
        let second = try RoundTripTests.fields(plain, remote: first)
        #expect(RoundTripTests.render(second, current: own) == plain)
        #expect(try RoundTripTests.fields(plain, remote: second) == second)
        // One that never was anything else needs no hints.
        #expect(try RoundTripTests.fields(plain)["zonefolder"] == nil)
    }

    @Test("An encrypted field's text never stands in the hints")
    func encrypted() throws {
        let remote = ["t": Field(.string("secret"), isEncrypted: true)]
        let fields = try RoundTripTests.fields("{\"t\" : \"s\\u0065cret two\"}", remote: remote)
        #expect(fields["t"] == Field(.string("secret two"), isEncrypted: true))
        guard case .string(let hints)? = fields["zonefolder"]?.value else { return }
        #expect(!hints.contains("cret"))
    }

    @Test("Without the reserved field a file is still sent, and what others will not see is named")
    func losses() throws {
        let text = "{\"done\": true, \"n\": 0.1000000000000000055, \"a b\": 1, \"ok\": 1.50, \"none\": null, \"m\": {}}"
        let context = Self.context(hints: false)
        let draft = try RoundTripTests.draft(Array(text.utf8), context: context)
        let fields = draft.fields(recordName: RoundTripTests.name, path: RoundTripTests.file)
        #expect(fields["zonefolder"] == nil)
        #expect(fields["done"] == Field(.int64(1)))
        #expect(
            draft.losses(recordName: RoundTripTests.name, path: RoundTripTests.file) == [
                .value(key: "done"), .value(key: "n"), .key("a b"), .value(key: "none"), .value(key: "m"),
            ])
        #expect(draft.losses(recordName: RecordName("other"), path: RoundTripTests.file).first == .path)
        // In its own folder the file keeps its bytes.
        var known = context
        known.schema.learn(from: fields, of: "Note")
        #expect(RoundTripTests.render(fields, current: text, context: known) == text)
    }

    @Test("A reference keeps its text and its target when the target has moved")
    func movedTarget() throws {
        let context = Self.context(["r": .reference])
        let text = "{\"r\":   \"Folder/f.json\"}"
        let fields = try RoundTripTests.fields(text, context: context)
        var moved = context
        moved.recordName = { _ in nil }
        moved.path = { _ in FolderPath("Folder/elsewhere.json") }
        #expect(RoundTripTests.render(fields, context: moved) == text)
        let again = try RoundTripTests.fields(text, remote: fields, context: moved)
        #expect(RecordChanges.diff(from: fields, to: again).isEmpty)
    }

    @Test("Hints from elsewhere can neither break the file nor rename its keys")
    func hostileHints() throws {
        let hints = [
            #"{"version":1,"layout":["{\"x\":","title",",}"]}"#, #"{"version":1,"layout":["{\"evil\":","title","}"]}"#,
            #"{"version":1,"keys":{"title":"other"},"texts":{"title":"]"}}"#, #"{"version":1,"own":["title"]}"#,
            #"{"version":1,"texts":{"title":"\"y\"","gone":"1","title2":"null,"},"order":["a","title","title"]}"#,
            #"{"version":2,"texts":{"gone":"null"}}"#, "no json",
            #"{"version":1,"layout":["}"],"ids":{"title":["a"]}}"#,
        ]
        for text in hints {
            let fields = ["title": Field(.string("x")), "zonefolder": Field(.string(text))]
            #expect(RoundTripTests.render(fields) == "{\n  \"title\": \"x\"\n}\n", "\(text)")
        }
    }
}
