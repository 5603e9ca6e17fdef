import CloudKitWire
import LosslessJSON
import RecordMapping
import SyncModel
import Testing

@testable import WireCoding

@Suite("File to record to file")
struct RoundTripTests {
    static let file = FolderPath("Note/sub/a.json")!
    static let name = RecordName("Note/sub/a")

    static func draft(
        _ bytes: [UInt8], remote: [String: Field] = [:], context: MappingContext = MappingContext()
    ) throws -> StructuredDraft {
        try StructuredDraft(
            document: JSONDocument(parsing: bytes), recordType: "Note", file: file, remote: remote, context: context)
    }

    static func fields(
        _ text: String, remote: [String: Field] = [:], context: MappingContext = MappingContext()
    ) throws -> [String: Field] {
        try draft(Array(text.utf8), remote: remote, context: context).fields(recordName: name, path: file)
    }

    static func render(
        _ fields: [String: Field], current: String? = nil, context: MappingContext = MappingContext()
    ) -> String {
        let rendering = StructuredRendering(recordType: "Note", fields: fields, file: file, context: context)
        return String(decoding: rendering.output(current: current.map { Array($0.utf8) }).bytes, as: UTF8.self)
    }

    @Test("With hints, a file comes back byte for byte", arguments: 0..<UInt64(400))
    func byteForByte(seed: UInt64) throws {
        let bytes = {
            var document = RandomDocument(seed: seed); return document.object()
        }()
        let sent = try Self.draft(bytes).fields(recordName: Self.name, path: Self.file)
        let record = Record(recordName: "Note/sub/a", recordType: "Note", fields: sent)
        let fields = try Record.decode(record.encoded()).fields
        #expect(fields == sent)
        let rendering = StructuredRendering(
            recordType: "Note", fields: fields, file: Self.file, context: MappingContext())
        let back = rendering.output().bytes
        #expect(
            back == bytes, "\(String(decoding: bytes, as: UTF8.self)) became \(String(decoding: back, as: UTF8.self))")
        // The record that comes back says what was sent: nothing is left to upload.
        var context = MappingContext()
        context.schema.learn(from: fields, of: "Note")
        let again = try Self.draft(back, remote: fields, context: context).fields(
            recordName: Self.name, path: Self.file)
        #expect(RecordChanges.diff(from: fields, to: again).isEmpty)
    }

    @Test("A plain file needs no hints")
    func plain() throws {
        let fields = try Self.fields("{\n  \"count\": 3,\n  \"ratio\": 0.5,\n  \"title\": \"é\"\n}\n")
        #expect(
            fields == [
                "count": Field(.int64(3)), "ratio": Field(.double(0.5)), "title": Field(.string("é")),
            ])
    }

    @Test(
        "A byte order mark is layout: it travels with the hints, and a change of a field leaves it (design §3)",
        arguments: ["{}", "{\n  \"b\": 1\n}\n", "\r\n{ \"b\" :1,\"a\":null}"])
    func byteOrderMark(text: String) throws {
        let marked = "\u{FEFF}" + text
        var fields = try Self.fields(marked)
        #expect(Array(Self.render(fields).utf8) == Array(marked.utf8))
        fields["b"] = Field(.int64(2))
        let changed = Array(Self.render(fields).utf8)
        #expect(changed.starts(with: JSONDocument.byteOrderMark))
        #expect(try JSONDocument(parsing: changed).root["b"]?.int64 == 2)
        // A foreign client's record has no hints: the file's own manner counts.
        fields[RecordHints.fieldName] = nil
        #expect(Array(Self.render(fields, current: marked).utf8).starts(with: JSONDocument.byteOrderMark))
    }

    @Test("A foreign client's change is set into the author's layout, and nothing else moves")
    func foreignChange() throws {
        let text = "{ \"b\" : 1.50,\n   \"a\":true , \"n\": null,\"m\": {\"x\": [1, {}]}  }"
        var fields = try Self.fields(text)
        fields["b"] = Field(.double(2.5))
        #expect(Self.render(fields) == "{ \"b\" : 2.5,\n   \"a\":true , \"n\": null,\"m\": {\"x\": [1, {}]}  }")
        fields["a"] = Field(.int64(0))
        fields["m"] = nil
        fields["z"] = Field(.string("new"))
        #expect(Self.render(fields) == "{ \"b\" : 2.5,\n   \"a\":false , \"n\": null,\"z\": \"new\"  }")
        fields["b"] = nil
        #expect(Self.render(fields) == "{ \"a\":false , \"n\": null,\"z\": \"new\"  }")
    }

    @Test("Without hints, only the values that differ change in the current file")
    func inPlace() throws {
        let current = "{\"done\": true, \"none\": null,\n\"n\": 1.50, \"s\" : \"\\u00e9\"}\n"
        var fields: [String: Field] = [
            "done": Field(.int64(1)), "n": Field(.double(1.5)), "s": Field(.string("é")),
        ]
        #expect(Self.render(fields, current: current) == current)
        fields["n"] = Field(.double(1.25))
        #expect(
            Self.render(fields, current: current)
                == "{\"done\": true, \"none\": null,\n\"n\": 1.25, \"s\" : \"\\u00e9\"}\n")
        fields["done"] = nil
        #expect(Self.render(fields, current: current) == "{\"none\": null,\n\"n\": 1.25, \"s\" : \"\\u00e9\"}\n")
    }

    @Test(
        "A foreign change of one field changes that value's bytes alone, with hints and without",
        arguments: 0..<UInt64(300))
    func oneValue(seed: UInt64) throws {
        var random = RandomDocument(seed: seed)
        let bytes = random.object()
        let document = try JSONDocument(parsing: bytes)
        var fields = try Self.draft(bytes).fields(recordName: Self.name, path: Self.file)
        var bare = fields
        bare["zonefolder"] = nil
        let context = MappingContext()
        func output(_ fields: [String: Field], current: [UInt8]?) -> [UInt8] {
            StructuredRendering(recordType: "Note", fields: fields, file: Self.file, context: context)
                .output(current: current).bytes
        }
        #expect(output(bare, current: bytes) == bytes)
        // Members whose key is a field name and whose value has one.
        let changeable = document.root.members.filter { fields[$0.key]?.value != nil && $0.key != "zonefolder" }
        guard let member = changeable.randomElement(using: &random.random) else { return }
        fields[member.key] = Field(.int64(4_711))
        bare[member.key] = Field(.int64(4_711))
        let range = member.value.range
        let expected = bytes[..<range.lowerBound] + Array("4711".utf8) + bytes[range.upperBound...]
        #expect(output(fields, current: nil) == Array(expected))
        #expect(output(bare, current: bytes) == Array(expected))
    }

    @Test("Without hints at all, values that CloudKit has types for come back as they were", arguments: 0..<UInt64(200))
    func withoutHints(seed: UInt64) throws {
        var random = RandomDocument(seed: seed)
        var text = "{"
        for index in 0..<5 { text += (index == 0 ? "" : ", ") + "\"f\(index)\": " + random.plainValue() }
        text += "}"
        var context = MappingContext()
        context.schema.setHintsField(false, of: "Note")
        let fields = try Self.fields(text, context: context)
        context.schema.learn(from: fields, of: "Note")
        let draft = try Self.draft(Array(text.utf8), context: context)
        #expect(draft.losses(recordName: Self.name, path: Self.file).isEmpty)
        let back = Self.render(fields, context: context)
        let again = try Self.draft(Array(back.utf8), context: context)
        #expect(again.losses(recordName: Self.name, path: Self.file).isEmpty)
        #expect(RecordChanges.diff(from: fields, to: again.fields(recordName: Self.name, path: Self.file)).isEmpty)
    }

    @Test(
        "That a version was said anew is told once, and changes nothing of the file", arguments: ["{}\n", "{\"b\":1}"])
    func renewed(text: String) throws {
        let plain = try Self.fields(text)
        let anew = try Self.draft(Array(text.utf8), remote: plain).fields(
            recordName: Self.name, path: Self.file, renewing: "7")
        #expect(RecordHints.renewedTag(of: anew) == "7")
        #expect(Self.render(anew) == text)
        let next = try Self.fields(text, remote: anew)
        #expect(RecordHints.renewedTag(of: next) == nil)
        #expect(Self.render(next) == text)
    }
}
