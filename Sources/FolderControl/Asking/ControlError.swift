import SystemPackage

/// Why a daemon could not be asked, or could not listen.
public struct ControlError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What to branch on.
    public enum Code: Hashable, Sendable {
        /// No daemon syncs the folder.
        case notRunning
        /// Another daemon listens already.
        case inUse
        /// The daemon refused the request, or is of another version.
        case refused
        /// The connection broke, or could not be made.
        case io
    }

    public var code: Code
    /// What is wrong, and the way out.
    public var message: String

    public var description: String { message }

    static func notRunning(_ folder: FilePath) -> Self {
        Self(
            code: .notRunning,
            message: "No daemon syncs \(folder). Start one: `zonefolder start \(ShellWord.quoted(folder.string))`.")
    }

    static func inUse(_ path: FilePath) -> Self {
        Self(code: .inUse, message: "Another daemon answers at \(path). Stop it first: `zonefolder stop`.")
    }

    static func inTheWay(_ path: FilePath) -> Self {
        Self(code: .io, message: "\(path) is in the way of the control socket and is no socket. Move it away.")
    }

    package static func refused(_ message: String) -> Self {
        Self(code: .refused, message: message)
    }

    static func unknownAnswer(_ path: FilePath) -> Self {
        Self(
            code: .refused,
            message: "The daemon at \(path) gave an answer that this version does not know. Restart the daemon: "
                + "`zonefolder stop`, then `zonefolder start`.")
    }

    static func silent(_ path: FilePath) -> Self {
        Self(
            code: .io,
            message: "The daemon at \(path) does not answer: it was stopped (SIGSTOP), or it waits for its disk. "
                + "Nothing is known until it does.")
    }

    static func ended(_ path: FilePath) -> Self {
        Self(code: .io, message: "The daemon at \(path) ended before it answered. Its log tells why.")
    }

    static func system(_ error: any Error, _ path: FilePath) -> Self {
        Self(code: .io, message: "The control socket \(path) cannot be used: \(error).")
    }
}
