import FolderControl
import FolderSettings
import RecordMapping
import StateStorage
import SyncModel
import Testing

@testable import RecordSending

/// What `config.toml` and a schema file ask of the files of a record type.
@Suite("Rules for the files of a record type", .timeLimit(.minutes(30)))
struct TypeRulesTests {
    private static func world(
        _ rules: TypeRules, _ body: @Sendable (EngineDevice, EngineDevice) async throws -> Void
    ) async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop") { $0.types = ["Note": rules] }
            let desk = try world.device("desk")
            try await body(laptop, desk)
            try laptop.close()
            try desk.close()
        }
    }

    @Test(
        "A file that lacks a required field, or has it empty, is held and said, not dropped (S3.8)",
        arguments: [
            #"{"text": "x"}"#, #"{"title": null, "text": "x"}"#, #"{"title": "", "text": "x"}"#,
            #"{"title": [], "text": "x"}"#, #"{"title": {}, "text": "x"}"#,
        ])
    func required(text: String) async throws {
        try await Self.world(TypeRules(required: ["title", "text"])) { laptop, desk in
            try laptop.write(text, to: "Note/a.json")
            try laptop.write(#"{"title": "b", "text": "0"}"#, to: "Note/b.json")
            try laptop.write(#"{"text": "x"}"#, to: "Other/c.json")
            try await converge(laptop, desk)
            #expect(try Set(desk.files().keys) == ["Note/b.json", "Other/c.json"])
            #expect(laptop.read("Note/a.json") == text)
            let held = try await laptop.report().held
            #expect(held.map(\.code) == ["requiredFieldMissing"])
            #expect(
                held.first?.message
                    == #"Note/a.json: "title" is missing or empty, and config.toml requires it of Note."#)
            #expect(try await laptop.report().verdict == .attention)
            try laptop.write(#"{"title": "now", "text": "x"}"#, to: "Note/a.json")
            try await converge(laptop, desk)
            #expect(desk.read("Note/a.json") == #"{"title": "now", "text": "x"}"#)
            #expect(try await laptop.report().verdict == .inSync)
        }
    }

    @Test("An edit that empties it is held, what another device saved without it is not, and its edit here is")
    func requiredOfKnown() async throws {
        try await Self.world(TypeRules(required: ["title"])) { laptop, desk in
            try laptop.write(#"{"title": "a"}"#, to: "Note/a.json")
            try desk.write(#"{"text": "b"}"#, to: "Note/b.json")
            try await converge(laptop, desk)
            #expect(laptop.read("Note/b.json") == #"{"text": "b"}"#)
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.write(#"{"title": ""}"#, to: "Note/a.json")
            try laptop.write(#"{"text": "c"}"#, to: "Note/b.json")
            try await converge(laptop, desk)
            #expect(
                try await laptop.held()
                    == ["Note/a.json": "requiredFieldMissing", "Note/b.json": "requiredFieldMissing"])
            #expect(desk.read("Note/a.json") == #"{"title": "a"}"#)
            #expect(desk.read("Note/b.json") == #"{"text": "b"}"#)
        }
    }

    @Test("A rule that is changed counts for what is not sent yet, at the next start")
    func changedRules() async throws {
        try await Self.world(TypeRules(required: ["title"])) { laptop, desk in
            try laptop.write(#"{"text": "a"}"#, to: "Note/a.json")
            try await laptop.sync()
            #expect(try await laptop.held() == ["Note/a.json": "requiredFieldMissing"])
            try laptop.configure { $0.types = [:] }
            try await converge(laptop, desk)
            #expect(desk.read("Note/a.json") == #"{"text": "a"}"#)
            laptop.network.decide { _ in .lostOnTheWay }
            try laptop.write(#"{"text": "b"}"#, to: "Note/b.json")
            await laptop.settle()
            laptop.network.decide { _ in .delivered }
            try laptop.configure { $0.types = ["Note": TypeRules(required: ["title"])] }
            try await converge(laptop, desk)
            #expect(try await laptop.held() == ["Note/b.json": "requiredFieldMissing"])
            #expect(try desk.files() == ["Note/a.json": #"{"text": "a"}"#])
        }
    }

    private static let picture = TypeRules(defaultAssets: ["image": FolderPath("defaults/note.png")!])

    @Test("A new record without an image gets the default one; one that was removed stays away (S3.12)")
    func defaultAsset() async throws {
        try await Self.world(Self.picture) { laptop, desk in
            try laptop.write("default picture", to: "defaults/note.png")
            try laptop.write("own picture", to: "Note/own.png")
            try laptop.write("{\n  \"title\": \"a\"\n}\n", to: "Note/a.json")
            try laptop.write(#"{"title": "b", "image": {"$asset": "own.png"}}"#, to: "Note/b.json")
            try laptop.write(#"{"title": "c", "image": null}"#, to: "Note/c.json")
            try await converge(laptop, desk)
            #expect(try laptop.files() == desk.files())
            let text = laptop.read("Note/a.json") ?? ""
            #expect(text.hasPrefix("{\n") && text.contains("\"image\": \"a.image"), "\(text)")
            let pictures = try laptop.files().filter { $0.value == "default picture" }.keys.sorted()
            #expect(pictures.count == 2 && pictures.contains("defaults/note.png"), "\(pictures)")
            #expect(laptop.read("Note/b.json") == #"{"title": "b", "image": {"$asset": "own.png"}}"#)
            #expect(laptop.read("Note/c.json") == #"{"title": "c", "image": null}"#)
            for device in [laptop, desk] { #expect(try await device.report().verdict == .inSync) }

            // Removed: the record has none, now and after further edits and starts.
            try laptop.write("{\n  \"title\": \"a2\"\n}\n", to: "Note/a.json")
            for name in pictures where name != "defaults/note.png" { try laptop.delete(name) }
            try await converge(laptop, desk)
            try laptop.restart()
            try laptop.write("{\n  \"title\": \"a3\"\n}\n", to: "Note/a.json")
            try await converge(laptop, desk)
            #expect(desk.read("Note/a.json") == "{\n  \"title\": \"a3\"\n}\n")
            #expect(try laptop.files() == desk.files())
            #expect(try laptop.files().values.count { $0 == "default picture" } == 1)
            for device in [laptop, desk] { #expect(try await device.report().verdict == .inSync) }
        }
    }

    @Test("A default that is not there holds the new record, until it comes")
    func missingDefault() async throws {
        try await Self.world(Self.picture) { laptop, desk in
            try laptop.write(#"{"title": "a"}"#, to: "Note/a.json")
            await laptop.settle()
            let held = try await laptop.report().held
            #expect(held.map(\.code) == ["missingAsset"])
            #expect(held.first?.message.contains("defaults/note.png") == true)
            try laptop.write("default picture", to: "defaults/note.png")
            // Without waiting for another try.
            await laptop.settle()
            #expect(try await laptop.report().held.isEmpty)
            try await converge(laptop, desk)
            #expect(try desk.files() == laptop.files())
            #expect(try desk.files().values.count { $0 == "default picture" } == 2)
        }
    }

    @Test("A create whose answer is lost has its default all the same, once", arguments: [true, false])
    func lostAnswer(arrives: Bool) async throws {
        try await Self.world(Self.picture) { laptop, desk in
            try laptop.write("default picture", to: "defaults/note.png")
            try await laptop.sync()
            laptop.network.next(to: "records/modify", arrives ? .answerLost : .lostSomewhere)
            try laptop.write(#"{"title": "a"}"#, to: "Note/a.json")
            await laptop.settle()
            try laptop.restart()
            try await converge(laptop, desk)
            #expect(try desk.files() == laptop.files())
            #expect(try desk.files().values.count { $0 == "default picture" } == 2)
            #expect(laptop.read("Note/a.json")?.contains(#""image""#) == true)
            for device in [laptop, desk] { #expect(try await device.report().verdict == .inSync) }
        }
    }

    @Test(
        "Field types come from the schema file: a time is one at its first save, and a text that is none is a plain file"
    )
    func schemaFile() async throws {
        try await Self.world(TypeRules()) { laptop, desk in
            try laptop.write(
                "DEFINE SCHEMA RECORD TYPE Note (due TIMESTAMP, data BYTES, zonefolder STRING);", to: "notes.ckdb")
            try laptop.configure { $0.schemaFile = "notes.ckdb" }
            let text = "{\n  \"data\": \"AQI=\",\n  \"due\": \"2026-01-31T12:00:00.000Z\"\n}\n"
            try laptop.write(text, to: "Note/a.json")
            try laptop.write(#"{"due": "tomorrow"}"#, to: "Note/b.json")
            try await laptop.sync()
            let sent = laptop.network.takeBodies(of: "records/modify").joined()
            #expect(sent.contains(#""type":"TIMESTAMP""#) && sent.contains(#""type":"BYTES""#), "\(sent)")
            try await converge(laptop, desk)
            #expect(try desk.files() == laptop.files())
            #expect(try await laptop.unfit() == ["Note/b.json": "wrongType"])
            #expect(desk.read("Note/a.json") == text)
        }
    }

    @Test("A schema file that is changed counts for what is not sent yet")
    func changedSchema() async throws {
        try await Self.world(TypeRules()) { laptop, desk in
            laptop.network.decide { _ in .lostOnTheWay }
            try laptop.write(#"{"due": "2026-01-31T12:00:00.000Z"}"#, to: "Note/a.json")
            await laptop.settle()
            laptop.network.decide { _ in .delivered }
            try laptop.write("DEFINE SCHEMA RECORD TYPE Note (due TIMESTAMP, zonefolder STRING);", to: "notes.ckdb")
            try laptop.configure { $0.schemaFile = "notes.ckdb" }
            try await converge(laptop, desk)
            #expect(laptop.network.takeBodies(of: "records/modify").contains { $0.contains(#""type":"TIMESTAMP""#) })
            try laptop.write("DEFINE SCHEMA RECORD TYPE Todo (when INT64);", to: "notes.ckdb")
            try laptop.restart()
            try laptop.write(#"{"when": "now"}"#, to: "Todo/a.json")
            try await converge(laptop, desk)
            #expect(try await laptop.unfit() == ["Todo/a.json": "wrongType"])
            #expect(try await laptop.report().verdict == .inSync)
        }
    }

    @Test(
        "A schema file that is none, or is not there, is a fault of the configuration that names it",
        arguments: [true, false])
    func badSchema(isThere: Bool) async throws {
        try await Self.world(TypeRules()) { laptop, _ in
            if isThere { try laptop.write("DEFINE SCHEMA\nRECORD TYPE Note (due WHEN);\n", to: "notes.ckdb") }
            let error = #expect(throws: StateError.self) { try laptop.configure { $0.schemaFile = "notes.ckdb" } }
            #expect(error?.code == .configuration)
            #expect(error?.message.contains("notes.ckdb") == true, "\(String(describing: error))")
            try laptop.close()
        }
    }

    @Test(
        "What a refusal tells of a field's type",
        arguments: [
            (
                "invalid attempt to set value type STRING for field 'f' for type 'T', defined to be: INT64",
                "f: INT64"
            ),
            (
                "invalid attempt to set value type INT64 for field 'f' for type 'T', defined to be: ENCRYPTED_STRING_LIST",
                "f: encrypted STRING_LIST"
            ),
            ("Invalid value, expected type TIMESTAMP.", "unknown"),
            ("invalid attempt to set value type INT64 for field 'f' for type 'T', defined to be: WHAT", "unknown"),
            ("Field f not found in T", nil), ("record too large", nil),
        ] as [(String, String?)])
    func refusals(_ row: (reason: String, expected: String?)) {
        let clash = TypeClash(refusal: row.reason)
        let told = clash.map { clash in
            clash.known.map { "\($0.name): \($0.field.isEncrypted ? "encrypted " : "")\($0.field.type.rawValue)" }
                ?? "unknown"
        }
        #expect(told == row.expected)
    }
}
