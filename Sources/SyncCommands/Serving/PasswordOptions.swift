import ArgumentParser
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// A password, never as an argument: every user of the machine can read those.
struct PasswordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A file whose first line is the password; - reads standard input.", valueName: "file"),
        completion: .file())
    var passwordFile: String?

    @Flag(name: .customLong("password"), help: "Ask for a password on the terminal.")
    var asks = false

    /// `nil` where none is wanted.
    func read() throws -> String? {
        guard let passwordFile else { return asks ? try PasswordPrompt.askTwice() : nil }
        return try SecretSource.read(passwordFile)
    }
}

/// Asks for a password without showing what is typed.
enum PasswordPrompt {
    static func askTwice() throws -> String {
        let password = try ask("Password: ")
        guard !password.isEmpty else { throw CommandFailure.emptyPassword("The terminal") }
        guard try ask("Once more: ").utf8.elementsEqual(password.utf8) else { throw CommandFailure.passwordsDiffer }
        return password
    }

    private static func ask(_ question: String) throws -> String {
        guard isatty(0) == 1 else { throw CommandFailure.noTerminal }
        var before = termios()
        guard tcgetattr(0, &before) == 0 else { throw CommandFailure.noTerminal }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        StandardError.printUnended(question)
        tcsetattr(0, TCSAFLUSH, &silent)
        let line = readLine(strippingNewline: true)
        tcsetattr(0, TCSAFLUSH, &before)
        StandardError.print("")
        return line ?? ""
    }
}
