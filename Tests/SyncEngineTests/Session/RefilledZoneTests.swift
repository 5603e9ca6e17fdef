import CloudKitClient
import CloudKitWire
import SyncModel
import Synchronization
import Testing

@testable import SyncEngine

/// A zone that was deleted, made anew and filled again by another device: its records have the names of the old ones, and
/// what it lacks was never deleted (invariants 1 and 6).
@Suite("A refilled zone", .timeLimit(.minutes(30)))
struct RefilledZoneTests {
    @Test(
        "A device that was away loses no file, whatever the new zone lacks or has older, and sends none unasked",
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
            #expect(try await laptop.report().held.map(\.code) == ["zoneVanished"])
            #expect(await laptop.session.approved("zone"))
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
            _ = try await database.modifyZones([ZoneOperation(.delete, zone), ZoneOperation(.create, zone)])

            // The laptop asks for nothing before it sends.
            try laptop.write("new", to: "new.txt")
            await laptop.session.sendOnly()
            try await laptop.sync()
            #expect(try laptop.files().count == 4)
            #expect(try await laptop.report().held.map(\.code) == ["zoneVanished"])
            #expect(await laptop.session.approved("zone"))
            try await laptop.sync()
            try await desk.sync()
            #expect(await desk.session.approved("zone"))
            try await converge(laptop, desk)
            #expect(try laptop.files().count == 4)
            #expect(try desk.files() == laptop.files())
            try laptop.close()
            try desk.close()
        }
    }
}

extension FolderSession {
    /// One cycle that looks at the folder and sends what is new there.
    fileprivate func sendOnly() async {
        owed.wholeScan = true
        await cycle()
    }
}
