import Synchronization
import Testing

@testable import SyncEngine

@Suite("A file that two notes name, and a person moves away for one of them", .timeLimit(.minutes(30)))
struct MovedAwayAssetTests {
    private static let note = #"{"pic": {"$asset": "a.jpg"}}"#
    private static let another = #"{"pic": {"$asset": "b.jpg"}}"#

    /// Two notes of two devices name `a.jpg`. One of them gets `b.jpg` instead: the desk's person puts another picture there, the
    /// laptop's moves this one to there, and knows of no other yet.
    private static func movedAway(in world: EngineWorld) async throws -> (laptop: EngineDevice, desk: EngineDevice) {
        let (laptop, desk) = try await world.pair(
            with: ["Note/a.jpg": "shared", "Note/one.json": note, "Note/two.json": note])
        try desk.write("another", to: "Note/b.jpg")
        try desk.write(another, to: "Note/one.json")
        try await desk.sync()
        try laptop.move("Note/a.jpg", to: "Note/b.jpg")
        try laptop.write(another, to: "Note/one.json")
        return (laptop, desk)
    }

    @Test("Where the zone's bytes come to its new place, the other note has it again where it was (invariant 6)")
    func replaced() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await Self.movedAway(in: world)
            try await converge(laptop, desk)
            try await expectInSync(
                laptop, desk,
                with: [
                    "Note/a.jpg": "shared", "Note/b.jpg": "another", "Note/one.json": Self.another,
                    "Note/two.json": Self.note,
                ])
        }
    }

    /// The desk's picture comes to the laptop, and the other note's own does not come back.
    private static func loseItsWayBack(to laptop: EngineDevice) async throws {
        let downloads = Mutex(0)
        laptop.network.decide { request in
            guard FaultyNetwork.operation(of: request) == "download" else { return .delivered }
            return downloads.withLock { count in
                count += 1
                return count == 1 ? .delivered : .lostOnTheWay
            }
        }
        await laptop.settle()
        #expect(
            try laptop.files() == ["Note/b.jpg": "another", "Note/one.json": another, "Note/two.json": note])
        #expect(downloads.withLock(\.self) > 1)
    }

    @Test(
        "Who takes it out of the other note before that has it again, has not deleted it (invariant 6)",
        arguments: [false, true])
    func takenOut(isRestarted: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await Self.movedAway(in: world)
            try await Self.loseItsWayBack(to: laptop)
            if isRestarted { try laptop.restart() }
            try laptop.write(#"{"title": "no picture"}"#, to: "Note/two.json")
            laptop.network.decide { _ in .delivered }
            try await converge(laptop, desk)
            try await expectInSync(
                laptop, desk,
                with: [
                    "Note/a.jpg": "shared", "Note/b.jpg": "another", "Note/one.json": Self.another,
                    "Note/two.json": #"{"title": "no picture"}"#,
                ])
        }
    }

    @Test("The other note goes where a person deletes it before it has that again: nobody has edited it (invariant 7)")
    func deleted() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await Self.movedAway(in: world)
            try await Self.loseItsWayBack(to: laptop)
            try laptop.delete("Note/two.json")
            laptop.network.decide { _ in .delivered }
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: ["Note/b.jpg": "another", "Note/one.json": Self.another])
        }
    }
}
