import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// How wide and high a terminal is, and whether it shows colours; a pipe or a file has no width and no colours.
struct Terminal: Hashable, Sendable {
    /// In columns; `nil`: lines are left as long as they are.
    var width: Int?
    /// In lines.
    var height: Int?
    var hasColours = false

    /// A pipe or a file.
    static let none = Terminal()

    /// What standard output leads to, now: a window may have become another size.
    static var output: Terminal { of(.standardOutput, isTerminal: StandardOutput.isTerminal) }

    /// What standard error leads to.
    static var errors: Terminal { of(.standardError, isTerminal: StandardError.isTerminal) }

    private static func of(_ descriptor: FileDescriptor, isTerminal: Bool) -> Terminal {
        guard isTerminal else { return .none }
        var size = winsize()
        let isKnown = ioctl(descriptor.rawValue, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return Terminal(
            width: isKnown ? Int(size.ws_col) : 80, height: isKnown ? Int(size.ws_row) : 24,
            hasColours: !ProgramEnvironment.current.isPlain)
    }
}
