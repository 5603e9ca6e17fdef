import CloudKitClient
import CloudKitWire
import FolderControl
import ProblemSentences
import StateRows
import StateStorage
import SyncModel
import Testing

@testable import FolderObserving
@testable import RemoteZone
@testable import SessionCore
@testable import SyncEngine

@Suite("A zone of Ada's that she shares with Bob, on the product's own server", .timeLimit(.minutes(30)))
struct TwoAccountTests {
    private static func held(_ device: EngineDevice) async throws -> [String: String] {
        let report = try await device.report()
        return Dictionary(report.held.map { ($0.path, $0.code) }, uniquingKeysWith: { $1 })
    }

    @Test("Files arrive, edits go both ways, and nobody gets a file for the share")
    func writable() async throws {
        try await SharedWorld.run { world in
            try world.ada.write(#"{"by": "ada"}"#, to: "Note/a.json")
            try world.ada.write("bytes", to: "file.bin")
            try await world.ada.sync()
            try world.accept(try await world.share(.readWrite))
            let bob = try world.bob()
            try await world.meet(bob)
            #expect(try bob.files() == ["Note/a.json": #"{"by": "ada"}"#, "file.bin": "bytes"])

            try bob.write(#"{"by": "bob"}"#, to: "Note/a.json")
            try bob.write("bob's", to: "new.bin")
            try bob.delete("file.bin")
            try world.ada.write(#"{"by": "ada", "too": 1}"#, to: "Note/b.json")
            try await world.meet(bob)
            let end = [
                "Note/a.json": #"{"by": "bob"}"#, "Note/b.json": #"{"by": "ada", "too": 1}"#, "new.bin": "bob's",
            ]
            for device in [world.ada, bob] {
                #expect(try device.files() == end)
                let report = try await device.report()
                #expect(report.verdict == .inSync && report.records == 3, "\(report)")
            }
            let store = await world.ada.session.environment.store
            let authors = try store.changes(after: 0, limit: .max).filter { $0.path == FolderPath("Note/a.json") }
            guard case .other(let user, _)? = authors.last?.author else {
                Issue.record("\(authors)")
                return
            }
            #expect(try await bob.report().account.userRecordName == user)
            try bob.close()
        }
    }

    @Test("Read-only, then read and write, then read-only: what is held flows as soon as Ada lets it")
    func permission() async throws {
        try await SharedWorld.run { world in
            try world.ada.write("1", to: "a.txt")
            try world.ada.write("1", to: "both.txt")
            try await world.ada.sync()
            try world.accept(try await world.share(.readOnly))
            let bob = try world.bob()
            try await world.meet(bob)
            try bob.write("bob's", to: "a.txt")
            try bob.write("bob's", to: "both.txt")
            try bob.write("new", to: "new.txt")
            try world.ada.write("ada's", to: "both.txt")
            _ = bob.network.takeOperations()
            try await world.meet(bob)
            #expect(try await Self.held(bob) == ["a.txt": "permissionDenied", "new.txt": "permissionDenied"])
            // The plan has them, and says that they are not done.
            let steps = await bob.session.knownPlan().steps.filter { $0.held == "permissionDenied" }
            #expect(steps.map(\.path).sorted() == ["a.txt", "new.txt"], "\(steps)")
            let copies = try bob.conflictCopies()
            #expect(copies.count == 1 && bob.read(copies[0]) == "bob's" && bob.read("both.txt") == "ada's")
            let asked = Set(bob.network.takeOperations())
            #expect(asked.isDisjoint(with: ["records/modify", "assets/upload", "upload"]), "\(asked)")
            #expect(try world.ada.files() == ["a.txt": "1", "both.txt": "ada's"])

            try await world.change(to: .readWrite)
            try await world.meet(bob)
            #expect(try await Self.held(bob).isEmpty)
            #expect(try world.ada.files() == ["a.txt": "bob's", "both.txt": "ada's", "new.txt": "new"])

            try await world.change(to: .readOnly)
            try await world.meet(bob)
            try bob.delete("new.txt")
            try await world.meet(bob)
            #expect(try await Self.held(bob) == ["new.txt": "permissionDenied"])
            #expect(world.ada.read("new.txt") == "new")
            try bob.close()
        }
    }

    @Test("An edit that goes out while Ada takes the right away is refused, and held with the reason")
    func takenAway() async throws {
        try await SharedWorld.run { world in
            try world.ada.write(#"{"n": 1}"#, to: "Note/a.json")
            try await world.ada.sync()
            try world.accept(try await world.share(.readWrite))
            let bob = try world.bob()
            try await world.meet(bob)
            try await world.change(to: .readOnly)
            // Bob's device acts before it is told.
            try bob.write(#"{"n": 2}"#, to: "Note/a.json")
            try await bob.session.observeAndAct()
            #expect(try await Self.held(bob) == ["Note/a.json": "permissionDenied"])
            #expect(try await bob.report().held[0].message.contains("is shared with you, but not for this change"))
            #expect(await bob.session.isAccountUsable)
            try await world.change(to: .readWrite)
            try await world.meet(bob)
            #expect(world.ada.read("Note/a.json") == #"{"n": 2}"#)
            try bob.close()
        }
    }

    /// Bob's device, with all that Ada has, once she shares it no more.
    private static func noLongerShared(in world: SharedWorld) async throws -> EngineDevice {
        try await world.ada.sync()
        try world.accept(try await world.share(.readWrite))
        let bob = try world.bob()
        try await world.meet(bob)
        try await world.unshare()
        try await world.meet(bob)
        return bob
    }

    @Test("No longer shared while Bob's device runs: his files stay and go nowhere; he accepts again, and it goes on")
    func unshared() async throws {
        try await SharedWorld.run { world in
            try world.ada.write("1", to: "a.txt")
            try await world.ada.sync()
            try world.accept(try await world.share(.readWrite))
            let bob = try world.bob()
            try await world.meet(bob)
            try await world.unshare()
            try bob.write("bob's", to: "mine.txt")
            try await world.meet(bob)
            let report = try await bob.report()
            #expect(report.verdict == .attention && report.held.map(\.code) == ["zoneVanished"], "\(report.held)")
            #expect(report.held[0].message.contains("not shared"))
            #expect(report.held[0].remedy.contains("zonefolder accept") && !report.asksForNewZone)
            #expect(try bob.files() == ["a.txt": "1", "mine.txt": "bob's"])
            #expect(try world.ada.files() == ["a.txt": "1"])

            try world.ada.write("2", to: "a.txt")
            try await world.ada.sync()
            try world.accept(try await world.share(.readWrite))
            bob.pass(.seconds(120))
            try await world.meet(bob)
            for device in [world.ada, bob] {
                #expect(try device.files() == ["a.txt": "2", "mine.txt": "bob's"])
                #expect(try await device.report().verdict == .inSync)
            }
            try bob.close()
        }
    }

    @Test("Shared anew in part: what Bob sees no more stays until he answers, as nothing tells it from deleted files")
    func sharedInPart() async throws {
        try await SharedWorld.run { world in
            for name in ["a.txt", "b.txt", "c.txt", "plan.txt"] { try world.ada.write(name, to: name) }
            let bob = try await Self.noLongerShared(in: world)
            let all = try bob.files()
            #expect(all.count == 4)
            try world.accept(try await world.share(.readWrite, root: "plan.txt"))
            bob.pass(.seconds(120))
            try await world.meet(bob)
            #expect(try bob.files() == all)
            let approval = try await bob.report().approval
            #expect(approval?.deletions == 3 && approval?.side == "folder", "\(String(describing: approval))")
            #expect(try world.ada.files() == all)
            try bob.close()
        }
    }

    @Test("That a zone is not shared any more is told before a conflict that is open")
    func unsharedInConflict() async throws {
        try await SharedWorld.run { world in
            try world.ada.write("1", to: "a.txt")
            try await world.ada.sync()
            try world.accept(try await world.share(.readWrite))
            let bob = try world.bob()
            try await world.meet(bob)
            try bob.write("bob's", to: "a.txt")
            try world.ada.write("ada's", to: "a.txt")
            try await world.ada.sync()
            try await world.meet(bob)
            #expect(try bob.conflictCopies().count == 1)
            #expect(try await bob.report().reason == "A conflict waits for you.")
            try await world.unshare()
            try await world.meet(bob)
            let report = try await bob.report()
            #expect(report.verdict == .attention && report.conflicts.count == 1)
            #expect(report.reason.contains("is not shared with this account any more"), "\(report.reason)")
            #expect(report.narrowed(to: "b.txt", steps: []).reason == report.reason)
            try bob.close()
        }
    }

    @Test("Of what somebody else shares, no sentence asks for an approval: it is its owner's matter")
    func ownersMatter() {
        let zone = ZoneID(zoneName: "Notes", ownerRecordName: "_ada")
        for problem in [Problem.notShared(zone), .sharedZoneEmptied(zone)] {
            #expect(problem.code == .zoneVanished && !problem.remedy.contains("approve"))
        }
    }

    @Test(
        "While nothing is shared Bob saves, adds and deletes; shared again, nothing collides that one side changed alone",
        arguments: [false, true])
    func workMeanwhile(isRestarted: Bool) async throws {
        try await SharedWorld.run { world in
            let names = ["rest.txt", "bobs.txt", "adas.txt", "both.txt", "dropped.txt", "ended.txt"]
            for name in names { try world.ada.write("1", to: name) }
            try world.ada.write(#"{"n": 1, "m": 1}"#, to: "Note/n.json")
            let bob = try await Self.noLongerShared(in: world)
            #expect(try await bob.report().held.map(\.code) == ["zoneVanished"])

            for name in ["bobs.txt", "both.txt"] { try bob.write("bob's", to: name) }
            try bob.write("new", to: "new.txt")
            try bob.delete("dropped.txt")
            try bob.write(#"{"n": 1, "m": 2}"#, to: "Note/n.json")
            await bob.settle()
            if isRestarted { try bob.restart() }
            for name in ["adas.txt", "both.txt"] { try world.ada.write("ada's", to: name) }
            try world.ada.delete("ended.txt")
            try world.ada.write(#"{"n": 2, "m": 1}"#, to: "Note/n.json")
            try await world.meet(bob)

            try world.accept(try await world.share(.readWrite))
            bob.pass(.seconds(120))
            _ = bob.network.takeOperations()
            try await world.meet(bob)
            let copies = try bob.conflictCopies()
            #expect(copies.count == 1 && bob.read(copies[0]) == "bob's")
            let expected = [
                "rest.txt": "1", "bobs.txt": "bob's", "adas.txt": "ada's", "both.txt": "ada's", "new.txt": "new",
                "Note/n.json": #"{"n": 2, "m": 2}"#,
            ]
            #expect(try bob.files().filter { $0.key != copies.first } == expected)
            #expect(try world.ada.files() == expected)
            #expect(try await bob.report().held.isEmpty)
            // What nobody changed is not even looked into: Ada's two changes, and what Bob deleted, for his history.
            #expect(bob.network.takeOperations().count { $0 == "download" } == 3)
            try bob.close()
        }
    }

    @Test(
        "Bob leaves: his folder says so, keeps his files and sends nothing; he takes part again and goes on from there")
    func left() async throws {
        try await SharedWorld.run { world in
            try world.ada.write("1", to: "a.txt")
            try await world.ada.sync()
            let guid = try await world.share(.readWrite)
            try world.accept(guid)
            let bob = try world.bob()
            try await world.meet(bob)

            let share = RecordOperation(
                .forceDelete,
                Record(recordName: RecordSharing.zoneWideShareName, recordType: RecordSharing.recordType))
            let zone = ZoneID(zoneName: "Notes", ownerRecordName: try world.world.userRecordName())
            _ = try await bob.session.environment.database.modifyRecords([share], in: zone)
            await bob.session.noteLeft()
            try bob.write("bob's", to: "b.txt")
            try await world.meet(bob)
            for isRestarted in [false, true] {
                if isRestarted {
                    try bob.restart()
                    try await bob.sync()
                }
                let report = try await bob.report()
                #expect(report.verdict == .attention && report.held.map(\.code) == ["zoneLeft"], "\(report.held)")
                #expect(report.held[0].remedy.contains("zonefolder accept"))
            }
            #expect(try bob.files() == ["a.txt": "1", "b.txt": "bob's"])
            #expect(try world.ada.files() == ["a.txt": "1"])

            try world.accept(guid)
            bob.pass(.seconds(120))
            try await world.meet(bob)
            for device in [world.ada, bob] {
                #expect(try device.files() == ["a.txt": "1", "b.txt": "bob's"])
                #expect(try await device.report().verdict == .inSync)
            }
            try bob.close()
        }
    }

    @Test("One process can have folders of one's own and of others; each database has its feed")
    func mixed() async throws {
        try await SharedWorld.run { world in
            try world.ada.write("ada's", to: "a.txt")
            try await world.ada.sync()
            try world.accept(try await world.share(.readWrite))
            let feeds = DatabaseFeeds()
            let shared = try world.bob(feeds: feeds)
            // A zone of the same name, of his own.
            let own = try world.world.device("own", of: "bob", feeds: feeds)
            try own.write("bob's", to: "b.txt")
            for _ in 0..<3 {
                try await shared.sync()
                try await own.sync()
            }
            #expect(try shared.files() == ["a.txt": "ada's"])
            #expect(try own.files() == ["b.txt": "bob's"])
            let (left, right) = (await shared.session.feed, await own.session.feed)
            #expect(left != nil && left !== right)
            for device in [shared, own] { #expect(try await device.report().verdict == .inSync) }
            try shared.close()
            try own.close()
        }
    }

    @Test("A folder that is set up before anything is shared waits, makes no zone, and begins by itself")
    func early() async throws {
        try await SharedWorld.run { world in
            let bob = try world.bob()
            try bob.write("bob's", to: "b.txt")
            try await bob.sync()
            #expect(try await bob.report().held.map(\.code) == ["zoneVanished"])
            #expect(!bob.network.takeOperations().contains("zones/modify"))
            try world.ada.write("ada's", to: "a.txt")
            try await world.ada.sync()
            try world.accept(try await world.share(.readWrite))
            bob.pass(.seconds(120))
            try await world.meet(bob)
            #expect(try world.ada.files() == ["a.txt": "ada's", "b.txt": "bob's"])
            #expect(try await bob.report().verdict == .inSync)
            try bob.close()
        }
    }
}

extension FolderSession {
    /// Looks at the folder and acts, without a look at the zone.
    fileprivate func observeAndAct() async throws {
        looks.oweAll()
        try await observe()
        try await act()
    }
}
