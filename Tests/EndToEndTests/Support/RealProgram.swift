import Foundation
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// The program as it was built, run as processes of its own.
enum RealProgram {
    /// How a process ended, with all that it printed.
    struct Outcome: Sendable {
        var status: Int32
        var output: String
        var errors: String
    }

    /// The product lies beside the test bundle.
    static let executable: URL = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let candidates = CommandLine.arguments.filter { $0.hasSuffix(".xctest") } + [own]
        for candidate in candidates {
            let url = URL(filePath: candidate).deletingLastPathComponent().appending(path: "zonefolder")
            if FileManager.default.isExecutableFile(atPath: url.path) { return url }
        }
        return URL(filePath: ".build/debug/zonefolder")
    }()

    /// Runs a command to its end.
    @discardableResult
    static func run(
        _ arguments: String..., input: String = "", in directory: String? = nil, limit: Duration = .seconds(60)
    ) async throws -> Outcome {
        try await run(arguments: arguments, input: input, in: directory, limit: limit)
    }

    /// Runs a command to its end.
    @discardableResult
    static func run(
        arguments: [String], input: String = "", in directory: String? = nil, limit: Duration = .seconds(60)
    ) async throws -> Outcome {
        let process = try RunningProgram(arguments: arguments, input: input, directory: directory)
        guard let status = try await process.ended(within: limit) else {
            process.kill()
            _ = try await process.ended(within: .seconds(10))
            throw TestFailure("zonefolder \(arguments.joined(separator: " ")) did not end within \(limit)")
        }
        return Outcome(status: status, output: process.output, errors: process.errors)
    }
}

/// A process that is killed at the latest when nobody holds it any more.
final class RunningProgram: Sendable {
    private let process: Process
    private let outputFile: URL
    private let errorFile: URL

    /// Starts the program. Its output goes to files, so that no pipe can fill up.
    init(
        arguments: [String], input: String = "", directory: String? = nil, executable: URL = RealProgram.executable
    ) throws {
        let place = FileManager.default.temporaryDirectory
        outputFile = place.appending(path: "zf-out-\(UUID().uuidString)")
        errorFile = place.appending(path: "zf-err-\(UUID().uuidString)")
        for file in [outputFile, errorFile] {
            try Data().write(to: file)
        }
        process = Process()
        process.executableURL = executable
        process.arguments = arguments
        if let directory { process.currentDirectoryURL = URL(filePath: directory) }
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        process.standardError = try FileHandle(forWritingTo: errorFile)
        let pipe = Pipe()
        process.standardInput = pipe
        try process.run()
        try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try pipe.fileHandleForWriting.close()
    }

    deinit {
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: outputFile)
        try? FileManager.default.removeItem(at: errorFile)
    }

    var pid: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }
    var output: String { text(of: outputFile) }
    var errors: String { text(of: errorFile) }

    func terminate() { Glibc.kill(pid, SIGTERM) }
    func kill() { Glibc.kill(pid, SIGKILL) }

    /// Holds the process still in whatever it does, until ``thaw()``.
    func freeze() { Glibc.kill(pid, SIGSTOP) }
    func thaw() { Glibc.kill(pid, SIGCONT) }

    /// The exit status, the negative number of a signal, or `nil` where it still runs after so long.
    func ended(within limit: Duration) async throws -> Int32? {
        let isOver = try await eventually(within: limit) { !self.process.isRunning }
        guard isOver else { return nil }
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// The first whole line that it prints.
    func firstLine(within limit: Duration = .seconds(20)) async throws -> String {
        let isThere = try await eventually(within: limit) { self.output.contains("\n") || !self.process.isRunning }
        guard isThere, let line = output.split(separator: "\n").first else {
            throw TestFailure("no line was printed; errors: \(errors)")
        }
        return String(line)
    }

    private func text(of file: URL) -> String {
        (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }
}

/// Asks again and again until something holds. The limit only ends a test that has failed already.
func eventually(within limit: Duration = .seconds(30), _ holds: () throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + limit
    while true {
        if try holds() { return true }
        guard ContinuousClock.now < deadline else { return false }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// What a test says when it cannot go on.
struct TestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
