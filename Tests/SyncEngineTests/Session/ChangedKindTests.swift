import CloudKitClient
import FolderControl
import Testing

/// Structured files that become files of their own, and back (design §3).
@Suite("Files that change their kind", .timeLimit(.minutes(30)))
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

    /// Whether a request is one that says this, and changes records.
    private static func changes(_ request: TransportRequest, saying text: String) -> Bool {
        guard case .bytes(let body) = request.body, FaultyNetwork.operation(of: request) == "records/modify" else {
            return false
        }
        return String(decoding: body, as: UTF8.self).contains(text)
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

    @Test("A text that is no object for an instant costs nothing")
    func instant() async throws {
        try await Self.world(#"{"n": 1}"#) { laptop, desk in
            try laptop.write("null", to: "Note/n.json")
            await laptop.look()
            try laptop.write(#"{"n": 2}"#, to: "Note/n.json")
            try await converge(laptop, desk)
            let bodies = laptop.network.takeBodies(of: "records/modify")
            #expect(bodies.count == 1)
            #expect(!bodies.contains { $0.contains("delete") || $0.contains("create") })
            try await Self.expect(#"{"n": 2}"#, on: laptop, desk)
        }
    }

    @Test("A record goes only with the one that its file became, in one request (invariant 6)")
    func refused() async throws {
        try await Self.world(#"{"n": 1}"#) { laptop, desk in
            laptop.network.decide { request in
                Self.changes(request, saying: #""create""#)
                    ? .answered(TransportResponse(status: 503, body: [])) : .delivered
            }
            try laptop.write("null", to: "Note/n.json")
            try await laptop.sync()
            try await desk.sync()
            #expect(desk.read("Note/n.json") == #"{"n": 1}"#)
            #expect(try await laptop.report().verdict != .inSync)
            // Neither goes without the other.
            #expect(
                laptop.network.takeBodies(of: "records/modify").allSatisfy {
                    !$0.contains("delete") || $0.contains("create") && $0.contains(#""atomic":true"#)
                })

            laptop.network.decide { _ in .delivered }
            try await converge(laptop, desk)
            try await Self.expect("null", on: laptop, desk)
        }
    }

    @Test("A crash between the new record and the end of the old one continues to the same end (invariant 19)")
    func crash() async throws {
        try await Self.world(#"{"n": 1}"#) { laptop, desk in
            laptop.network.decide { Self.changes($0, saying: #""delete""#) ? .lostOnTheWay : .delivered }
            try laptop.write("null", to: "Note/n.json")
            await laptop.settle()
            try laptop.restart()
            try await desk.sync()
            try await laptop.sync()
            laptop.network.decide { _ in .delivered }
            try laptop.restart()
            try await converge(laptop, desk)
            try await Self.expect("null", on: laptop, desk)
        }
    }
}
