import Foundation
import Testing

@Suite("What cannot be synced as it is", .timeLimit(.minutes(30)))
struct HeldTests {
    /// A file that cannot be synced, and how it is mended.
    struct Trouble: Sendable, CustomTestStringConvertible {
        var code: String
        var path: String
        /// What the zone has of it before.
        var known: String?
        var text: String
        var mended: String
        /// What its message names besides the path.
        var named: String
        var line: Int?

        var testDescription: String { code }

        static let all = [
            Trouble(
                code: "brokenJSON", path: "Note/broken.json", known: "{\n  \"a\": 0\n}\n",
                text: "{\n  \"a\": 1,\n  oops\n}\n",
                mended: "{\n  \"a\": 1\n}\n", named: "line 3", line: 3),
            Trouble(
                code: "wrongType", path: "Note/typed.json", known: "{\n  \"a\": 0\n}\n",
                text: "{\n  \"other\": 1,\n  \"a\": \"a text\"\n}\n",
                mended: "{\n  \"other\": 1,\n  \"a\": 7\n}\n", named: "line 3", line: 3),
            Trouble(
                code: "tooLarge", path: "large.bin", text: String(repeating: "x", count: HeldWorld.assetLimit + 1),
                mended: String(repeating: "y", count: HeldWorld.assetLimit), named: "limit is \(HeldWorld.assetLimit)"),
        ]
    }

    @Test(
        "It is named with its line or limit and a remedy, holds nothing up, and follows when mended (design §5.7)",
        arguments: Trouble.all)
    func mended(_ trouble: Trouble) async throws {
        let world = try await HeldWorld()
        try await world.share(#"{"a": 1}"#, as: "Note/first.json")
        if let known = trouble.known { try await world.share(known, as: trouble.path) }
        try world.laptop.write(trouble.text, to: trouble.path)
        let held = try await world.held(trouble.path)
        #expect(held.code == trouble.code)
        #expect(held.message.contains(trouble.path) && held.message.contains(trouble.named), "\(held.message)")
        #expect(held.line == trouble.line)
        #expect(!held.remedy.isEmpty)
        let text = try await RealProgram.run("status", world.laptop.path)
        #expect(text.status == 4 && text.output.hasPrefix("attention: \(trouble.path)"), "\(text.output)")

        try await world.share(#"{"a": 2}"#, as: "Note/later.json")
        #expect(world.desk.read(trouble.path) == trouble.known)
        #expect(world.laptop.read(trouble.path) == trouble.text)

        try world.laptop.write(trouble.mended, to: trouble.path)
        try await world.untilDeskHas(trouble.path, trouble.mended)
        try await world.untilInSync(world.laptop)
    }

    @Test("A file without permission is named, holds nothing up, and follows when it may be read")
    func unreadable() async throws {
        let world = try await HeldWorld()
        try await world.share("first\n", as: "known.txt")
        try world.laptop.write("secret\n", to: "new.part")
        try world.allow(0o000, on: "new.part")
        // Without a right from its beginning on: a rename is all that shows.
        try world.rename("new.part", to: "new.txt")
        try world.allow(0o000, on: "known.txt")
        for name in ["new.txt", "known.txt"] {
            let held = try await world.held(name)
            #expect(held.code == "unreadable")
            #expect(held.message.contains("\(name) cannot be read: Permission denied"), "\(held.message)")
            #expect(!held.remedy.isEmpty)
        }
        try await world.share("goes on\n", as: "other.txt")
        // The zone's version waits for the file that cannot be read, and deletes nothing there.
        try world.desk.write("from the desk\n", to: "known.txt")
        try await world.untilDegraded(world.laptop)
        #expect(world.desk.read("known.txt") == "from the desk\n")
        for name in ["new.txt", "known.txt"] { try world.allow(0o644, on: name) }
        try await world.untilDeskHas("new.txt", "secret\n")
        #expect(try await eventually { world.laptop.read("known.txt") == "from the desk\n" })
        try await world.untilInSync(world.laptop)
    }

    @Test("A directory without permission deletes nothing, and its files go on once it may be listed")
    func unreadableDirectory() async throws {
        let world = try await HeldWorld()
        try await world.share("one\n", as: "dir/one.txt")
        try world.allow(0o000, on: "dir")
        #expect(try await world.held("dir").code == "unreadable")
        try await world.untilDegraded(world.laptop)
        try world.desk.write("two\n", to: "dir/two.txt")
        #expect(try await RealProgram.run("status", world.laptop.path, "--wait=20").status != 0)
        #expect(world.desk.read("dir/one.txt") == "one\n")
        try world.allow(0o755, on: "dir")
        #expect(try await eventually { world.laptop.read("dir/two.txt") == "two\n" })
        try await world.untilInSync(world.laptop)
        #expect(try world.laptop.files() == world.desk.files())
    }

    @Test("A directory that cannot be written to keeps only its own files back, and takes them when it can")
    func unwritableDirectory() async throws {
        let world = try await HeldWorld()
        try await world.share("one\n", as: "dir/one.txt")
        try world.allow(0o555, on: "dir")
        try world.desk.write("two\n", to: "dir/two.txt")
        let held = try await world.held("dir/two.txt")
        #expect(held.message.contains("Permission denied") && !held.remedy.isEmpty)
        try world.desk.write("elsewhere\n", to: "else.txt")
        #expect(try await eventually { world.laptop.read("else.txt") == "elsewhere\n" })
        try world.allow(0o755, on: "dir")
        #expect(try await eventually { world.laptop.read("dir/two.txt") == "two\n" })
        try await world.untilInSync(world.laptop)
    }

    @Test("What was held and is deleted is forgotten; of what the zone had, the deletion goes through")
    func deleted() async throws {
        let world = try await HeldWorld()
        try await world.share(#"{"a": 1}"#, as: "Note/known.json")
        try world.laptop.write("{", to: "Note/known.json")
        try world.laptop.write(#"{"pic": {"$asset": "none.png"}}"#, to: "Note/new.json")
        _ = try await world.held("Note/known.json")
        _ = try await world.held("Note/new.json")
        try world.laptop.delete("Note/known.json")
        try world.laptop.delete("Note/new.json")
        #expect(try await eventually { world.desk.read("Note/known.json") == nil })
        try await world.untilInSync(world.laptop)
        #expect(try world.desk.files().isEmpty)
    }

    @Test("A file that is renamed while it is held keeps its record (S3.20)", arguments: [true, false])
    func renamed(isUnreadable: Bool) async throws {
        let world = try await HeldWorld()
        let text = "{\n  \"a\": 1\n}\n"
        try await world.share(text, as: "Note/old.json")
        try await world.share(#"{"a": 2}"#, as: "Note/other.json")
        let stranger = try await ForeignClient(world.world)
        if isUnreadable {
            try world.allow(0o000, on: "Note/old.json")
        } else {
            try world.laptop.write("{\n  \"a\": 1,,\n}\n", to: "Note/old.json")
        }
        _ = try await world.held("Note/old.json")
        try world.rename("Note/old.json", to: "Note/new.json")
        // Something deleted afterwards shows that a deletion would have gone through by then.
        try world.laptop.delete("Note/other.json")
        #expect(try await eventually { world.desk.read("Note/other.json") == nil })
        _ = try await world.held("Note/new.json")
        #expect(world.desk.read("Note/old.json") == text)
        if isUnreadable {
            try world.allow(0o644, on: "Note/new.json")
        } else {
            try world.laptop.write(text, to: "Note/new.json")
        }
        try await world.untilDeskHas("Note/new.json", text)
        #expect(try await eventually { world.desk.read("Note/old.json") == nil })
        #expect(try await stranger.changeTag(of: "Note/old") != nil)
        #expect(try await stranger.changeTag(of: "Note/new") == nil)
        try await world.untilInSync(world.laptop)
    }

    @Test("Held on both devices: each says so, nothing is lost, and mending both settles it")
    func heldOnBoth() async throws {
        let world = try await HeldWorld()
        try await world.share(#"{"a": 1, "b": 1}"#, as: "Note/one.json")
        for folder in [world.laptop, world.desk] { try folder.write(#"{"a": 1, "b": 1"#, to: "Note/one.json") }
        for folder in [world.laptop, world.desk] {
            var held: [String] = []
            for _ in 0..<500 where held.isEmpty { held = try await folder.report().held.map(\.path) }
            #expect(held == ["Note/one.json"])
        }
        try world.laptop.write(#"{"a": 2, "b": 1}"#, to: "Note/one.json")
        try await world.untilInSync(world.laptop)
        #expect(world.desk.read("Note/one.json") == #"{"a": 1, "b": 1"#)
        try world.desk.write(#"{"a": 1, "b": 2}"#, to: "Note/one.json")
        let merged = #"{"a": 2, "b": 2}"#
        #expect(try await eventually { world.laptop.read("Note/one.json") == merged })
        #expect(try await eventually { world.desk.read("Note/one.json") == merged })
        try await world.untilInSync(world.desk)
        #expect(try world.laptop.copies().isEmpty && world.desk.copies().isEmpty)
    }

    @Test("A reference to a record that is not there goes through when the record's file comes")
    func missingTarget() async throws {
        let world = try await HeldWorld()
        let text = #"{"to": {"$ref": "Note/target.json"}}"#
        try world.laptop.write(text, to: "Note/source.json")
        let held = try await world.held("Note/source.json")
        #expect(held.message.contains("Note/target.json") && held.line == 1)
        try await world.share(#"{"a": 1}"#, as: "Note/target.json")
        #expect(try await eventually { world.desk.read("Note/source.json") != nil })
        try await world.untilInSync(world.laptop)
    }
}
