import FolderControl
import FolderSettings
import Foundation
import StateStorage
import SyncModel
import Synchronization
import SystemPackage
import Testing

/// Which side wins, and where the other one is (design §6, Conflicts; row S1.15).
@Suite("Policies of conflicts", .timeLimit(.minutes(30)))
struct ConflictPolicyTests {
    /// What two devices do to one note, and who syncs first.
    struct Case: Sendable, CustomTestStringConvertible {
        var policy: MergePolicies.Policy
        /// Under `newest`: whether the device that syncs last saved last.
        var isLastNewest = false
        var lastIsDesk: Bool

        var testDescription: String {
            "\(policy.rawValue)\(isLastNewest ? ", saved last" : ""), \(lastIsDesk ? "the desk" : "the laptop") syncs last"
        }

        /// Whether the device wins that syncs last, and so sees both versions.
        var isLocal: Bool { policy == .local || policy == .newest && isLastNewest }

        static let all = [false, true].flatMap { lastIsDesk in
            [
                Case(policy: .remote, lastIsDesk: lastIsDesk), Case(policy: .local, lastIsDesk: lastIsDesk),
                Case(policy: .newest, lastIsDesk: lastIsDesk),
                Case(policy: .newest, isLastNewest: true, lastIsDesk: lastIsDesk),
            ]
        }
    }

    private static func devices(_ world: EngineWorld, _ policy: MergePolicies) throws -> (EngineDevice, EngineDevice) {
        (try world.device("laptop") { $0.merge = policy }, try world.device("desk") { $0.merge = policy })
    }

    /// What both devices have in the end, and the copies that one of them has beside it.
    struct End: Sendable {
        var files: [String: String] = [:]
        var copies: [String] = []
        var names: [String] = []
    }

    /// Lets two devices that agree do something, and sync one after the other.
    private func run(
        _ example: Case, start: [String: String], laptop laptopsEdit: @escaping Edit, desk desksEdit: @escaping Edit
    ) async throws -> End {
        let end = Mutex(End())
        try await EngineWorld.run { world in
            let (laptop, desk) = try Self.devices(world, MergePolicies(standard: example.policy))
            for (path, text) in start { try laptop.write(text, to: path) }
            try await converge(laptop, desk)
            try laptopsEdit(laptop)
            try desksEdit(desk)
            let (first, last) = example.lastIsDesk ? (laptop, desk) : (desk, laptop)
            try await first.sync()
            let age = example.isLastNewest ? 3600.0 : -3600
            for path in try last.files().keys {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: age)],
                    ofItemAtPath: last.folder.appending(path).string)
            }
            try await last.sync()
            try await converge(laptop, desk)

            let all = try [laptop, desk].map { try $0.files() }
            let shared = all.map { $0.filter { !$0.key.contains(".conflict-") } }
            #expect(shared[0] == shared[1])
            // Only the one that saw both versions has a copy.
            #expect(try first.conflictCopies().isEmpty)
            let names = try last.conflictCopies()
            #expect(try await last.report().conflicts.map(\.copy).sorted() == names)
            let copies = names.map { last.read($0) ?? "" }
            end.withLock { $0 = End(files: shared[0], copies: copies, names: names) }
            // At rest: nothing more is made or sent.
            _ = last.takeChanges()
            last.pass(.seconds(3700))
            try await converge(last, first)
            #expect(last.takeChanges().isEmpty)
            #expect(try last.conflictCopies() == names)
            try laptop.close()
            try desk.close()
        }
        return end.withLock(\.self)
    }

    private static func note(_ t: String?, _ n: Int = 1) -> String {
        (t.map { "{\"t\": \"\($0)\", " } ?? "{") + "\"n\": \(n)}"
    }

    @Test("The value that lost is in one copy, whichever side it was", arguments: Case.all)
    func edited(_ example: Case) async throws {
        let (laptops, desks) = (Self.note("laptop"), Self.note("desk"))
        let end = try await run(
            example, start: ["Note/a.json": Self.note("0")], laptop: { try $0.write(laptops, to: "Note/a.json") },
            desk: { try $0.write(desks, to: "Note/a.json") })
        let (mine, theirs) = example.lastIsDesk ? (desks, laptops) : (laptops, desks)
        #expect(end.files == ["Note/a.json": example.isLocal ? mine : theirs])
        #expect(end.copies == [example.isLocal ? theirs : mine])
        let whose = example.isLocal ? "zone" : example.lastIsDesk ? "desk" : "laptop"
        #expect(end.names.allSatisfy { $0.hasSuffix("-\(whose).json") }, "\(end.names)")
    }

    @Test("The version that wins has its author's layout, where nothing was agreed on", arguments: [false, true])
    func layout(lastIsDesk: Bool) async throws {
        // As every file that nobody laid out, and as one whose last byte was lost.
        let (laptops, desks) = ("{\n  \"t\": \"laptop\"\n}\n", "{\n  \"t\": \"desk\"\n}")
        let end = try await run(
            Case(policy: .remote, lastIsDesk: lastIsDesk), start: [:],
            laptop: { try $0.write(laptops, to: "Note/a.json") }, desk: { try $0.write(desks, to: "Note/a.json") })
        #expect(end.files == ["Note/a.json": lastIsDesk ? laptops : desks])
        #expect(end.copies == [lastIsDesk ? desks : laptops])
    }

    @Test(
        "A field removed by one and edited by the other one is edited, and the removal is in one copy",
        arguments: Case.all)
    func removed(_ example: Case) async throws {
        let end = try await run(
            example, start: ["Note/a.json": Self.note("0")],
            laptop: { try $0.write(Self.note(nil), to: "Note/a.json") },
            desk: { try $0.write(Self.note("edited"), to: "Note/a.json") })
        #expect(end.files.keys.sorted() == ["Note/a.json"])
        let text = try #require(end.files["Note/a.json"])
        #expect(text.contains(#""t": "edited""#) && text.contains(#""n": 1"#), "\(text)")
        #expect(end.copies == [Self.note(nil)])
    }

    private static func note(pic: String?) -> String {
        pic.map { #"{"n": 1, "pic": {"$asset": "\#($0)"}}"# } ?? #"{"n": 1}"#
    }

    @Test("Of an attached file that both wrote to, both versions are kept", arguments: Case.all)
    func attached(_ example: Case) async throws {
        let end = try await run(
            example, start: ["Note/a.json": Self.note(pic: "a.jpg"), "Note/a.jpg": "0"],
            laptop: { try $0.write("laptop", to: "Note/a.jpg") }, desk: { try $0.write("desk", to: "Note/a.jpg") })
        #expect(end.files.count == 2)
        #expect(Set(end.copies + [end.files["Note/a.jpg"] ?? ""]) == ["laptop", "desk"])
        #expect(end.copies.count == 1)
    }

    @Test("Of an attached file that both put elsewhere, both versions are kept", arguments: Case.all)
    func attachedElsewhere(_ example: Case) async throws {
        let end = try await run(
            example, start: ["Note/a.json": Self.note(pic: "a.jpg"), "Note/a.jpg": "0"],
            laptop: {
                try $0.move("Note/a.jpg", to: "Note/x.jpg")
                try $0.write("laptop", to: "Note/x.jpg")
                try $0.write(Self.note(pic: "x.jpg"), to: "Note/a.json")
            },
            desk: {
                try $0.move("Note/a.jpg", to: "Note/y.jpg")
                try $0.write("desk", to: "Note/y.jpg")
                try $0.write(Self.note(pic: "y.jpg"), to: "Note/a.json")
            })
        #expect(end.files["Note/x.jpg"] == "laptop" && end.files["Note/y.jpg"] == "desk", "\(end)")
        let named = example.isLocal == example.lastIsDesk ? "y.jpg" : "x.jpg"
        #expect(end.files["Note/a.json"] == Self.note(pic: named))
        #expect(end.copies == [Self.note(pic: named == "x.jpg" ? "y.jpg" : "x.jpg")])
    }

    @Test(
        "An attached file taken out by one and written to by the other one stays with what was written",
        arguments: Case.all)
    func takenOut(_ example: Case) async throws {
        let end = try await run(
            example, start: ["Note/a.json": Self.note(pic: "a.jpg"), "Note/a.jpg": "0"],
            laptop: {
                try $0.write(Self.note(pic: nil), to: "Note/a.json")
                try $0.delete("Note/a.jpg")
            }, desk: { try $0.write("edited", to: "Note/a.jpg") })
        #expect(end.files == ["Note/a.json": Self.note(pic: nil), "Note/a.jpg": "edited"])
        #expect(end.copies.isEmpty)
    }

    @Test("Where each side loses a field, each version is in a copy of its own, with its fields")
    func mixed() async throws {
        try await EngineWorld.run { world in
            var policies = MergePolicies()
            policies.fields["Note"] = ["n": .local]
            let (laptop, desk) = try Self.devices(world, policies)
            try laptop.write(Self.note("0", 0), to: "Note/a.json")
            try await converge(laptop, desk)
            try laptop.write(Self.note("laptop", 1), to: "Note/a.json")
            try desk.write(Self.note("desk", 2), to: "Note/a.json")
            try await converge(laptop, desk)
            for device in [laptop, desk] { #expect(device.read("Note/a.json") == Self.note("laptop", 2)) }
            let conflicts = try await desk.report().conflicts
            let kept = conflicts.map { [$0.holdsZoneVersion ? "zone" : "desk", desk.read($0.copy) ?? ""] + $0.fields }
            #expect(Set(kept) == [["zone", Self.note("laptop", 1), "n"], ["desk", Self.note("desk", 2), "t"]])
            try laptop.close()
            try desk.close()
        }
    }
}
