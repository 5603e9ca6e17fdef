import CloudKitClient
import CloudKitWire
import FolderControl
import StateStorage
import SyncModel
import SyncPlanning
import Testing

@testable import FolderSettings
@testable import RecordTrees
@testable import SyncEngine

/// JSON files below a record type's folder that fit no structured record (design §3, "Unfit JSON").
@Suite("Files that fit no structured record", .timeLimit(.minutes(30)))
struct UnfitFilesTests {
    private static func world(_ body: @Sendable (EngineDevice, EngineDevice) async throws -> Void) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try await body(laptop, desk)
            try laptop.close()
            try desk.close()
        }
    }

    private static func expectInSync(_ devices: EngineDevice...) async throws {
        for device in devices {
            let report = try await device.report()
            #expect(report.verdict == .inSync, "\(report.reason)")
            #expect(try device.conflictCopies().isEmpty)
        }
    }

    /// The record types of what the zone has, by name.
    private static func records(_ device: EngineDevice) async -> [String: String] {
        let remote = await device.session.trees.remote
        return Dictionary(uniqueKeysWithValues: remote.values.map { ($0.name.rawValue, $0.recordType) })
    }

    @Test("Every odd file is on the other device byte for byte, listed with its reason, and in sync")
    func oddFiles() async throws {
        #expect(OddJSON.rows.count { !$0.fits } >= 94)
        try await Self.world { laptop, desk in
            for row in OddJSON.rows { try laptop.write(row.bytes, to: row.name) }
            try await converge(laptop, desk)
            try await Self.expectInSync(laptop, desk)
            for row in OddJSON.rows { #expect(desk.bytes(row.name) == row.bytes, "\(row.name)") }
            let unfit = Set(OddJSON.rows.filter { !$0.fits }.map(\.name))
            for device in [laptop, desk] { #expect(try await Set(device.unfit().keys) == unfit) }
            let types = await Self.records(desk)
            for row in OddJSON.rows {
                #expect((types[row.name] == "File") == !row.fits, "\(row.name)")
            }
            // Nothing is judged otherwise after a restart, nor without what the state knew.
            _ = desk.network.takeOperations()
            try desk.restart()
            try await desk.sync()
            #expect(!desk.network.takeOperations().contains("records/modify"))
            #expect(try await Set(desk.unfit().keys) == unfit)
        }
    }

    @Test("A reference that can be no file of a folder makes a plain file; one whose record may come is held till then")
    func references() async throws {
        try await Self.world { laptop, desk in
            let plain = [
                "Schema/pointer.json": ##"{"address": {"$ref": "#/integer"}}"##,
                "Schema/url.json": #"{"address": {"$ref": "https://example.org/defs.json"}}"#,
            ]
            for (name, text) in plain { try laptop.write(text, to: name) }
            try laptop.write(#"{"address": {"$ref": "Schema/defs.json"}}"#, to: "Schema/file.json")
            try await converge(laptop, desk)
            #expect(try desk.files() == plain)
            let report = try await laptop.report()
            #expect(report.held.map(\.path) == ["Schema/file.json"] && report.held.map(\.code) == ["referenceRefused"])
            for device in [laptop, desk] {
                #expect(try await device.unfit() == plain.mapValues { _ in "wrongType" })
            }
            try laptop.write("{}", to: "Schema/defs.json")
            try await converge(laptop, desk)
            try await Self.expectInSync(laptop, desk)
            #expect(try desk.files() == laptop.files() && desk.files().count == 4)
        }
    }

    @Test("A key that is a number here and a text there: the second file is a plain one, by the server's word alone")
    func typeClash() async throws {
        try await Self.world { laptop, desk in
            try laptop.write(#"{"a": 1}"#, to: "Note/1.json")
            try laptop.write(#"{"a": "text"}"#, to: "Note/2.json")
            try await converge(laptop, desk)
            try await Self.expectInSync(laptop, desk)
            #expect(try laptop.files() == desk.files())
            for device in [laptop, desk] { #expect(try await device.unfit() == ["Note/2.json": "wrongType"]) }
            let unfit = try await laptop.report().unfit?.first
            #expect(unfit?.message.contains("\"a\" is a text") == true, "\(String(describing: unfit))")
            #expect(await Self.records(desk) == ["Note/1": "Note", "Note/2.json": "File"])
        }
    }

    @Test("A clash that the server does not name the field of makes a plain file as well")
    func unnamedClash() async throws {
        try await Self.world { laptop, desk in
            let refusal =
                #"{"records": [{"recordName": "Note/a", "serverErrorCode": "BAD_REQUEST", "#
                + #""reason": "Invalid value, expected type TIMESTAMP."}]}"#
            laptop.network.next(
                to: "records/modify", .answered(TransportResponse(status: 200, body: Array(refusal.utf8))))
            try laptop.write(#"{"a": 1}"#, to: "Note/a.json")
            try await converge(laptop, desk)
            try await Self.expectInSync(laptop, desk)
            #expect(await Self.records(desk) == ["Note/a.json": "File"])
            #expect(try await laptop.unfit() == ["Note/a.json": "wrongType"])
            #expect(try await desk.unfit() == ["Note/a.json": "plainInZone"])
        }
    }

    @Test("Mended it becomes a structured record, in the one request in which its file record goes")
    func mended() async throws {
        try await Self.world { laptop, desk in
            try laptop.write("{", to: "Note/a.json")
            try await converge(laptop, desk)
            _ = laptop.network.takeBodies(of: "records/modify")
            try laptop.write(#"{"a": 1}"#, to: "Note/a.json")
            try await converge(laptop, desk)
            let bodies = laptop.network.takeBodies(of: "records/modify")
            #expect(bodies.count == 1)
            #expect(bodies.first?.contains(#""operationType":"create""#) == true)
            #expect(bodies.first?.contains(#""operationType":"delete""#) == true)
            #expect(bodies.first?.contains(#""atomic":true"#) == true)
            try await Self.expectInSync(laptop, desk)
            #expect(desk.read("Note/a.json") == #"{"a": 1}"#)
            #expect(await Self.records(desk) == ["Note/a": "Note"])
            #expect(try await laptop.unfit().isEmpty)

            // It is a record from now on: broken again, it is held.
            try laptop.write("{", to: "Note/a.json")
            try await converge(laptop, desk)
            #expect(try await laptop.held() == ["Note/a.json": "brokenJSON"])
            #expect(desk.read("Note/a.json") == #"{"a": 1}"#)
        }
    }

    @Test("What others moved to where a held file is, waits for that one and says so, and goes on once it is mended")
    func heldInPlace() async throws {
        try await Self.world { laptop, desk in
            try laptop.write(#"{"a": 1}"#, to: "Note/a.json")
            try await converge(laptop, desk)
            try desk.write(#"{"b": 1, "photo": {"$asset": "none.jpg"}}"#, to: "Note/b.json")
            try await desk.sync()
            try laptop.move("Note/a.json", to: "Note/b.json")
            try await laptop.sync()
            try laptop.write(#"{"a": 2}"#, to: "Note/a.json")
            try await converge(laptop, desk)
            #expect(try await desk.held() == ["Note/a.json": "pathBlocked", "Note/b.json": "missingAsset"])
            try desk.move("Note/b.json", to: "Note/c.json")
            try desk.write("photo", to: "Note/none.jpg")
            try await converge(desk, laptop)
            try await Self.expectInSync(laptop, desk)
            #expect(try laptop.files() == desk.files())
            #expect(try desk.files().count == 4)
            #expect(desk.read("Note/b.json") == #"{"a": 1}"#)
        }
    }

    @Test("Broken here, while its record was moved elsewhere and deleted there: it is a plain file from then on")
    func brokenAndMovedAway() async throws {
        try await Self.world { laptop, desk in
            try laptop.write(#"{"a": 1}"#, to: "Note/a.json")
            try await converge(laptop, desk)
            try laptop.write("{", to: "Note/a.json")
            try await laptop.sync()
            try desk.move("Note/a.json", to: "Note/b.json")
            try await converge(desk, laptop)
            #expect(try await laptop.held() == ["Note/a.json": "brokenJSON"])
            try desk.delete("Note/b.json")
            try await converge(desk, laptop)
            try await Self.expectInSync(laptop, desk)
            #expect(try laptop.files() == desk.files())
            #expect(await Self.records(desk) == ["Note/a.json": "File"])
            #expect(laptop.read("Note/a.json") == "{")
        }
    }

    @Test("Many that are mended at once go in few requests, and one that is refused holds up no other")
    func mendedTogether() async throws {
        try await Self.world { laptop, desk in
            for number in 0..<40 { try laptop.write("{", to: "Note/\(number).json") }
            try laptop.write(#"{"a": 1}"#, to: "Note/first.json")
            try await converge(laptop, desk)
            _ = laptop.network.takeBodies(of: "records/modify")
            for number in 0..<40 { try laptop.write("{\"b\": \(number)}", to: "Note/\(number).json") }
            try await laptop.sync()
            #expect(laptop.network.takeBodies(of: "records/modify").count == 1)
            for number in 0..<40 { try laptop.write("[", to: "List/\(number).json") }
            try await laptop.sync()
            for number in 0..<40 {
                try laptop.write(number == 17 ? #"{"c": "text"}"# : #"{"c": 1}"#, to: "List/\(number).json")
            }
            try await converge(laptop, desk)
            try await Self.expectInSync(laptop, desk)
            #expect(try laptop.files() == desk.files())
            #expect(try await laptop.unfit().count == 1)
        }
    }

    @Test(
        "A request that takes the one and brings the other, whose answer is lost, ends the same",
        arguments: [true, false])
    func lostAnswer(arrives: Bool) async throws {
        try await Self.world { laptop, desk in
            try laptop.write("{", to: "Note/a.json")
            try await converge(laptop, desk)
            laptop.network.next(to: "records/modify", arrives ? .answerLost : .lostSomewhere)
            try laptop.write(#"{"a": 1}"#, to: "Note/a.json")
            await laptop.settle()
            try laptop.restart()
            try await converge(laptop, desk)
            try await Self.expectInSync(laptop, desk)
            #expect(await Self.records(laptop) == ["Note/a": "Note"])
            #expect(try laptop.files() == ["Note/a.json": #"{"a": 1}"#])
            #expect(try desk.files() == laptop.files())
        }
    }

    @Test("A file record that was edited elsewhere meanwhile does not go with the request")
    func editedElsewhere() async throws {
        try await Self.world { laptop, desk in
            try laptop.write("{", to: "Note/a.json")
            try await converge(laptop, desk)
            try desk.write("{ edited", to: "Note/a.json")
            try await desk.sync()
            try laptop.write(#"{"a": 1}"#, to: "Note/a.json")
            try await converge(laptop, desk)
            #expect(try laptop.files() == desk.files())
            #expect(try Set(desk.files().values).isSuperset(of: [#"{"a": 1}"#, "{ edited"]))
            for device in [laptop, desk] { #expect(try await device.report().verdict == .inSync) }
        }
    }

    @Test("Mended on both devices at once, both have both versions")
    func mendedTwice() async throws {
        try await Self.world { laptop, desk in
            try laptop.write("{", to: "Note/a.json")
            try await converge(laptop, desk)
            try laptop.write(#"{"a": 1}"#, to: "Note/a.json")
            try desk.write(#"{"b": 2}"#, to: "Note/a.json")
            try await converge(laptop, desk)
            #expect(try laptop.files() == desk.files())
            #expect(await Self.records(laptop) == ["Note/a": "Note"])
            let text = laptop.read("Note/a.json") ?? ""
            #expect(text.contains(#""a": 1"#) && text.contains(#""b": 2"#), "\(text)")
            try await Self.expectInSync(laptop, desk)
        }
    }

    @Test("A file cut off for a moment costs its record nothing; one that has none is a plain file until it is whole")
    func cutOff() async throws {
        try await Self.world { laptop, desk in
            try laptop.write(#"{"a": 1}"#, to: "Note/a.json")
            try await converge(laptop, desk)
            _ = laptop.network.takeBodies(of: "records/modify")
            try laptop.write(#"{"a": 2, "b""#, to: "Note/a.json")
            try laptop.write("", to: "Note/new.json")
            try await converge(laptop, desk)
            #expect(try await laptop.held() == ["Note/a.json": "brokenJSON"])
            #expect(desk.read("Note/a.json") == #"{"a": 1}"#)
            try laptop.write(#"{"a": 2, "b": 3}"#, to: "Note/a.json")
            try laptop.write(#"{"c": 4}"#, to: "Note/new.json")
            try await converge(laptop, desk)
            try await Self.expectInSync(laptop, desk)
            #expect(await Self.records(desk) == ["Note/a": "Note", "Note/new": "Note"])
            #expect(try desk.files() == laptop.files())
        }
    }

    @Test("A broken file whose record another device deletes is kept, as a plain file everywhere")
    func deletedElsewhere() async throws {
        try await Self.world { laptop, desk in
            try laptop.write(#"{"a": 1}"#, to: "Note/a.json")
            try await converge(laptop, desk)
            try laptop.write(#"{"a": 2"#, to: "Note/a.json")
            try await laptop.sync()
            #expect(try await laptop.held() == ["Note/a.json": "brokenJSON"])
            try desk.delete("Note/a.json")
            try await converge(desk, laptop)
            try await converge(laptop, desk)
            try await Self.expectInSync(laptop, desk)
            #expect(try desk.files() == ["Note/a.json": #"{"a": 2"#])
            #expect(await Self.records(desk) == ["Note/a.json": "File"])
        }
    }

    @Test("Two devices that judge a file otherwise do not answer each other: it stays plain until somebody edits it")
    func judgedOtherwise() async throws {
        try await Self.world { laptop, desk in
            try laptop.write("DEFINE SCHEMA RECORD TYPE Note (a INT64, zonefolder STRING);", to: "s.ckdb")
            try laptop.configure { $0.schemaFile = "s.ckdb" }
            try laptop.write(#"{"a": "text"}"#, to: "Note/a.json")
            try await converge(laptop, desk)
            #expect(try await laptop.unfit() == ["Note/a.json": "wrongType"])
            _ = (laptop.network.takeOperations(), desk.network.takeOperations())
            try desk.restart()
            try await converge(desk, laptop)
            for device in [laptop, desk] { #expect(!device.network.takeOperations().contains("records/modify")) }
            #expect(try await desk.unfit() == ["Note/a.json": "plainInZone"])
            try await Self.expectInSync(laptop, desk)

            try desk.write(#"{"a": "edited"}"#, to: "Note/a.json")
            try await converge(desk, laptop)
            try await Self.expectInSync(laptop, desk)
            #expect(await Self.records(laptop)["Note/a"] == "Note")
            #expect(laptop.read("Note/a.json") == #"{"a": "edited"}"#)
            #expect(try await laptop.unfit().isEmpty)
        }
    }

    @Test("Renamed it keeps its record, and its bytes are not sent again")
    func renamed() async throws {
        try await Self.world { laptop, desk in
            try laptop.write("{ broken", to: "Note/a.json")
            try await converge(laptop, desk)
            _ = laptop.network.takeOperations()
            try laptop.move("Note/a.json", to: "Todo/b.json")
            try await converge(laptop, desk)
            #expect(!laptop.network.takeOperations().contains("upload"))
            #expect(await Self.records(desk) == ["Note/a.json": "File"])
            #expect(try await desk.unfit() == ["Todo/b.json": "brokenJSON"])
            try laptop.move("Todo/b.json", to: "b.json")
            try await converge(laptop, desk)
            for device in [laptop, desk] { #expect(try await device.unfit().isEmpty) }
            #expect(try desk.files() == ["b.json": "{ broken"])
            try await Self.expectInSync(laptop, desk)
        }
    }

    @Test("Who wants so has new ones held, and what is a plain file already goes on")
    func configured() async throws {
        try await Self.world { laptop, desk in
            try laptop.write("{", to: "Note/old.json")
            try await converge(laptop, desk)
            try laptop.configure { $0.unfitFiles = .hold }
            try laptop.write("{ new", to: "Note/new.json")
            try laptop.write("{ edited", to: "Note/old.json")
            try await converge(laptop, desk)
            #expect(try await laptop.held() == ["Note/new.json": "brokenJSON"])
            #expect(try await laptop.unfit() == ["Note/old.json": "brokenJSON"])
            #expect(try desk.files() == ["Note/old.json": "{ edited"])
            try laptop.configure { $0.unfitFiles = .file }
            try await converge(laptop, desk)
            #expect(try desk.files() == laptop.files())
            try await Self.expectInSync(laptop, desk)
        }
    }

    @Test("A status without a daemon lists them too")
    func stopped() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write(#"{"a": 1}"#, to: "Note/a.json")
            try laptop.write("{", to: "Note/b.json")
            try await laptop.sync()
            try laptop.write("{", to: "Note/a.json")
            try await laptop.sync()
            try laptop.close()
            let report = try StatusReport.stopped(folder: laptop.folder)
            #expect(report.unfit?.map(\.path) == ["Note/b.json"])
            #expect(report.held.map(\.path) == ["Note/a.json"])
        }
    }
}
