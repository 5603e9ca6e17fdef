import CloudKitWire
import FolderControl
import Testing

/// The record of a file that is attached goes with the note that attaches it (invariant 6).
@Suite("A file is attached, and its own record goes", .timeLimit(.minutes(30)))
struct AttachedTogetherTests {
    private static let note = #"{"pic": {"$asset": "a.jpg"}}"#

    /// Two devices that agree on a picture, and what the laptop sends when it attaches that.
    private static func attached(
        to notes: [String], meanwhile: @Sendable (EngineDevice) async throws -> Void = { _ in },
        _ body: @Sendable (EngineDevice, EngineDevice, [String]) async throws -> Void
    ) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["Note/a.jpg": "a picture"])
            try await meanwhile(desk)
            _ = laptop.network.takeBodies(of: "records/modify")
            for name in notes { try laptop.write(note, to: name) }
            try await laptop.sync()
            try await body(laptop, desk, laptop.network.takeBodies(of: "records/modify"))
        }
    }

    @Test("Both are one request: nobody else ever sees the one without the other")
    func together() async throws {
        try await Self.attached(to: ["Note/n.json"]) { laptop, desk, bodies in
            #expect(bodies.count == 1)
            #expect(bodies.allSatisfy { $0.contains(#""delete""#) && $0.contains(#""create""#) })
            try await converge(desk, laptop)
            try await expectInSync(laptop, desk, with: ["Note/a.jpg": "a picture", "Note/n.json": Self.note])
        }
    }

    @Test("It goes with the first of two notes that come to name the file")
    func twice() async throws {
        try await Self.attached(to: ["Note/m.json", "Note/n.json"]) { laptop, desk, bodies in
            #expect(bodies.count { $0.contains(#""delete""#) } == 1)
            try await converge(desk, laptop)
            try await expectInSync(
                laptop, desk,
                with: ["Note/a.jpg": "a picture", "Note/m.json": Self.note, "Note/n.json": Self.note])
        }
    }

    @Test("One that another record keeps from going stays, and the note goes without it (S4.19)")
    func kept() async throws {
        let keeping = Field(.reference(Reference(recordName: "Note/a.jpg", action: .validate)))
        try await Self.attached(
            to: ["Note/n.json"], meanwhile: { try await $0.foreignSave(["to": keeping], of: "Note/k", as: .create) }
        ) { laptop, desk, bodies in
            #expect(bodies.first?.contains(#""delete""#) ?? false)
            try await desk.sync()
            #expect(desk.read("Note/n.json") == Self.note)
            #expect(desk.read("Note/a.jpg") == "a picture")
        }
    }

    @Test("An answer that is lost with the process is known again, and no copy is made")
    func lostAnswer() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("a picture", to: "Note/a.jpg")
            try await laptop.sync()
            try await desk.sync()
            try laptop.write(Self.note, to: "Note/n.json")
            try await laptop.syncUntilKilled(at: "records/modify")
            for device in [laptop, desk, laptop] {
                #expect(try await device.sync().verdict == .inSync)
                #expect(device.files() == ["Note/a.jpg", "Note/n.json"])
                #expect(device.read("Note/a.jpg") == "a picture")
            }
        }
    }
}
