#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension StatusReport {
    /// Adds that the daemon is of another program than the one that asks, where it is: an upgrade changes nothing in a process
    /// that runs.
    mutating func noteOtherProgram() {
        guard let daemon, let notice = Self.notice(daemon, Self.program(of: daemon.pid), in: folder) else { return }
        notices = (notices ?? []) + [notice]
    }

    /// - Parameter program: The file that the process runs, as the kernel names it; `nil` where it does not say.
    static func notice(_ daemon: Daemon, _ program: String?, in folder: String) -> Notice? {
        // proc(5): so it names a file that was removed, or replaced by another of its name.
        guard let program, program.hasSuffix(" (deleted)") else { return nil }
        let name = ShellWord.quoted(folder)
        return Notice(
            code: "olderDaemon",
            message: "The program was replaced after process \(daemon.pid) began: the daemon is older than it.",
            remedy: "zonefolder stop \(name); zonefolder start \(name)")
    }

    private static func program(of process: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes { buffer in
            readlink("/proc/\(process)/exe", buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
