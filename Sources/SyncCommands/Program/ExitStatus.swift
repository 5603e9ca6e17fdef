import ArgumentParser
import CloudKitClient
import FolderControl
import FolderSettings
import StateStorage
import SyncService
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// How a command ends; throw one to end with it after everything was said.
struct ExitStatus: Error, Hashable, Sendable {
    var code: Int32

    static let done = Self(code: 0)
    static let error = Self(code: 1)
    static let usage = Self(code: 2)
    static let pending = Self(code: 3)
    static let attention = Self(code: 4)
    static let notRunning = Self(code: 5)
    static let unknown = Self(code: 6)
    static let approvalNeeded = Self(code: 7)
    /// EX_CONFIG of sysexits.h: no restart helps, so systemd is told to make none.
    static let configuration = Self(code: 78)

    init(code: Int32) {
        self.code = code
    }

    /// The status for an error that ended a command.
    init(of error: any Error) {
        switch error {
        case let status as ExitStatus: self = status
        case let failure as CommandFailure: self = failure.status
        case let error as ControlError: self = error.code == .notRunning ? .notRunning : .error
        case let error as StateError: self = Self.status(of: error.code)
        case _ where Self.isParsersOwn(error):
            let code = ZonefolderCommand.exitCode(for: error)
            // ArgumentParser says EX_USAGE (64) where this program says 2.
            self = code == .validationFailure ? .usage : Self(code: code.rawValue)
        default: self = .error
        }
    }

    private static func status(of code: StateError.Code) -> Self {
        switch code {
        case .missing, .newerSchema, .corrupt, .configuration: .configuration
        case .locked, .diskFull, .permissionDenied, .io: .error
        }
    }

    /// Ends the process: with 1 where its results could not be written.
    func endProcess() -> Never {
        let failure = StandardOutput.failure
        exit(failure == nil || failure == .brokenPipe ? code : Self.error.code)
    }

    /// Whether the argument parser threw it: a request for help, an exit code, or a mistake in the arguments.
    static func isParsersOwn(_ error: any Error) -> Bool {
        switch error {
        case is CleanExit, is ValidationError, is ExitCode: true
        // The parser's own errors are not public; this one type wraps them all.
        default: String(reflecting: type(of: error)).hasPrefix("ArgumentParser.")
        }
    }
}
