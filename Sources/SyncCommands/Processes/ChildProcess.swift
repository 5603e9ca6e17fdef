import Synchronization
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// A process that this one started.
final class ChildProcess: Sendable {
    /// Where a child's output goes.
    enum Output {
        case inherited
        case appended(to: FilePath)
        /// Standard output only: read it with ``firstLine()`` or ``wholeOutput()``.
        case pipe
        /// Standard error only: where standard output goes.
        case withOutput
    }

    /// How a process ended.
    enum Ending: Hashable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    let pid: pid_t
    private let output: FileDescriptor?
    private let ending = Mutex<Ending?>(nil)

    /// `POSIX_SPAWN_SETSID` of spawn.h, which shows only under `_GNU_SOURCE`.
    private static let startsSession = 0x80

    /// This program's own file, also after it was replaced or moved.
    static let ownProgram = "/proc/self/exe"

    /// Starts this program with other arguments, or another one.
    /// - Parameters:
    ///   - program: The name of another program, which is looked for as a shell does.
    ///   - input: What it reads on standard input.
    ///   - isDetached: Puts it into a session of its own, so that it outlives the terminal.
    init(
        program: String? = nil, arguments: [String], input: String = "", output: Output = .inherited,
        errors: Output = .inherited,
        isDetached: Bool = false
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let standardInput = try Self.inputPipe(holding: input)
        posix_spawn_file_actions_adddup2(&actions, standardInput.rawValue, 0)

        // This process's copies of what the child gets.
        var toClose = [standardInput]
        defer { for descriptor in toClose { try? descriptor.close() } }
        var readEnd: FileDescriptor?
        for (place, number) in [(output, Int32(1)), (errors, Int32(2))] {
            switch place {
            case .inherited: break
            case .withOutput: posix_spawn_file_actions_adddup2(&actions, 1, number)
            case .appended(let path):
                let file = try FileDescriptor.open(
                    path, .writeOnly, options: [.append, .create, .closeOnExec],
                    permissions: [.ownerRead, .ownerWrite])
                toClose.append(file)
                posix_spawn_file_actions_adddup2(&actions, file.rawValue, number)
            case .pipe:
                let ends = try Self.pipe()
                toClose.append(ends.writeEnd)
                readEnd = ends.readEnd
                posix_spawn_file_actions_adddup2(&actions, ends.writeEnd.rawValue, number)
            }
        }

        Self.keepDescriptors()

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        if isDetached { posix_spawnattr_setflags(&attributes, Int16(Self.startsSession)) }

        var words = ([program ?? "zonefolder"] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        let result = posix_spawnp(&pid, program ?? Self.ownProgram, &actions, &attributes, &words, environ)
        guard result == 0 else {
            try? readEnd?.close()
            throw CommandFailure.system(Errno(rawValue: result), "start", FilePath(program ?? Self.ownProgram))
        }
        self.pid = pid
        self.output = readEnd
    }

    deinit {
        try? output?.close()
    }

    /// How the process ended, or `nil` while it runs. Its end is noticed here, and only here.
    func poll() -> Ending? {
        ending.withLock { ending in
            if ending != nil { return ending }
            var status: Int32 = 0
            guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
            let signal = status & 0x7F
            ending = signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
            return ending
        }
    }

    /// Asks the process to end; does nothing once it has.
    func send(signal: Int32) {
        // The pid stays this child's until `poll()` has taken its ending.
        ending.withLock { ending in
            if ending == nil { kill(pid, signal) }
        }
    }

    /// Waits until the process ends, or for so long.
    func ended(within limit: Duration) async -> Ending? {
        let deadline = ContinuousClock.now + limit
        while true {
            if let ending = poll() { return ending }
            guard ContinuousClock.now < deadline else { return nil }
            // Cancellation must not leave a child behind: then this turns without a pause, until the deadline.
            try? await Task.sleep(for: .milliseconds(5))
            if Task.isCancelled { usleep(5000) }
        }
    }

    /// Ends the process, by force where it does not end by itself.
    func end(within limit: Duration = .seconds(10)) async {
        send(signal: SIGTERM)
        if await ended(within: limit) == nil {
            send(signal: SIGKILL)
            _ = await ended(within: .seconds(5))
        }
    }

    /// Ends a detached process by force, and with it what it started.
    func endWithChildren() async {
        // The pid stays the group's until `poll()` has taken the ending.
        ending.withLock { ending in
            if ending == nil { kill(-pid, SIGKILL) }
        }
        _ = await ended(within: .seconds(5))
    }

    /// The first line that the process wrote to its pipe; `nil` where it ended without one.
    func firstLine() async throws -> String? {
        let line = try await read { $0 == UInt8(ascii: "\n") }
        return line.isEmpty ? nil : line
    }

    /// All that the process writes to its pipe, until it closes it.
    func wholeOutput() async throws -> String {
        try await read { _ in false }
    }

    /// Byte by byte, so that nothing after the end is taken away; a few hundred at most.
    private func read(until isEnd: (UInt8) -> Bool) async throws -> String {
        guard let output else { return "" }
        _ = fcntl(output.rawValue, F_SETFL, O_NONBLOCK)
        var text: [UInt8] = []
        while true {
            do {
                let piece = try [UInt8](unsafeUninitializedCapacity: 1) { buffer, count in
                    count = try output.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
                guard let byte = piece.first, !isEnd(byte) else { return String(decoding: text, as: UTF8.self) }
                text.append(byte)
            } catch Errno.wouldBlock {
                try await Task.sleep(for: .milliseconds(2))
            }
        }
    }

    /// A pipe that holds a child's whole input, so that nobody has to feed it.
    private static func inputPipe(holding text: String) throws -> FileDescriptor {
        precondition(text.utf8.count <= 4096, "a pipe takes one page for sure without a reader")
        let ends = try pipe()
        try ends.writeEnd.closeAfter { _ = try ends.writeEnd.writeAll(text.utf8) }
        return ends.readEnd
    }

    /// Keeps every descriptor but the standard ones from the next child. Those of whoever started this program are none
    /// of the child's business: it may outlive them, and somebody may wait for them to be closed.
    private static func keepDescriptors() {
        guard let list = opendir("/proc/self/fd") else { return }
        defer { closedir(list) }
        while let entry = readdir(list) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if let number = Int32(name), number > 2 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        }
    }

    private static func pipe() throws -> (readEnd: FileDescriptor, writeEnd: FileDescriptor) {
        let ends = try FileDescriptor.pipe()
        for end in [ends.readEnd, ends.writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
        return ends
    }
}
