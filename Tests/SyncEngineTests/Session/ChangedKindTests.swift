import CloudKitClient
import Testing

@testable import SyncEngine

/// Structured files that become files of their own, and back (design §3).
@Suite("Files that change their kind", .timeLimit(.minutes(10)))
struct ChangedKindTests {
    /// Two devices that agree on a file.
    private static func world(
        _ text: String, _ body: @Sendable (EngineDevice, EngineDevice) async throws -> Void
    ) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(text, to: "Note/n.json")
            try await converge(laptop, desk)
            _ = laptop.network.takeBodies(of: "records/modify")
            try await body(laptop, desk)
            try laptop.close()
            try desk.close()
        }
    }

    private static func expect(_ text: String, on devices: EngineDevice...) async throws {
        for device in devices {
            #expect(try device.files() == ["Note/n.json": text])
            let report = try await device.report()
            #expect(report.verdict == .inSync, "\(report.reason)")
        }
    }

    @Test(
        "A file that changes its kind is the same on all devices",
        arguments: [
            (#"{"n": 1}"#, "null"), (#"{"n": 1}"#, "[1, 2]"), ("[1]", #"{"n": 1}"#),
            ("[1]", #"{"content": "x", "path": 7, "size": "big"}"#),
        ])
    func converges(_ old: String, _ new: String) async throws {
        try await Self.world(old) { laptop, desk in
            try laptop.write(new, to: "Note/n.json")
            try await converge(laptop, desk)
            try await Self.expect(new, on: laptop, desk)
            try desk.write(old, to: "Note/n.json")
            try await converge(desk, laptop)
            try await Self.expect(old, on: laptop, desk)
        }
    }
}
