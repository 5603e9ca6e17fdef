import CloudKitClient
import CloudKitWire
import FolderControl
import SyncModel
import Synchronization
import Testing

@testable import FolderObserving
@testable import SessionCore
@testable import SyncEngine

/// A zone that was deleted, made anew and filled again by another device: its records have the names of the old ones, and
/// what it lacks was never deleted (invariants 1 and 6).
@Suite("A refilled zone", .timeLimit(.minutes(30)))
struct RefilledZoneTests {
    @Test(
        "A device that was away loses no file, whatever the new zone lacks or has older, and asks nobody: it is a first sync",
        arguments: [false, true])
    func away(isRestarted: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<5 { try laptop.write("text \(number)", to: "\(number).txt") }
            try await converge(laptop, desk)
            try laptop.write("late", to: "late.txt")
            try laptop.write("newer", to: "3.txt")
            try await laptop.sync()
            let files = try laptop.files()

            let database = await desk.session.environment.database
            let zone = ZoneID(zoneName: "Notes")
            _ = try await database.modifyZones([ZoneOperation(.delete, zone)])
            _ = try await database.modifyZones([ZoneOperation(.create, zone)])
            try await desk.sync()
            #expect(await desk.session.approved("zone"))
            try await desk.sync()
            #expect(try await desk.report().verdict == .inSync)

            if isRestarted {
                // The process ends in the middle of the listing.
                let requests = Mutex(0)
                laptop.network.decide { request in
                    guard FaultyNetwork.operation(of: request) == "changes/zone" else { return .delivered }
                    let count = requests.withLock { requests in
                        requests += 1
                        return requests
                    }
                    return count > 1 ? .answerLost : .delivered
                }
                await laptop.session.settle()
                #expect(requests.withLock { $0 } > 1)
                try laptop.restart()
                laptop.network.decide { _ in .delivered }
            }
            try await laptop.sync()
            // Who is right about the third file, only a person knows.
            #expect(try Set(files.values).isSubset(of: laptop.files().values))
            #expect(try laptop.conflictCopies().count == 1)
            #expect(try await laptop.report().held.isEmpty)
            try await converge(laptop, desk)
            #expect(desk.read("late.txt") == "late")
            #expect(try Set(files.values).isSubset(of: laptop.files().values))
            #expect(try laptop.conflictCopies().count == 1)
            try laptop.close()
            try desk.close()
        }
    }

    @Test("A record that a save put into the new zone before anybody knew of it does not prove that it is the old one")
    func savedIntoTheNewOne() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<3 { try laptop.write("text \(number)", to: "\(number).txt") }
            try await converge(laptop, desk)
            let database = await desk.session.environment.database
            let zone = ZoneID(zoneName: "Notes")
            _ = try await database.modifyZones([ZoneOperation(.delete, zone)])
            _ = try await database.modifyZones([ZoneOperation(.create, zone)])

            // The laptop asks for nothing before it sends.
            try laptop.write("new", to: "new.txt")
            await laptop.session.sendOnly()
            try await laptop.sync()
            #expect(try laptop.files().count == 4)
            // To the desk the zone is filled by that; so it is to the laptop.
            #expect(try await laptop.report().held.isEmpty)
            try await converge(laptop, desk)
            #expect(try laptop.files().count == 4)
            #expect(try desk.files() == laptop.files())
            try laptop.close()
            try desk.close()
        }
    }

    /// Ends the zone while both devices are in sync with it, and lets them make it anew: empty, and held by both.
    private static func withHeldZone(
        _ files: [String: String], _ body: @Sendable (_ laptop: EngineDevice, _ desk: EngineDevice) async throws -> Void
    ) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for (name, text) in files { try laptop.write(text, to: name) }
            try await converge(laptop, desk)
            let database = await desk.session.environment.database
            _ = try await database.modifyZones([ZoneOperation(.delete, ZoneID(zoneName: "Notes"))])
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                #expect(try await device.report().held.map(\.code) == ["zoneVanished"])
                #expect(try await device.report().records == 0)
                #expect(try device.files() == files)
            }
            try await body(laptop, desk)
            try laptop.close()
            try desk.close()
        }
    }

    @Test(
        "What another device fills again ends the hold: equal files are recognised, edits collide, what is here only goes up",
        arguments: [false, true])
    func filled(isRestarted: Bool) async throws {
        let files = ["same.txt": "same", "both.txt": "1", "here.txt": "1", "Note/n.json": #"{"n": 1}"#]
        try await Self.withHeldZone(files) { laptop, desk in
            try laptop.write("laptop's", to: "both.txt")
            try laptop.write("new", to: "new.txt")
            try laptop.write(#"{"n": 1, "more": true}"#, to: "Note/n.json")
            try await laptop.sync()
            if isRestarted { try laptop.restart() }
            try desk.write("desk's", to: "both.txt")
            try desk.delete("here.txt")
            try await desk.sync()
            #expect(await desk.session.approved("zone"))
            try await desk.sync()
            _ = laptop.network.takeOperations()
            try await laptop.sync()
            #expect(try await laptop.report().held.isEmpty)
            // Of what differs without a version on which both agreed, a person has both.
            #expect(laptop.network.takeOperations().count { $0 == "download" } == 1)
            let copies = try laptop.conflictCopies()
            #expect(copies.count == 1 && laptop.read(copies[0]) == "laptop's")
            try await converge(laptop, desk)
            let expected = [
                "same.txt": "same", "both.txt": "desk's", "here.txt": "1", "new.txt": "new",
                "Note/n.json": #"{"n": 1, "more": true}"#,
            ]
            #expect(try desk.files() == expected)
            #expect(try laptop.files().filter { $0.key != copies[0] } == expected)

            // From now on they are in step.
            try laptop.write("2", to: "here.txt")
            try desk.write("2", to: "new.txt")
            try await converge(laptop, desk)
            #expect(desk.read("here.txt") == "2" && laptop.read("new.txt") == "2")
            #expect(try laptop.conflictCopies() == copies)
        }
    }

    @Test("A zone that nobody fills keeps the hold, however often it is made and looked at; edits stay here")
    func empty() async throws {
        try await Self.withHeldZone(["a.txt": "1"]) { laptop, desk in
            try laptop.write("2", to: "a.txt")
            try laptop.write("new", to: "new.txt")
            let database = await desk.session.environment.database
            let zone = ZoneID(zoneName: "Notes")
            _ = try await database.modifyZones([ZoneOperation(.delete, zone)])
            try await converge(laptop, desk)
            _ = try await database.modifyZones([ZoneOperation(.delete, zone)])
            _ = try await database.modifyZones([ZoneOperation(.create, zone)])
            try laptop.restart()
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                let report = try await device.report()
                #expect(report.held.map(\.code) == ["zoneVanished"] && report.records == 0)
            }
            #expect(try laptop.files() == ["a.txt": "2", "new.txt": "new"])
            #expect(try desk.files() == ["a.txt": "1"])
        }
    }

    @Test("A server that denies a zone for a moment costs nothing: it is the same zone again, and no edit collides")
    func deniedForAMoment() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("1", to: "mine.txt")
            try laptop.write("1", to: "theirs.txt")
            try await converge(laptop, desk)
            try laptop.write("2", to: "mine.txt")
            try desk.write("2", to: "theirs.txt")
            try await desk.sync()
            let denials = Mutex(1)
            laptop.network.decide { request in
                guard FaultyNetwork.operation(of: request) == "changes/zone" else { return .delivered }
                let isDenied = denials.withLock { left in
                    left -= 1
                    return left >= 0
                }
                return isDenied ? .answered(.refusal("ZONE_NOT_FOUND", status: 404)) : .delivered
            }
            try await converge(laptop, desk)
            #expect(denials.withLock { $0 } < 0)
            try await expectInSync(laptop, desk, with: ["mine.txt": "2", "theirs.txt": "2"])
        }
    }
}

extension FolderSession {
    /// One cycle that looks at the folder and sends what is new there.
    fileprivate func sendOnly() async {
        looks.oweAll()
        await cycle()
    }
}
