import Logging

/// The log of a long-running command: lines on standard error.
enum ProgramLog {
    static func logger(level: Logger.Level) -> Logger {
        var logger = Logger(label: "zonefolder") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = level
        return logger
    }

    /// For commands that a person waits for: only what goes wrong.
    static let defaultLevel = Logger.Level.warning

    /// For libraries whose errors are told in another way.
    static let silent = Logger(label: "zonefolder") { _ in SwiftLogNoOpLogHandler() }

    /// For libraries whose steps nobody needs to follow.
    static let quiet = logger(level: .error)
}
