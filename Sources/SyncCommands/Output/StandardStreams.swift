import Synchronization
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// Results: text for people or JSON for programs, written at once so that a reader in a pipe need not wait.
enum StandardOutput {
    private static let firstFailure = Mutex<Errno?>(nil)

    /// Why something could not be written, such as a full disk; the process ends with 1 then, whatever else it did. A reader
    /// that has gone is no error, and a reason to go on no longer.
    static var failure: Errno? { firstFailure.withLock { $0 } }

    static func print(_ text: String) {
        printUnended(text + "\n")
    }

    static func print(_ line: TextLine) {
        for text in line.rendered(for: .output) { print(text) }
    }

    static func printUnended(_ text: String) {
        do {
            try FileDescriptor.standardOutput.writeAll(text.utf8)
        } catch {
            let failure = error as? Errno ?? .ioError
            let isFirst = firstFailure.withLock { first in
                defer { first = first ?? failure }
                return first == nil
            }
            guard isFirst, failure != .brokenPipe else { return }
            StandardError.print("zonefolder: standard output cannot be written: \(failure).")
        }
    }

    /// Ends a command that shows one thing after another where nobody can be shown any more: a pipe's reader that has gone is
    /// noticed also while there is nothing to write.
    /// - Throws: ``ExitStatus``.
    static func checkIsRead() throws {
        if failure != nil { throw ExitStatus.done }
        var output = pollfd(fd: FileDescriptor.standardOutput.rawValue, events: 0, revents: 0)
        // POLLERR of a pipe without a reader, POLLHUP of a terminal that was closed (poll(2)).
        if poll(&output, 1, 0) == 1, output.revents & Int16(POLLERR | POLLHUP) != 0 { throw ExitStatus.done }
    }

    static var isTerminal: Bool { isatty(FileDescriptor.standardOutput.rawValue) == 1 }
}

/// Progress and errors.
enum StandardError {
    static func print(_ text: String) {
        printUnended(text + "\n")
    }

    static func print(_ line: TextLine) {
        for text in line.rendered(for: .errors) { print(text) }
    }

    /// Nobody is left to be told of a failure here.
    static func printUnended(_ text: String) {
        _ = try? FileDescriptor.standardError.writeAll(text.utf8)
    }

    static var isTerminal: Bool { isatty(FileDescriptor.standardError.rawValue) == 1 }
}
