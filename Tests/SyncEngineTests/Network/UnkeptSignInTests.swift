import FolderControl
import StateStorage
import SyncTiming
import SystemPackage
import Testing

@testable import SyncEngine

@Suite("A sign-in that this machine cannot keep", .timeLimit(.minutes(30)))
struct UnkeptSignInTests {
    @Test("It is told as that, and as no wish nor silence of the server; it goes on by itself once it can be kept")
    func told() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            let time = SkippedTime()
            let (session, store) = try laptop.start(clock: time.clock)
            await session.settle()
            await laptop.signIn.fail(with: .permissionDenied)
            try laptop.write("text", to: "a.txt")
            await session.settle()
            for _ in 0..<3 {
                let report = try await session.report(daemon: nil, watch: nil)
                #expect(report.verdict == .attention)
                #expect(report.reason.contains("The sign-in could not be read or saved"))
                #expect(report.network == .init(isReachable: true))
                #expect(report.pending.uploads == 1)
                let problem = report.held.first { $0.path.isEmpty }
                #expect(problem?.code == "pathBlocked" && problem?.remedy.contains("permissions") == true)
                time.skip(.seconds(301))
                await session.cycle()
            }
            await laptop.signIn.fail(with: nil)
            time.skip(.seconds(301))
            await session.settle()
            #expect(try await session.report(daemon: nil, watch: nil).verdict == .inSync)
            try store.close()
            try await desk.sync()
            #expect(desk.read("a.txt") == "text")
        }
    }
}
