import Foundation
import Testing

/// Whoever connects and says nothing takes nothing from others.
@Suite("A thousand idle connections", .timeLimit(.minutes(30)))
struct ConnectionTests {
    @Test("Those who ask are answered, over the connection that they had and over new ones")
    func idle() async throws {
        let world = try await RealWorld()
        let early = try await ForeignClient(world)
        try await early.post("zones/list", "{}")
        let port = try #require(world.url.split(separator: ":").last)
        // A process of its own, whose descriptors are not this one's.
        let crowd = try RunningProgram(
            arguments: [
                "-c",
                """
                ulimit -S -n "$(ulimit -H -n)"
                for number in {1..1000}; do exec {socket}<>/dev/tcp/127.0.0.1/\(port) || exit 1; done
                echo connected
                exec sleep 600
                """,
            ], executable: URL(filePath: "/bin/bash"))
        #expect(try await crowd.firstLine(within: .seconds(120)) == "connected")
        let late = try await ForeignClient(world)
        for _ in 0..<20 {
            for client in [early, late] { try await client.post("zones/list", "{}") }
        }
        #expect(crowd.isRunning)
        crowd.kill()
        _ = try await crowd.ended(within: .seconds(120))
        try await late.post("zones/list", "{}")
        #expect(try await world.stopServer() == 0)
    }
}
