import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// The editor of whoever runs this.
enum TextEditor {
    /// Returns once the editor has ended.
    /// - Parameter command: As in `EDITOR`: it may hold arguments, so a shell reads it, as git has it.
    /// - Returns: Whether it ended well.
    /// - Throws: ``CommandFailure`` where no shell can be started.
    static func edit(_ paths: [FilePath], by command: String) throws -> Bool {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // An interrupt from the terminal is meant for the editor.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGINT)
        sigaddset(&defaults, SIGQUIT)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let former = (signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN))
        defer {
            signal(SIGINT, former.0)
            signal(SIGQUIT, former.1)
        }
        let texts: [String] = ["sh", "-c", "\(command) \"$@\"", "sh"] + paths.map(\.string)
        var words = texts.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, "/bin/sh", nil, &attributes, &words, environ)
        guard result == 0 else { throw CommandFailure.system(Errno(rawValue: result), "start", "/bin/sh") }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }
}
