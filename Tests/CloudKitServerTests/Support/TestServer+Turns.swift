import Dispatch
import GRDB

@testable import CloudKitServer

extension TestServer {
    /// Nobody can write until the body is through: whoever wants to holds on to a thread.
    func whileNobodyWrites<Outcome>(_ body: () async throws -> Outcome) async throws -> Outcome {
        let end = DispatchSemaphore(value: 0)
        defer { end.signal() }
        server.store.writer.asyncWriteWithoutTransaction { _ in end.wait() }
        return try await body()
    }

    /// Waits until so many calls wait for their turn to write.
    func waitForWriters(_ count: Int) async throws {
        while server.writingTurns.waitingCount != count { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Waits until an owner has as many calls under way that write as may be.
    func waitUntilBusy(_ owner: TurnOwner) async throws {
        while server.writingTurns.now(owner, { true }) != nil { try await Task.sleep(for: .milliseconds(5)) }
    }
}
