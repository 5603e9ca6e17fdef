import CloudKitClient
import CloudKitWire
import FolderControl
import RecordMapping
import RecordPaths
import SyncModel
import Testing

@testable import FolderKnowledge
@testable import SessionCore
@testable import SyncEngine

@Suite("Rules and named files in what Ada shares with Bob, on the product's own server", .timeLimit(.minutes(30)))
struct SharedRulesTests {
    private static let rules = ".zonefolderignore"
    private static let setAside = PathMapping.rulesSetAside.description

    /// Lets both go on until neither has anything left to do, past the pauses before a deletion and before looser rules hold.
    private static func meet(_ devices: EngineDevice...) async throws {
        for _ in 0..<3 {
            for _ in 0..<3 {
                for device in devices { try await device.sync() }
            }
            for device in devices { device.pass(.seconds(40)) }
        }
        for device in devices { try await device.sync() }
    }

    /// Runs a test with a record of Ada's that Bob may change, besides which she has a file.
    private static func run(_ body: @Sendable (SharedWorld, EngineDevice) async throws -> Void) async throws {
        try await SharedWorld.run { world in
            try world.ada.write(#"{"name": "groceries"}"#, to: "List/top.json")
            try world.ada.write("hers", to: "Tango/a.txt")
            try await world.ada.sync()
            try world.accept(try await world.share(.readWrite, root: "List/top"))
            let bob = try world.bob()
            try await meet(world.ada, bob)
            try await body(world, bob)
            try bob.close()
        }
    }

    /// Bob changes a field of a record with a program of his own.
    private static func set(_ field: String, _ value: String, of record: Record, by bob: EngineDevice) async throws {
        var record = record
        record.fields[field] = Field(.string(value))
        let results = try await bob.session.environment.database.modifyRecords(
            [RecordOperation(.forceUpdate, record)], in: bob.session.zoneID)
        guard case .success = results[0] else {
            Issue.record("\(results)")
            return
        }
    }

    @Test("Rules in Bob's folder of a shared record hold there and nowhere else, whether he made or renamed the file")
    func ofARecord() async throws {
        try await Self.run { world, bob in
            try bob.write("*.nothing\nTango/\n", to: Self.rules)
            try bob.write("bob's", to: "own.nothing")
            try bob.write("bob's", to: "new.txt")
            try await Self.meet(world.ada, bob)
            #expect(
                try world.ada.files() == [
                    "List/top.json": #"{"name": "groceries"}"#, "Tango/a.txt": "hers", "new.txt": "bob's",
                ])
            #expect(try await world.ada.report().held.isEmpty)
            let report = try await bob.report()
            #expect(report.verdict == .inSync && report.held.map(\.path) == [Self.rules], "\(report)")
            #expect(report.held.first?.message.contains("on this device alone") == true, "\(report.held)")

            // Neither a file of a record that takes their place, nor one that was them, takes them along.
            try bob.delete(Self.rules)
            try bob.move("new.txt", to: Self.rules)
            try await Self.meet(world.ada, bob)
            #expect(world.ada.read("new.txt") == "bob's" && world.ada.read(Self.rules) == nil)
            try bob.move(Self.rules, to: "back.txt")
            try await Self.meet(world.ada, bob)
            #expect(world.ada.read("back.txt") == "bob's" && world.ada.read("new.txt") == nil)
            #expect(try await bob.report().held.isEmpty)
            for device in [world.ada, bob] { #expect(try await device.report().verdict == .inSync) }

            // Ada's own rules are hers.
            try world.ada.write("*.log\n", to: Self.rules)
            try await Self.meet(world.ada, bob)
            #expect(bob.read(Self.rules) == nil)
        }
    }

    @Test("Rules that another program of Bob's puts below the shared record, or makes of it, are set aside and named")
    func planted() async throws {
        try await Self.run { world, bob in
            try bob.write("Tango/\n", to: "plain.txt")
            try await Self.meet(world.ada, bob)
            try await Self.set("path", Self.rules, of: Record(recordName: "plain.txt", recordType: "File"), by: bob)
            try await Self.meet(world.ada, bob)
            let ada = world.ada
            #expect(ada.read(Self.rules) == nil && ada.read(Self.setAside) == "Tango/\n")
            try ada.write("hers, too", to: "Tango/b.txt")
            try await Self.meet(ada, bob)
            #expect(try await ada.session.record("Tango/b.txt") != nil)
            let report = try await ada.report()
            #expect(report.verdict == .attention, "\(report)")
            #expect(report.held.map(\.code) == ["foreignRules"] && report.held.map(\.path) == [Self.setAside])
            // Bob is told, and has nothing to do.
            #expect(try await bob.report().verdict == .inSync)

            // Her own rules have their place, and what she writes into the other file is no rule, either.
            try ada.write("*.log\n", to: Self.rules)
            try ada.write("Tango/\n*.txt\n", to: Self.setAside)
            try await Self.meet(ada, bob)
            #expect(ada.read(Self.rules) == "*.log\n" && bob.read(Self.rules) == nil)
            #expect(ada.read(Self.setAside) == "Tango/\n*.txt\n")
            try ada.delete(Self.setAside)
            try await Self.meet(ada, bob)
            #expect(try await ada.report().verdict == .inSync)
            #expect(ada.read("Tango/a.txt") == "hers" && ada.read(Self.rules) == "*.log\n")
        }
    }

    @Test("A record that is shared itself holds no rules under the name of them, whoever wrote it last")
    func shared() async throws {
        try await SharedWorld.run { world in
            let ada = world.ada
            try ada.write("Tango/\n", to: "top.txt")
            try ada.write("hers", to: "Tango/a.txt")
            try await ada.sync()
            try world.accept(try await world.share(.readWrite, root: "top.txt"))
            let bob = try world.bob()
            try await Self.meet(ada, bob)
            try await Self.set("path", Self.rules, of: Record(recordName: "top.txt", recordType: "File"), by: bob)
            try await Self.meet(ada, bob)
            try ada.write("Tango/\n*.log\n", to: Self.setAside)
            try await Self.meet(ada, bob)
            #expect(ada.read(Self.setAside) == "Tango/\n*.log\n" && ada.read(Self.rules) == nil)
            #expect(try ada.files().count == 2)
            try bob.close()
        }
    }

    @Test("Rules come with a zone that is shared as a whole, and status says how much somebody else's leave out")
    func ofAZone() async throws {
        try await SharedWorld.run { world in
            let ada = world.ada
            for name in ["Tango/a.txt", "Tango/b.txt", "c.txt"] { try ada.write("hers", to: name) }
            try await ada.sync()
            try world.accept(try await world.share(.readWrite))
            let bob = try world.bob()
            try await Self.meet(ada, bob)
            try bob.write("*.nothing\nTango/\n", to: Self.rules)
            try await Self.meet(ada, bob)
            #expect(ada.read(Self.rules) == "*.nothing\nTango/\n")
            let report = try await ada.report()
            #expect(report.verdict == .inSync && report.held.map(\.path) == [Self.rules], "\(report)")
            let message = report.held.first?.message ?? ""
            #expect(message.contains("somebody else (_") && message.contains("2 files"), "\(message)")
            #expect(try await bob.report().held.isEmpty)

            // Her own word ends the remark.
            try ada.write("*.nothing\nTango/\n*.log\n", to: Self.rules)
            try await Self.meet(ada, bob)
            #expect(try await ada.report().held.isEmpty)
            try bob.close()
        }
    }

    @Test("No record names the rules as a file of its own: what it has under that name comes beside its text")
    func asset() async throws {
        try await Self.run { world, bob in
            let ada = world.ada
            try ada.write("*.log\n", to: Self.rules)
            try bob.write("Tango/\n", to: "x.txt")
            try bob.write(#"{"name": "groceries", "file": {"$asset": "../x.txt"}}"#, to: "List/top.json")
            try await bob.sync()
            let record = try #require(try await bob.session.record("List/top"))
            guard case .string(let hints)? = record.fields[RecordHints.fieldName]?.value else {
                Issue.record("\(record.fields.keys)")
                return
            }
            // Before Ada has any of it.
            #expect(hints.contains("../x.txt"))
            try await Self.set(
                RecordHints.fieldName, hints.replacing("x.txt", with: Self.rules),
                of: Record(recordName: "List/top", recordType: "List"), by: bob)
            try await Self.meet(ada, bob)
            #expect(ada.read(Self.rules) == "*.log\n" && ada.read("List/top.file.txt") == "Tango/\n")
        }
    }

    @Test("A file of Ada's that a shared record names stays hers, and nobody is sent what she writes there")
    func otherFile() async throws {
        try await Self.run { world, bob in
            let ada = world.ada
            try ada.write("secret", to: "secret.txt")
            try await Self.meet(ada, bob)
            try bob.write("bob's", to: "secret.txt")
            try bob.write(#"{"name": "groceries", "file": {"$asset": "../secret.txt"}}"#, to: "List/top.json")
            try await Self.meet(ada, bob)
            try ada.write("secret, too", to: "secret.txt")
            try await Self.meet(ada, bob)
            #expect(
                try ada.files() == [
                    "List/top.json": #"{"name": "groceries", "file": "top.file.txt"}"#, "List/top.file.txt": "bob's",
                    "Tango/a.txt": "hers", "secret.txt": "secret, too",
                ])
            #expect(bob.read("secret.txt") == "bob's" && bob.read("List/top.json")?.contains("../secret.txt") == true)
            for device in [ada, bob] { #expect(try await device.report().verdict == .inSync) }
        }
    }

    @Test("It stays hers on her other devices as well, also where she saved the record last", arguments: [false, true])
    func otherFileElsewhere(isNewDevice: Bool) async throws {
        try await Self.run { world, bob in
            let ada = world.ada
            try ada.write("secret", to: "secret.txt")
            try await Self.meet(ada, bob)
            let known = isNewDevice ? nil : try world.world.device("desk")
            try await known?.sync()
            try bob.write("bob's", to: "secret.txt")
            try bob.write(#"{"name": "groceries", "file": {"$asset": "../secret.txt"}}"#, to: "List/top.json")
            try await Self.meet(ada, bob)
            try ada.write(ada.read("List/top.json")!.replacing("groceries", with: "hers"), to: "List/top.json")
            try await Self.meet(ada, bob)
            let desk = try known ?? world.world.device("desk")
            try await Self.meet(desk)
            try desk.write("secret, too", to: "secret.txt")
            try await Self.meet(ada, desk, bob)
            for device in [ada, desk] {
                #expect(device.read("secret.txt") == "secret, too" && device.read("List/top.file.txt") == "bob's")
                #expect(device.read("List/top.json")?.contains("hers") == true)
            }
            #expect(try !bob.files().values.contains("secret, too"))
            for device in [ada, desk, bob] { #expect(try await device.report().verdict == .inSync) }
            try desk.close()
        }
    }
}

extension FolderSession {
    fileprivate var zoneID: ZoneID { inside.knowledge.zoneID }
    fileprivate func record(_ name: String) throws -> Record? {
        try inside.knowledge.remoteRecord(named: RecordName(name))
    }
}
