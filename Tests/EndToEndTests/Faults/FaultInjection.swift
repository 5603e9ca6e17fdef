import Foundation

/// What is done to one real process at one of its calls that change the disk; see `CFaultInjector.h`.
struct FaultInjection: Sendable {
    enum Act: Hashable, Sendable, CustomStringConvertible {
        /// SIGKILL before the call.
        case kill
        /// SIGKILL when the first half of the bytes is written.
        case half
        /// The call answers success and does nothing.
        case lose
        /// The call fails, once.
        case fail(Int32)
        /// The call fails, and so does every later one.
        case failOn(Int32)

        var description: String {
            switch self {
            case .kill: "kill"
            case .half: "half"
            case .lose: "lose"
            case .fail(let number): "\(number)"
            case .failOn(let number): "\(number)+"
            }
        }
    }

    /// The library lies beside the program.
    static let library = RealProgram.executable.deletingLastPathComponent().appending(path: "libFaultInjector.so")

    /// Only calls on files below this directory count.
    var below: URL
    /// Where the calls are to be listed.
    var log: URL?
    /// At which call, from 1, and what.
    var point: (number: Int, act: Act)?
    /// What the line of that call begins with, so that only these are counted: `renameat2 /files/same.txt`.
    var step: String?
    /// Holds the nanoseconds that are added to the time of day, 8 bytes.
    var clock: URL?
    /// Holds the error that every counted call fails with while it is not 0, 4 bytes.
    var failing: URL?

    /// What `env` sets before it runs the program.
    var variables: [String] {
        var variables = ["LD_PRELOAD=\(Self.library.path)", "ZF_FAULT_BELOW=\(below.path)"]
        if let log { variables.append("ZF_FAULT_LOG=\(log.path)") }
        if let point { variables += ["ZF_FAULT_AT=\(point.number)", "ZF_FAULT_ACT=\(point.act)"] }
        if let step { variables.append("ZF_FAULT_STEP=\(step)") }
        if let failing { variables.append("ZF_FAULT_SWITCH=\(failing.path)") }
        if let clock { variables.append("ZF_CLOCK=\(clock.path)") }
        return variables
    }
}

extension RunningProgram {
    /// Starts the program with a fault in it, or without one.
    convenience init(arguments: [String], with fault: FaultInjection?) throws {
        guard let fault else {
            try self.init(arguments: arguments)
            return
        }
        guard FileManager.default.fileExists(atPath: FaultInjection.library.path) else {
            throw TestFailure("\(FaultInjection.library.path) is missing: the whole package has to be built")
        }
        try self.init(
            arguments: fault.variables + [RealProgram.executable.path] + arguments,
            executable: URL(filePath: "/usr/bin/env"))
    }
}

extension RealFolder {
    /// Brings folder and zone together once.
    @discardableResult
    func pass(with fault: FaultInjection? = nil) async throws -> RealProgram.Outcome {
        let pass = try RunningProgram(arguments: ["sync", path, "--json"], with: fault)
        guard let status = try await pass.ended(within: .seconds(180)) else {
            throw TestFailure("sync \(path) does not end: \(pass.errors)")
        }
        return RealProgram.Outcome(status: status, output: pass.output, errors: pass.errors)
    }
}
