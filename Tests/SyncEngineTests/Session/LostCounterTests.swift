import FolderControl
import FolderSettings
import Synchronization
import Testing

/// A counter's change was sent, and its answer was lost along with whatever would have told what became of it.
@Suite("Counters and lost answers", .timeLimit(.minutes(30)))
struct LostCounterTests {
    private static let path = "Note/a.json"

    private static func note(_ n: Int, _ t: String = "0") -> String { "{\"n\": \(n), \"t\": \"\(t)\"}" }

    /// Two devices that agree on a note whose `n` is a counter at 11, of which the laptop's answer is lost that it is 12 now;
    /// from then on the laptop hears nothing until the desk did something.
    private func run(
        desk desksEdit: @escaping Edit, laptop laptopsEdit: @escaping Edit,
        end: @escaping @Sendable (EngineDevice, EngineDevice) async throws -> Void
    ) async throws {
        try await EngineWorld.run { world in
            let policies = MergePolicies(fields: ["Note": ["n": .counter]])
            let laptop = try world.device("laptop") { $0.merge = policies }
            let desk = try world.device("desk") { $0.merge = policies }
            try laptop.write(Self.note(11), to: Self.path)
            try await converge(laptop, desk)
            let isCutOff = Mutex(false)
            laptop.network.decide { request in
                isCutOff.withLock { isCutOff in
                    if isCutOff { return .lostOnTheWay }
                    isCutOff = FaultyNetwork.operation(of: request) == "records/modify"
                    return isCutOff ? .answerLost : .delivered
                }
            }
            try laptop.write(Self.note(12), to: Self.path)
            await laptop.settle()
            #expect(isCutOff.withLock { $0 })
            try await desk.sync()
            #expect(desk.read(Self.path) == Self.note(12))
            try desksEdit(desk)
            try await desk.sync()
            try laptopsEdit(laptop)
            laptop.network.decide { _ in .delivered }
            try await converge(laptop, desk)
            try await end(laptop, desk)
            try laptop.close()
            try desk.close()
        }
    }

    @Test("What another device may have counted upon is not counted twice, and the person's version is in a copy")
    func countedUpon() async throws {
        try await run(
            desk: { try $0.write(Self.note(14), to: Self.path) }, laptop: { _ in }
        ) { laptop, desk in
            for device in [laptop, desk] { #expect(device.read(Self.path) == Self.note(14)) }
            let copies = try laptop.conflictCopies()
            #expect(copies.map { laptop.read($0) } == [Self.note(12)])
            #expect(try desk.conflictCopies().isEmpty)
            #expect(try await laptop.report().conflicts.map(\.fields) == [["n"]])
        }
    }

    @Test("Where the zone has the number as it was sent, the person counts on with no conflict")
    func countedOn() async throws {
        try await run(
            desk: { try $0.write(Self.note(12, "desk"), to: Self.path) },
            laptop: { try $0.write(Self.note(13), to: Self.path) }
        ) { laptop, desk in
            try await expectInSync(laptop, desk, with: [Self.path: Self.note(13, "desk")])
        }
    }

    @Test("Where every answer came, both devices' steps count")
    func answered() async throws {
        try await EngineWorld.run { world in
            let policies = MergePolicies(fields: ["Note": ["n": .counter]])
            let laptop = try world.device("laptop") { $0.merge = policies }
            let desk = try world.device("desk") { $0.merge = policies }
            try laptop.write(Self.note(11), to: Self.path)
            try await converge(laptop, desk)
            try laptop.write(Self.note(12), to: Self.path)
            try desk.write(Self.note(14), to: Self.path)
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: [Self.path: Self.note(15)])
        }
    }
}
