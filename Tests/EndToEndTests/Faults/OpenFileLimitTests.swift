import Foundation
import Glibc
import Testing

/// EMFILE in a real daemon: what cannot be opened is not absent, and whoever asks gets an answer.
@Suite("Too many open files", .timeLimit(.minutes(30)))
struct OpenFileLimitTests {
    /// How many descriptors are left besides those in use: of none to all that one needs to write a file.
    @Test(
        "Few descriptors or none left, both sides edited: nothing is lost or deleted, status tells, and it resumes by itself",
        arguments: [0, 1, 3, 8])
    func few(left: Int) async throws {
        let world = try await RealWorld()
        let (laptop, desk) = (try await world.addFolder("laptop"), try await world.addFolder("desk"))
        for number in 0..<200 { try laptop.write("first \(number)\n", to: Self.path(number)) }
        for name in ["laptop", "desk"] {
            for number in 0..<10 { try laptop.write("of the \(name) \(number)\n", to: "\(name)-old/e\(number).txt") }
        }
        try await laptop.sync()
        var daemon = try desk.run()
        try await desk.untilDaemonAnswers(daemon)
        #expect(try await desk.settledVerdict() == "in-sync")
        var expected = try laptop.contents()
        #expect(try desk.contents() == expected)

        try await daemon.leaveDescriptors(left)
        var edits = Edits(expected: expected)
        try edits.edit(laptop, 0..<20)
        try await laptop.sync()
        let mark = try StateHonesty.living(in: world)
        try edits.edit(desk, 20..<40)
        expected = edits.expected
        let before = try desk.contents()

        var verdicts: Set<String> = []
        var remedies: Set<String> = []
        for number in 0..<60 {
            let isNamed = remedies.contains { $0.contains("ulimit -n") }
            if number >= 6, left > 0 || isNamed { break }
            // It may end in the midst of an answer.
            guard let report = try? await desk.report(), report.verdict != "unknown" else {
                try await Self.checkThatDispatchEnded(daemon)
                break
            }
            verdicts.insert(report.verdict)
            remedies.formUnion(report.held.map(\.remedy))
            guard report.verdict == "in-sync" else { continue }
            // Then there were enough of them.
            let difference = Difference(try desk.contents(), expected)
            #expect(difference.isEmpty, "in sync with \(left) descriptors left, and is not: \(difference)")
        }
        if left == 0, daemon.isRunning {
            #expect(!verdicts.contains("in-sync"))
            #expect(remedies.contains { $0.contains("ulimit -n") }, "\(remedies)")
            #expect(try StateHonesty.living(in: world) == mark)
        }
        // Only what was replaced or moved away, by either side, is where it was no longer.
        #expect(try CrashCheck.lost(from: before, in: desk) == [])
        print("\(left) descriptors left: \(verdicts.sorted())")

        if daemon.isRunning {
            do {
                try await daemon.setLimit(ofDescriptors: 1024)
            } catch {
                try await Self.checkThatDispatchEnded(daemon)
            }
        }
        // As a service manager does.
        if try await daemon.ended(within: .seconds(2)) != nil {
            try await Self.checkThatDispatchEnded(daemon)
            daemon = try desk.run()
        }
        let isBack = try await eventually { try desk.contents() == expected }
        var difference = Difference(try desk.contents(), expected)
        #expect(isBack, "\(difference) \(daemon.errors.suffix(2000))")
        #expect(try await eventually { try StateHonesty.living(in: world) == expected.count })
        let report = try await desk.report()
        #expect(try await desk.settledVerdict() == "in-sync", "\(report)")
        try await laptop.sync()
        difference = Difference(try laptop.contents(), expected)
        #expect(difference.isEmpty, "\(difference)")
        #expect(daemon.isRunning)
    }

    @Test("Commands that find no descriptor left wait for one, and cost the daemon nothing")
    func crowd() async throws {
        let world = try await RealWorld()
        let desk = try await world.addFolder("desk")
        let daemon = try desk.run()
        try await desk.untilDaemonAnswers(daemon)
        #expect(try await desk.settledVerdict() == "in-sync")
        try await daemon.leaveDescriptors(0)
        do {
            try await crowd(at: desk, daemon)
        } catch {
            guard try await daemon.ended(within: .seconds(60)) != nil else { throw error }
            try await Self.checkThatDispatchEnded(daemon)
        }
    }

    private func crowd(at desk: RealFolder, _ daemon: RunningProgram) async throws {
        // The first takes what is kept for it; the others stand in the queue.
        var commands: [ControlSocketClient] = []
        for _ in 0..<4 { commands.append(try ControlSocketClient(desk)) }
        let first = try await commands[0].verdict()
        #expect(first == "attention")
        let (began, before) = (ContinuousClock.now, try daemon.computed)
        _ = try await eventually { ContinuousClock.now - began > .seconds(3) }
        let computed = try daemon.computed - before
        #expect(computed < (ContinuousClock.now - began) / 4, "it computed \(computed) while nothing was to be done")
        commands.removeFirst()
        let second = try await commands[0].verdict()
        #expect(second == "attention")
        try await daemon.setLimit(ofDescriptors: 1024)
        for command in commands { _ = try await command.verdict() }
        let settled = try await desk.settledVerdict()
        guard settled == "in-sync" else { throw TestFailure("it stays \(settled)") }
    }

    /// Swift's libdispatch ends a process that is busy in the instant at which it cannot open `/proc/self/task/*/stat`: it
    /// takes that for a thread that is gone (`_dispatch_workq_monitor_pools`). Nothing is lost by it, as by no other end.
    private static func checkThatDispatchEnded(_ daemon: RunningProgram) async throws {
        print("without a descriptor left, libdispatch ended the daemon")
        #expect(try await daemon.ended(within: .seconds(60)) == -SIGILL, "\(daemon.errors.suffix(2000))")
    }

    @Test("A daemon raises a low limit by itself, and one that may not says what it needs")
    func start() async throws {
        let world = try await RealWorld()
        let desk = try await world.addFolder("desk")
        func run(under limit: String) throws -> RunningProgram {
            try RunningProgram(
                arguments: ["-c", "ulimit \(limit) && exec \"$0\" run \"$1\"", RealProgram.executable.path, desk.path],
                executable: URL(filePath: "/bin/bash"))
        }
        let refused = try run(under: "-n 30")
        #expect(try await refused.ended(within: .seconds(120)) == 1)
        #expect(refused.errors.contains("may have 30 files open") && refused.errors.contains("ulimit -n"))
        let daemon = try run(under: "-S -n 30")
        try await desk.untilDaemonAnswers(daemon)
        #expect(try await desk.settledVerdict() == "in-sync")
    }

    private static func path(_ number: Int) -> String { "a\(number % 10)/b\(number % 7)/c/f\(number).txt" }

    /// What both sides do meanwhile, and what comes of it.
    private struct Edits {
        var expected: [String: Data]

        /// Saves some of the files, deletes one, makes new ones in new directories, and renames a directory.
        mutating func edit(_ folder: RealFolder, _ numbers: Range<Int>) throws {
            let name = folder.url.lastPathComponent
            for number in numbers.dropFirst() { try save("from the \(name)\n", as: path(number), in: folder) }
            try folder.delete(path(numbers.lowerBound))
            expected[path(numbers.lowerBound)] = nil
            for number in numbers { try save("new \(number)\n", as: "\(name)/\(number)/new.txt", in: folder) }
            let (old, new) = ("\(name)-old/", "\(name)-new/")
            try FileManager.default.moveItem(atPath: folder.path + "/" + old, toPath: folder.path + "/" + new)
            for (path, bytes) in expected where path.hasPrefix(old) {
                expected[path] = nil
                expected[new + path.dropFirst(old.count)] = bytes
            }
        }

        private mutating func save(_ text: String, as path: String, in folder: RealFolder) throws {
            try folder.write(text, to: path)
            expected[path] = Data(text.utf8)
        }

        private func path(_ number: Int) -> String { OpenFileLimitTests.path(number) }
    }
}
