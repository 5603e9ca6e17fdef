import Foundation
import Testing

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
        _ arguments: String..., input: String = "", in directory: String? = nil, limit: Duration = .seconds(180)
    ) async throws -> Outcome {
        try await run(arguments: arguments, input: input, in: directory, limit: limit)
    }

    /// Runs a command to its end.
    @discardableResult
    static func run(
        arguments: [String], input: String = "", in directory: String? = nil, limit: Duration = .seconds(180)
    ) async throws -> Outcome {
        let process = try RunningProgram(arguments: arguments, input: input, directory: directory)
        guard let status = try await process.ended(within: limit) else {
            process.kill()
            _ = try await process.ended(within: .seconds(120))
            throw TestFailure("zonefolder \(arguments.joined(separator: " ")) did not end within \(limit)")
        }
        return Outcome(status: status, output: process.output, errors: process.errors)
    }
}

/// Asks again and again until something holds. The limit only ends a test that has failed already.
func eventually(within limit: Duration = .seconds(120), _ holds: () throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + limit
    while true {
        if try holds() { return true }
        guard ContinuousClock.now < deadline else { return false }
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// What a test says when it cannot go on.
struct TestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
