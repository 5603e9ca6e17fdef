import Testing

@testable import SyncCommands

@Suite("Child processes", .timeLimit(.minutes(5)))
struct ChildProcessTests {
    @Test("A detached one ends with all that it started, also with what ignores SIGTERM")
    func ended() async throws {
        let process = try ChildProcess(
            program: "/bin/sh", arguments: ["-c", "trap '' TERM; sleep 3600 & echo started; wait"], output: .pipe,
            isDetached: true)
        #expect(try await process.firstLine() == "started")
        await process.endWithChildren()
        #expect(process.poll() == .killed(signal: 9))
        // The pipe's end comes once nobody has it any more.
        #expect(try await process.wholeOutput().isEmpty)
    }
}
