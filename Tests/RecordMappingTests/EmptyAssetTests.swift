import CloudKitWire
import LosslessJSON
import RecordMapping
import SyncModel
import Testing

@Suite("Asset fields without a file")
struct EmptyAssetTests {
    private static let note = FolderPath("Note/sub/e.json")!
    private static let picture = Field(.asset(Asset(fileChecksum: "AAAA", size: 3, receipt: "r")))

    private static func context() -> MappingContext {
        var context = MappingContext()
        context.schema.learn(from: ["photo": picture, "title": Field(.string("t"))], of: "Note")
        return context
    }

    private static func draft(
        _ text: String, remote: [String: Field] = [:], context: MappingContext = context()
    ) throws -> StructuredDraft {
        try StructuredDraft(
            document: JSONDocument(parsing: Array(text.utf8)), recordType: "Note", file: note, remote: remote,
            context: context)
    }

    private static func fields(
        _ text: String, remote: [String: Field] = [:], context: MappingContext = context()
    ) throws -> [String: Field] {
        try draft(text, remote: remote, context: context).fields(recordName: RecordName("Note/sub/e"), path: note)
    }

    private static func text(
        _ fields: [String: Field], current: String? = nil, context: MappingContext = context()
    ) -> String {
        let rendering = StructuredRendering(recordType: "Note", fields: fields, file: note, context: context)
        return String(decoding: rendering.output(current: current.map { Array($0.utf8) }).bytes, as: UTF8.self)
    }

    @Test(
        "An empty text names no file: the record has no such field, and the file comes back as it is",
        arguments: [#"{"title":"e","photo":""}"#, #"{"title":"e","photo":{"$asset": ""}}"#])
    func empty(text: String) throws {
        let draft = try Self.draft(text)
        #expect(draft.attachments.isEmpty && draft.firstEmpty(of: ["title"]) == nil)
        // Emptied, it takes the asset out of the record.
        for remote in [[:], ["title": Field(.string("e")), "photo": Self.picture]] {
            let fields = try Self.fields(text, remote: remote)
            #expect(fields["photo"]?.value == nil && fields["title"] == Field(.string("e")))
            #expect(Self.text(fields) == text)
            // A device that never saw an asset in the field reads it alike.
            let other = MappingContext()
            #expect(Self.text(fields, context: other) == text)
            let again = try Self.fields(text.replacing("\"e\"", with: "\"f\""), remote: fields, context: other)
            #expect(again["photo"]?.value == nil && again["title"] == Field(.string("f")))
        }
        #expect(RecordChanges.diff(from: ["photo": Self.picture], to: try Self.fields(text))["photo"] == Field(nil))
    }

    @Test("An asset that another client puts there takes the empty text's place, and goes without a trace of one")
    func filled() throws {
        var fields = try Self.fields(#"{"title":"e","photo":""}"#)
        fields["photo"] = Self.picture
        #expect(Self.text(fields) == #"{"title":"e","photo":"e.photo.bin"}"#)
    }

    @Test("An empty text of a STRING goes with its field, and that for a file stays, where no hints tell of them")
    func withoutHints() {
        let current = "{\n  \"photo\": \"\",\n  \"title\": \"\"\n}\n"
        #expect(Self.text([:], current: current) == "{\n  \"photo\": \"\"\n}\n")
        #expect(Self.text(["title": Field(.string(""))], current: current) == current)
    }

    @Test(
        "What names no file is told for what it is",
        arguments: [
            (".", "which is a directory"), ("..", "which is a directory"), ("a/", "which is a directory"),
            ("a/..", "which is a directory"), ("/", "which is a directory"), ("./", "which is a directory"),
            ("../../../a", "which lies outside this folder"), ("e.json", "which is this file itself"),
            ("../sub/e.json", "which is this file itself"), ("/.zonefolder/lock", "a name that zonefolder keeps"),
            ("/%4", "which is no path of a file"),
        ])
    func refused(path: String, reason: String) throws {
        let problem = try #require(throws: MappingProblem.self) { try Self.draft("{\"photo\": \"\(path)\"}") }
        #expect(problem.code == .illegalAssetPath)
        #expect(problem.message.hasPrefix("\"photo\" names \"\(path)\", \(reason)"), "\(problem.message)")
    }

    @Test("An empty text in a list of assets is told as that")
    func emptyInList() throws {
        let text = #"{"photos": [{"$asset": "a.png"}, {"$asset": ""}]}"#
        let problem = try #require(throws: MappingProblem.self) { try Self.draft(text) }
        #expect(problem.code == .illegalAssetPath)
        #expect(problem.message.contains(#"Element 2 of "photos" is an empty text"#), "\(problem.message)")
    }
}
