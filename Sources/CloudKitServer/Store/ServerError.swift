import SystemPackage

/// Why the server could not start or store something; what a request does wrong is an `ErrorDictionary` instead.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What to branch on.
    public enum Code: Hashable, Sendable {
        case inUse, file, diskFull, address
    }

    /// The kind of failure.
    public var code: Code
    /// For people: what is wrong, and the way out.
    public var message: String

    /// The message.
    public var description: String { message }

    static func inUse(_ directory: FilePath) -> Self {
        Self(
            code: .inUse,
            message: "Another server already uses \(directory). Stop it first, or choose another directory.")
    }

    static func file(_ call: String, _ path: FilePath, _ error: Errno) -> Self {
        Self(code: error == .noSpace ? .diskFull : .file, message: "Cannot \(call) \(path): \(error).")
    }

    static func cannotListen(_ host: String, _ port: Int, _ error: Errno) -> Self {
        Self(
            code: .address,
            message: error == .addressInUse
                ? "Another program listens on \(host), port \(port). Choose another port, or end that program."
                : "Cannot listen on \(host), port \(port): \(error). Choose an address of this machine, and a port that "
                    + "you may use.")
    }

    static let neverListened = Self(code: .address, message: "The server stopped before it listened on a port.")
}
