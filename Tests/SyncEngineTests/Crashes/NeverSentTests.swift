import Testing

@testable import SyncEngine

/// A version that did not reach the server is nobody's but this device's: it is not recognised in another device's save.
@Suite("A save that never arrived", .timeLimit(.minutes(30)))
struct NeverSentTests {
    @Test(
        "What was taken back before it was sent is no edit on top of the same version of another device",
        arguments: [FaultyNetwork.Fate.lostOnTheWay, .lostSomewhere])
    func takenBack(_ fate: FaultyNetwork.Fate) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("one", to: "a.txt")
            try laptop.write(#"{"n": 1}"#, to: "Note/a.json")
            try await converge(laptop, desk)
            laptop.network.decide { FaultyNetwork.operation(of: $0) == "records/modify" ? fate : .delivered }
            try laptop.write("two", to: "a.txt")
            try laptop.write(#"{"n": 2}"#, to: "Note/a.json")
            await laptop.session.settle()
            try laptop.write("one", to: "a.txt")
            try laptop.write(#"{"n": 1}"#, to: "Note/a.json")
            await laptop.session.settle()
            laptop.network.decide { _ in .delivered }
            try await laptop.sync()

            try desk.write("two", to: "a.txt")
            try desk.write(#"{"n": 2}"#, to: "Note/a.json")
            try await desk.sync()
            try laptop.restart()
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                #expect(try device.files() == ["a.txt": "two", "Note/a.json": #"{"n": 2}"#])
            }
            try laptop.close()
            try desk.close()
        }
    }
}
