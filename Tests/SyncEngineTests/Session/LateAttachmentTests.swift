import CloudKitClient
import FolderControl
import SystemPackage
import Testing

/// Records with files that they name, edited on two devices: the one that syncs last decides where the files go.
@Suite("Attached files, edited on both sides", .timeLimit(.minutes(30)))
struct LateAttachmentTests {
    /// What the desk does and syncs, what the laptop does before it hears of that, and what both hold afterwards.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var start = ["Note/n.json": note(1, "a.jpg"), "Note/a.jpg": "bytes"]
        let first: Edit
        let late: Edit
        let end: [String: String]
        /// The texts of the conflict copies on both devices.
        var copies: [String] = []

        var testDescription: String { name }
    }

    static func note(_ number: Int, _ asset: String? = nil) -> String {
        #"{"n": \#(number)"# + (asset.map { #", "pic": {"$asset": "\#($0)"}"# } ?? "") + "}"
    }

    static func list(_ number: Int, _ assets: String...) -> String {
        #"{"n": \#(number), "pics": ["# + assets.map { #"{"$asset": "\#($0)"}"# }.joined(separator: ", ") + "]}"
    }

    static let rename: Edit = {
        try $0.move("Note/a.jpg", to: "Note/b.jpg")
        try $0.write(note(1, "b.jpg"), to: "Note/n.json")
    }

    static let cases: [Case] = [
        Case(
            name: "renamed here, another field changed there",
            first: { try $0.write(note(2, "a.jpg"), to: "Note/n.json") }, late: rename,
            end: ["Note/n.json": note(2, "b.jpg"), "Note/b.jpg": "bytes"]),
        Case(
            name: "renamed here, other bytes there",
            first: { try $0.write("other bytes", to: "Note/a.jpg") }, late: rename,
            end: ["Note/n.json": note(1, "b.jpg"), "Note/b.jpg": "other bytes"]),
        Case(
            name: "renamed and edited here, other bytes there",
            first: { try $0.write("other bytes", to: "Note/a.jpg") },
            late: {
                try rename($0)
                try $0.write("my bytes", to: "Note/b.jpg")
            },
            end: ["Note/n.json": note(1, "b.jpg"), "Note/b.jpg": "my bytes", "Note/a.jpg": "other bytes"]),
        Case(
            name: "renamed to two names",
            first: {
                try $0.move("Note/a.jpg", to: "Note/c.jpg")
                try $0.write(note(1, "c.jpg"), to: "Note/n.json")
            }, late: rename,
            end: ["Note/n.json": note(1, "c.jpg"), "Note/c.jpg": "bytes"], copies: [note(1, "b.jpg")]),
        Case(
            name: "removed here, another field changed there",
            first: { try $0.write(note(2, "a.jpg"), to: "Note/n.json") },
            late: {
                try $0.write(note(1), to: "Note/n.json")
                try $0.delete("Note/a.jpg")
            },
            end: ["Note/n.json": note(2)]),
        Case(
            name: "removed here, other bytes there",
            first: { try $0.write("other bytes", to: "Note/a.jpg") },
            late: {
                try $0.write(note(1), to: "Note/n.json")
                try $0.delete("Note/a.jpg")
            },
            end: ["Note/n.json": note(1), "Note/a.jpg": "other bytes"]),
        Case(
            name: "a file of its own from now on, another field changed there",
            first: { try $0.write(note(2, "a.jpg"), to: "Note/n.json") },
            late: { try $0.write(note(1), to: "Note/n.json") },
            end: ["Note/n.json": note(2), "Note/a.jpg": "bytes"]),
        Case(
            name: "one of a list removed here, another field changed there",
            start: [
                "Note/n.json": list(1, "a.jpg", "b.jpg", "c.jpg"), "Note/a.jpg": "one", "Note/b.jpg": "two",
                "Note/c.jpg": "three",
            ],
            first: { try $0.write(list(2, "a.jpg", "b.jpg", "c.jpg"), to: "Note/n.json") },
            late: {
                try $0.write(list(1, "b.jpg", "c.jpg"), to: "Note/n.json")
                try $0.delete("Note/a.jpg")
            },
            end: ["Note/n.json": list(2, "b.jpg", "c.jpg"), "Note/b.jpg": "two", "Note/c.jpg": "three"]),
        Case(
            name: "one of a list removed here, other bytes there",
            start: [
                "Note/n.json": list(1, "a.jpg", "b.jpg", "c.jpg"), "Note/a.jpg": "one", "Note/b.jpg": "two",
                "Note/c.jpg": "three",
            ],
            first: { try $0.write("other bytes", to: "Note/a.jpg") },
            late: {
                try $0.write(list(1, "b.jpg", "c.jpg"), to: "Note/n.json")
                try $0.delete("Note/a.jpg")
            },
            end: [
                "Note/n.json": list(1, "b.jpg", "c.jpg"), "Note/a.jpg": "other bytes", "Note/b.jpg": "two",
                "Note/c.jpg": "three",
            ]),
        Case(
            name: "one of a list renamed here, other bytes there",
            start: [
                "Note/n.json": list(1, "a.jpg", "b.jpg"), "Note/a.jpg": "one", "Note/b.jpg": "two",
            ],
            first: { try $0.write("other bytes", to: "Note/a.jpg") },
            late: {
                try $0.move("Note/a.jpg", to: "Note/c.jpg")
                try $0.write(list(1, "b.jpg", "c.jpg"), to: "Note/n.json")
            },
            end: ["Note/n.json": list(1, "b.jpg", "c.jpg"), "Note/b.jpg": "two", "Note/c.jpg": "other bytes"]),
        Case(
            name: "renamed here as there, but for the text",
            first: rename, late: { try $0.move("Note/a.jpg", to: "Note/b.jpg") },
            end: ["Note/n.json": note(1, "b.jpg"), "Note/b.jpg": "bytes"]),
        Case(
            name: "edited here, its folder renamed there",
            start: ["Note/x/n.json": note(1, "a.jpg"), "Note/x/a.jpg": "bytes"],
            first: { try $0.move("Note/x", to: "Note/y") }, late: { try $0.write("my bytes", to: "Note/x/a.jpg") },
            end: ["Note/y/n.json": note(1, "a.jpg"), "Note/y/a.jpg": "my bytes"]),
        Case(
            name: "the text alone moved here, and both there",
            start: ["Note/x/n.json": note(1, "a.jpg"), "Note/x/a.jpg": "bytes"],
            first: { try $0.move("Note/x", to: "Note/y") },
            late: { try $0.move("Note/x/n.json", to: "Note/y/n.json") },
            end: ["Note/y/n.json": note(1, "a.jpg"), "Note/y/a.jpg": "bytes"]),
        Case(
            name: "shared, and one of two texts moved there",
            start: ["Note/m.json": note(1, "a.jpg"), "Note/n.json": note(2, "a.jpg"), "Note/a.jpg": "bytes"],
            first: {
                try $0.move("Note/n.json", to: "Note/y/n.json")
                try $0.write(note(2, "../a.jpg"), to: "Note/y/n.json")
            }, late: { _ in },
            end: ["Note/m.json": note(1, "a.jpg"), "Note/y/n.json": note(2, "../a.jpg"), "Note/a.jpg": "bytes"]),
        Case(
            name: "removed here although it is still named, another field changed there",
            first: { try $0.write(note(2, "a.jpg"), to: "Note/n.json") }, late: { try $0.delete("Note/a.jpg") },
            end: ["Note/n.json": note(2, "a.jpg"), "Note/a.jpg": "bytes"]),
    ]

    @Test("A file that a record names lies where the merged text says, and nowhere besides", arguments: cases)
    func follows(_ example: Case) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for (path, text) in example.start { try laptop.write(text, to: path) }
            try await converge(laptop, desk)
            #expect(try desk.files() == example.start)
            try example.first(desk)
            try await desk.sync()
            try example.late(laptop)
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                #expect(try device.files().filter { !$0.key.contains(".conflict-") } == example.end)
                #expect(try device.folder.appending(".zonefolder/staging").names().isEmpty)
                let report = try await device.report()
                #expect(
                    report.verdict == (try device.conflictCopies().isEmpty ? .inSync : .attention), "\(report.reason)")
            }
            let copies = try [laptop, desk].flatMap { device in
                let files = try device.files()
                return try device.conflictCopies().map { files[$0]! }
            }
            #expect(copies.sorted() == example.copies.sorted())
            try laptop.close()
            try desk.close()
        }
    }
}
