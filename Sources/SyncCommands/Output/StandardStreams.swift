import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// Results: text for people or JSON for programs, written at once so that a reader in a pipe need not wait.
enum StandardOutput {
    static func print(_ text: String) {
        write(text + "\n", to: .standardOutput)
    }

    static var isTerminal: Bool { isatty(FileDescriptor.standardOutput.rawValue) == 1 }
}

/// Progress and errors.
enum StandardError {
    static func print(_ text: String) {
        write(text + "\n", to: .standardError)
    }

    static func printUnended(_ text: String) {
        write(text, to: .standardError)
    }

    static var isTerminal: Bool { isatty(FileDescriptor.standardError.rawValue) == 1 }
}

/// Nobody is left to be told of a failure here: the reader has gone.
private func write(_ text: String, to descriptor: FileDescriptor) {
    _ = try? descriptor.writeAll(text.utf8)
}
