import FolderControl
import Testing

@testable import RemoteZone
@testable import SessionCore
@testable import SyncEngine

@Suite("Waiting for a folder to settle", .timeLimit(.minutes(30)))
struct SettledReportTests {
    @Test("Whoever waits gets the report of the moment at which all was done, whatever begins right after it")
    func settled() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write("text", to: "a.txt")
            let session = laptop.session
            let inbox = await session.inbox
            let running = Task { await session.run() }
            // A server that has always something to tell: there is hardly a moment at which nothing is under way.
            let pushing = Task {
                while !Task.isCancelled {
                    inbox.news.receivePush()
                    await Task.yield()
                }
            }
            for _ in 0..<20 {
                let report = await session.settledReport(
                    daemon: .init(pid: 1, startedMilliseconds: 0), watch: { nil }, timeout: nil)
                #expect(report.verdict == .inSync, "\(report.reason)")
            }
            pushing.cancel()
            await session.stop()
            await running.value
            try laptop.close()
        }
    }
}
