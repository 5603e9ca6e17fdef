import CloudKitClient
import CloudKitWire
import FolderControl
import Foundation
import StateRows
import StateStorage
import SyncModel
import Synchronization
import Testing

@testable import SessionCore
@testable import SyncEngine

/// What must not happen however odd the other side is (reliability §2, §4.16, §4.17, §4.22).
@Suite("Guards", .timeLimit(.minutes(30)))
struct GuardTests {
    @Test("A folder that was emptied deletes nothing in the zone, nor on other devices, until that is approved on each")
    func emptied() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<30 { try laptop.write("text \(number)", to: "\(number).txt") }
            try await converge(laptop, desk)
            for number in 0..<30 { try laptop.delete("\(number).txt") }
            try await converge(laptop, desk)
            #expect(try desk.files().count == 30)
            for device in [laptop, desk] {
                try await device.sync()
                let report = try await device.report()
                #expect(report.verdict == .attention)
                let batch = try #require(report.approval)
                #expect(batch.deletions == 30)
                #expect(await !device.session.approved("another batch"))
                #expect(await device.session.approved(batch.batch))
                try await device.sync()
                #expect(try await device.report().verdict == .inSync)
            }
            #expect(try desk.files().isEmpty)
            try laptop.close()
            try desk.close()
        }
    }

    @Test(
        "Deletions that wait for a word do so whatever else is done meanwhile, also after a restart",
        arguments: [false, true], [20, 40])
    func askedStill(isRestarted: Bool, count: Int) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<count { try laptop.write("text \(number)", to: "\(number).txt") }
            try await converge(laptop, desk)
            for number in 0..<count { try laptop.delete("\(number).txt") }
            try await laptop.sync()
            #expect(try await laptop.report().approval?.deletions == count)
            if isRestarted { try laptop.restart() }
            // With them they are few of many.
            for number in 0..<200 { try laptop.write("new \(number)", to: "new/\(number).txt") }
            for _ in 0..<2 {
                try await converge(laptop, desk)
                #expect(try await laptop.report().approval?.deletions == count)
            }
            #expect(try desk.files().count == count + 200)
            // One that is there again is not among them, and the others wait.
            try laptop.write("text 0", to: "0.txt")
            try await converge(laptop, desk)
            let batch = try #require(try await laptop.report().approval)
            #expect(batch.deletions == count - 1)
            #expect(await laptop.session.approved(batch.batch))
            try await converge(laptop, desk)
            #expect(try desk.files().count == 201)
            #expect(try await laptop.report().verdict == .inSync)
            // The next few are nobody's question.
            try laptop.delete("0.txt")
            try await converge(laptop, desk)
            #expect(try desk.files().count == 200)
            try laptop.close()
            try desk.close()
        }
    }

    /// Why nothing can be sent for a while.
    enum Hindrance: CaseIterable {
        case pause, network
    }

    @Test(
        "Deletions that wait for a word are told, asked for and answered also after restarts while nothing is sent",
        arguments: Hindrance.allCases)
    func askedWhileHindered(by hindrance: Hindrance) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<20 { try laptop.write("text \(number)", to: "\(number).txt") }
            try await converge(laptop, desk)
            for number in 0..<20 { try laptop.delete("\(number).txt") }
            try await laptop.sync()
            let batch = try #require(try await laptop.report().approval?.batch)
            switch hindrance {
            case .pause: _ = try await laptop.session.pause(for: nil)
            case .network: laptop.network.decide { _ in .lostOnTheWay }
            }
            // With them they are few of many.
            for number in 0..<200 { try laptop.write("new \(number)", to: "new/\(number).txt") }
            for _ in 0..<2 {
                try laptop.restart()
                await laptop.look()
                #expect(try await laptop.report().approval?.deletions == 20)
                #expect(try laptop.store.batchesAwaitingApproval().map(\.count) == [20])
            }
            #expect(await laptop.session.approved(batch))
            try laptop.restart()
            await laptop.look()
            switch hindrance {
            case .pause: #expect(try await laptop.session.resume())
            case .network: laptop.network.decide { _ in .delivered }
            }
            try await converge(laptop, desk)
            #expect(try desk.files().count == 200)
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.close()
            try desk.close()
        }
    }

    @Test(
        "While nothing is sent, what is asked for follows what is deleted and put back meanwhile",
        arguments: Hindrance.allCases)
    func askedAsItIsNow(hindrance: Hindrance) async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            for number in 0..<40 { try laptop.write("text \(number)", to: "\(number).txt") }
            try await laptop.sync()
            switch hindrance {
            case .pause: _ = try await laptop.session.pause(for: nil)
            case .network: laptop.network.decide { _ in .lostOnTheWay }
            }
            try laptop.restart()
            for count in [30, 0, 28, 29] {
                for number in 0..<40 {
                    if number < count { try? laptop.delete("\(number).txt") }
                    if number >= count, laptop.read("\(number).txt") == nil {
                        try laptop.write("text \(number)", to: "\(number).txt")
                    }
                }
                await laptop.look()
                let asked = count > 0 ? [count] : []
                #expect(try await laptop.report().approval?.deletions == asked.first)
                #expect(try laptop.store.batchesAwaitingApproval().map(\.count) == asked)
            }
            let batch = try #require(try await laptop.report().approval)
            #expect(await laptop.session.approved(batch.batch))
            switch hindrance {
            case .pause: #expect(try await laptop.session.resume())
            case .network: laptop.network.decide { _ in .delivered }
            }
            try await laptop.sync()
            #expect(try await laptop.report().records == 11)
            try laptop.close()
        }
    }

    @Test("A word that was given is not asked for again: not after a restart, nor where the server fails in the midst")
    func lastingWord() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            for number in 0..<250 { try laptop.write("text \(number)", to: "\(number).txt") }
            try await laptop.sync()
            for number in 0..<250 { try laptop.delete("\(number).txt") }
            try await laptop.sync()
            let batch = try #require(try await laptop.report().approval)
            #expect(await laptop.session.approved(batch.batch))
            try laptop.restart()
            let requests = Mutex(0)
            laptop.network.decide { request in
                guard FaultyNetwork.operation(of: request) == "records/modify" else { return .delivered }
                return requests.withLock {
                    $0 += 1; return $0 == 1 ? .delivered : .lostOnTheWay
                }
            }
            await laptop.settle()
            let midst = try await laptop.report()
            #expect((1..<250).contains(midst.records) && midst.approval == nil, "\(midst.records)")
            laptop.network.decide { _ in .delivered }
            laptop.pass(.seconds(7200))
            try await laptop.sync()
            let end = try await laptop.report()
            #expect(end.verdict == .inSync && end.records == 0 && end.approval == nil, "\(end)")
            #expect(try await laptop.session.environment.store.approvedDeletions().isEmpty)
            try laptop.close()
        }
    }

    @Test("Of deletions that are a move to another type of records it is told; once approved, the next one passes")
    func movedToAnotherType() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<30 { try laptop.write(#"{"n": \#(number)}"#, to: "Note/\(number).json") }
            try await converge(laptop, desk)
            for number in 0..<30 { try laptop.move("Note/\(number).json", to: "Todo/\(number).json") }
            for device in [laptop, desk] {
                try await device.sync()
                let batch = try #require(try await device.report().approval)
                #expect(batch.deletions == 30 && batch.elsewhere == 30)
                #expect(await device.session.approved(batch.batch))
                try await device.sync()
                #expect(try await device.report().verdict == .inSync)
            }
            for number in 0..<2 {
                try laptop.delete("Todo/\(number).json")
                try await converge(laptop, desk)
                #expect(try desk.files().count == 29 - number, "a deletion that was approved counts no more")
            }
            try laptop.close()
            try desk.close()
        }
    }

    @Test("A zone that was deleted and made anew deletes no file; it is filled again when a person says so (S0.30)")
    func anotherZone() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<5 { try laptop.write("text \(number)", to: "\(number).txt") }
            try await converge(laptop, desk)
            let files = try desk.files()
            let database = await laptop.session.environment.database
            let zone = ZoneID(zoneName: "Notes")
            _ = try await database.modifyZones([ZoneOperation(.delete, zone)])
            _ = try await database.modifyZones([ZoneOperation(.create, zone)])
            try await desk.sync()
            #expect(try desk.files() == files)
            #expect(try await desk.report().held.map(\.code) == ["zoneVanished"])
            #expect(await desk.session.approved("zone"))
            try await desk.sync()
            #expect(try await desk.report().verdict == .inSync)
            try await laptop.sync()
            #expect(try laptop.files() == files)
            try laptop.close()
            try desk.close()
        }
    }

    @Test("A copied file is sent with its own bytes, where the zone holds others by now for the one it was copied from")
    func copied() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("old bytes", to: "a.bin")
            try await converge(laptop, desk)
            try desk.write("new bytes", to: "a.bin")
            try await desk.sync()
            laptop.network.decide { FaultyNetwork.operation(of: $0) == "download" ? .lostOnTheWay : .delivered }
            try laptop.write("old bytes", to: "b.bin")
            await laptop.session.settle()
            try await desk.sync()
            #expect(desk.read("b.bin") == "old bytes")
            laptop.network.decide { _ in .delivered }
            try await converge(laptop, desk)
            #expect(try laptop.files() == ["a.bin": "new bytes", "b.bin": "old bytes"])
            #expect(try desk.files() == laptop.files())
            try laptop.close()
            try desk.close()
        }
    }

    @Test("While every answer is lost, requests are few; afterwards all is there once, without a conflict")
    func unansweredForLong() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try await converge(laptop, desk)
            _ = laptop.network.takeOperations()
            laptop.network.decide { FaultyNetwork.operation(of: $0) == "records/modify" ? .lostOnTheWay : .delivered }
            for number in 0..<10 { try laptop.write(#"{"number": \#(number)}"#, to: "Item/\(number).json") }
            await laptop.session.settle()
            let requests = laptop.network.takeOperations()
            #expect(requests.count < 60, "\(requests)")
            laptop.network.decide { _ in .delivered }
            try await converge(laptop, desk)
            #expect(try desk.files().count == 10)
            #expect(try desk.files() == laptop.files())
            try laptop.close()
            try desk.close()
        }
    }
}
