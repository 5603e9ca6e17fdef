import CloudKitClient
import FolderControl
import SyncEngine
import Synchronization
import SystemPackage
import Testing

/// Files that structured records name (design §3): they follow their records on every device.
@Suite("Attached files", .timeLimit(.minutes(30)))
struct AttachmentTests {
    /// What one device does with a record and the files that it names, and what both hold afterwards.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let start: [String: String]
        let edit: Edit
        let end: [String: String]
        /// What the other device changed meanwhile.
        var meanwhile: Edit = { _ in }

        var testDescription: String { name }
    }

    private static func note(_ number: Int, _ fields: [String: String] = [:]) -> String {
        let members = fields.sorted { $0.key < $1.key }.map { #", "\#($0.key)": {"$asset": "\#($0.value)"}"# }
        return #"{"n": \#(number)"# + members.joined() + "}"
    }

    static let cases: [Case] = [
        Case(
            name: "renamed", start: ["Note/n.json": note(1, ["pic": "a.jpg"]), "Note/a.jpg": "bytes"],
            edit: {
                try $0.move("Note/a.jpg", to: "Note/b.jpg")
                try $0.write(note(1, ["pic": "b.jpg"]), to: "Note/n.json")
            },
            end: ["Note/n.json": note(1, ["pic": "b.jpg"]), "Note/b.jpg": "bytes"]),
        Case(
            name: "renamed into a new folder, and edited by the other device",
            start: ["Note/n.json": note(1, ["pic": "a.jpg"]), "Note/a.jpg": "bytes"],
            edit: {
                try $0.move("Note/a.jpg", to: "Note/pics/deep/b.jpg")
                try $0.write(note(1, ["pic": "pics/deep/b.jpg"]), to: "Note/n.json")
            },
            end: ["Note/n.json": note(1, ["pic": "pics/deep/b.jpg"]), "Note/pics/deep/b.jpg": "other bytes"],
            meanwhile: { try $0.write("other bytes", to: "Note/a.jpg") }),
        Case(
            name: "two that swap names",
            start: [
                "Note/n.json": note(1, ["p": "a.jpg", "q": "b.jpg"]), "Note/a.jpg": "one", "Note/b.jpg": "two",
            ],
            edit: {
                try $0.move("Note/a.jpg", to: "t")
                try $0.move("Note/b.jpg", to: "Note/a.jpg")
                try $0.move("t", to: "Note/b.jpg")
                try $0.write(note(1, ["p": "b.jpg", "q": "a.jpg"]), to: "Note/n.json")
            },
            end: ["Note/n.json": note(1, ["p": "b.jpg", "q": "a.jpg"]), "Note/a.jpg": "two", "Note/b.jpg": "one"]),
        Case(
            name: "renamed for one of two records that name it",
            start: [
                "Note/m.json": note(1, ["pic": "a.jpg"]), "Note/n.json": note(2, ["pic": "a.jpg"]),
                "Note/a.jpg": "bytes",
            ],
            edit: {
                try $0.write("bytes", to: "Note/b.jpg")
                try $0.write(note(2, ["pic": "b.jpg"]), to: "Note/n.json")
            },
            end: [
                "Note/m.json": note(1, ["pic": "a.jpg"]), "Note/n.json": note(2, ["pic": "b.jpg"]),
                "Note/a.jpg": "bytes", "Note/b.jpg": "bytes",
            ]),
        Case(
            name: "no longer named, and deleted",
            start: ["Note/n.json": note(1, ["pic": "a.jpg"]), "Note/a.jpg": "bytes"],
            edit: {
                try $0.write(note(1), to: "Note/n.json")
                try $0.delete("Note/a.jpg")
            },
            end: ["Note/n.json": note(1)]),
        Case(
            name: "no longer named, and kept as a file of its own",
            start: ["Note/n.json": note(1, ["pic": "a.jpg"]), "Note/a.jpg": "bytes"],
            edit: { try $0.write(note(1), to: "Note/n.json") },
            end: ["Note/n.json": note(1), "Note/a.jpg": "bytes"]),
        Case(
            name: "its name emptied, and kept as a file of its own",
            start: ["Note/n.json": note(1, ["pic": "a.jpg"]), "Note/a.jpg": "bytes"],
            edit: { try $0.write(#"{"n": 1, "pic": ""}"#, to: "Note/n.json") },
            end: ["Note/n.json": #"{"n": 1, "pic": ""}"#, "Note/a.jpg": "bytes"]),
        Case(
            name: "no longer named, and edited by the other device",
            start: ["Note/n.json": note(1, ["pic": "a.jpg"]), "Note/a.jpg": "bytes"],
            edit: {
                try $0.write(note(1), to: "Note/n.json")
                try $0.delete("Note/a.jpg")
            },
            end: ["Note/n.json": note(1), "Note/a.jpg": "other bytes"],
            meanwhile: { try $0.write("other bytes", to: "Note/a.jpg") }),
        Case(
            name: "named by another record from now on",
            start: ["Note/m.json": note(1), "Note/n.json": note(2, ["pic": "a.jpg"]), "Note/a.jpg": "bytes"],
            edit: {
                try $0.write(note(1, ["pic": "a.jpg"]), to: "Note/m.json")
                try $0.write(note(2), to: "Note/n.json")
            },
            end: ["Note/m.json": note(1, ["pic": "a.jpg"]), "Note/n.json": note(2), "Note/a.jpg": "bytes"]),
        Case(
            name: "a file of its own that a record names from now on",
            start: ["Note/n.json": note(1), "Note/a.jpg": "bytes"],
            edit: { try $0.write(note(1, ["pic": "a.jpg"]), to: "Note/n.json") },
            end: ["Note/n.json": note(1, ["pic": "a.jpg"]), "Note/a.jpg": "bytes"]),
        Case(
            name: "a file of its own that is renamed, and named by a record from now on",
            start: ["Note/n.json": note(1), "a.jpg": "bytes"],
            edit: {
                try $0.move("a.jpg", to: "Note/b.jpg")
                try $0.write(note(1, ["pic": "b.jpg"]), to: "Note/n.json")
            },
            end: ["Note/n.json": note(1, ["pic": "b.jpg"]), "Note/b.jpg": "bytes"]),
    ]

    @Test(
        "A file that a record names goes where the record says, on every device, and away with its field",
        arguments: cases)
    func follows(_ example: Case) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for (path, text) in example.start { try laptop.write(text, to: path) }
            try await converge(laptop, desk)
            #expect(try desk.files() == example.start)
            try example.edit(laptop)
            try example.meanwhile(desk)
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                #expect(try device.files() == example.end)
                let report = try await device.report()
                #expect(report.verdict == .inSync, "\(report.reason)")
            }
            try laptop.close()
            try desk.close()
        }
    }

    @Test("A record renamed over an equal one with the same asset is told to the zone, and the other one goes")
    func renamedOverEqual() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for name in ["a", "b"] { try laptop.write(Self.note(1, ["pic": "a.jpg"]), to: "Note/\(name).json") }
            try laptop.write("bytes", to: "Note/a.jpg")
            try await converge(laptop, desk)
            let tag = try world.zone().tags["Note/a"]
            try laptop.move("Note/b.json", to: "Note/a.json")
            try await converge(laptop, desk)
            #expect(try desk.files().keys.sorted() == ["Note/a.jpg", "Note/a.json"])
            #expect(try world.zone().tags["Note/a"] != tag)
            for device in [laptop, desk] { #expect(try await device.report().verdict == .inSync) }
            try laptop.close()
            try desk.close()
        }
    }

    @Test("A file whose record gives way to an asset field keeps it until the server took the field (invariant 6)")
    func refused() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(Self.note(1), to: "Note/n.json")
            try laptop.write("bytes", to: "Note/a.jpg")
            try await converge(laptop, desk)

            // The server takes deletions, and no field of this record.
            laptop.network.decide { request in
                guard case .bytes(let body) = request.body, FaultyNetwork.operation(of: request) == "records/modify",
                    String(decoding: body, as: UTF8.self).contains("pic")
                else { return .delivered }
                return .answered(TransportResponse(status: 503, body: []))
            }
            _ = laptop.network.takeOperations()
            try laptop.write(Self.note(1, ["pic": "a.jpg"]), to: "Note/n.json")
            try await laptop.sync()
            try await desk.sync()
            #expect(desk.read("Note/a.jpg") == "bytes")
            #expect(try await laptop.report().verdict != .inSync)

            laptop.network.decide { _ in .delivered }
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                #expect(
                    try device.files() == ["Note/n.json": Self.note(1, ["pic": "a.jpg"]), "Note/a.jpg": "bytes"])
                #expect(try await device.report().verdict == .inSync)
            }
            // The zone had the bytes all the time (design §3).
            #expect(!laptop.network.takeOperations().contains("upload"))
            try laptop.close()
            try desk.close()
        }
    }

    @Test(
        "A file taken out of a record stays, though who attached it hears first that it was sent anew (invariant 6)"
    )
    func takenOutBeforeItsRecordGoes() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("bytes", to: "Note/a.jpg")
            try laptop.write(Self.note(1), to: "Note/n.json")
            try await laptop.sync()
            try await desk.sync()

            let (session, note) = (desk.session, desk.folder.appending("Note/n.json"))
            let refusal = #"""
                {"records": [{"recordName": "Note/a.jpg", "serverErrorCode": "CONFLICT", \#
                "reason": "client oplock error updating record"}]}
                """#
            let isRefused = Mutex(false)
            laptop.network.partDeletion(of: "Note/a.jpg", from: "Note/n") {
                let isFirst = isRefused.withLock { isRefused in
                    defer { isRefused = true }
                    return !isRefused
                }
                guard isFirst else { return .delivered }
                return .answeredAfter(
                    {
                        await session.settle()
                        try EngineDevice.write(Self.note(2), to: note)
                        await session.settle()
                    }, TransportResponse(status: 200, body: Array(refusal.utf8)))
            }
            try laptop.write(Self.note(1, ["pic": "a.jpg"]), to: "Note/n.json")
            await laptop.settle()
            #expect(isRefused.withLock { $0 })
            try await desk.sync()
            try await laptop.sync()
            try await expectInSync(laptop, desk, with: ["Note/a.jpg": "bytes", "Note/n.json": Self.note(2)])
        }
    }

    @Test("What only assets name is told of as not synced, and is once one of them is an asset no more")
    func namedByAssets() async throws {
        try await EngineWorld.run { world in
            let (desk, laptop) = try await world.pair(
                with: ["Note/a.json": Self.note(1), "Note/n.json": Self.note(2, ["pic": "p.jpg"]), "Note/p.jpg": "p"])
            #expect(try await desk.held().isEmpty)
            try desk.write(Self.note(1, ["pic": "n.json"]), to: "Note/a.json")
            try desk.write(Self.note(3, ["pic": "y.json"]), to: "Note/x.json")
            try desk.write(Self.note(4, ["pic": "x.json"]), to: "Note/y.json")
            try await desk.sync()
            let code = "assetOfAsset"
            #expect(try await desk.held() == ["Note/p.jpg": code, "Note/x.json": code, "Note/y.json": code])

            try desk.write(Self.note(1), to: "Note/a.json")
            try desk.write(Self.note(3), to: "Note/x.json")
            try await converge(desk, laptop)
            #expect(try await desk.held().isEmpty)
            try await expectInSync(
                desk, laptop,
                with: [
                    "Note/a.json": Self.note(1), "Note/n.json": Self.note(2, ["pic": "p.jpg"]), "Note/p.jpg": "p",
                    "Note/x.json": Self.note(3), "Note/y.json": Self.note(4, ["pic": "x.json"]),
                ])
        }
    }
}
