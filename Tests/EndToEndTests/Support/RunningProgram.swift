import Foundation
import Glibc
import Synchronization

/// A process that is killed at the latest when nobody holds it any more.
///
/// Not Foundation's `Process`, which keeps descriptors of every process that it ever ran.
final class RunningProgram: Sendable {
    let pid: pid_t
    private let outputFile: URL
    private let errorFile: URL
    private let ending = Mutex<Int32?>(nil)

    /// Starts the program. Its output goes to files, so that no pipe can fill up.
    init(
        arguments: [String], input: String = "", directory: String? = nil, executable: URL = RealProgram.executable
    ) throws {
        let place = FileManager.default.temporaryDirectory
        outputFile = place.appending(path: "zf-out-\(UUID().uuidString)")
        errorFile = place.appending(path: "zf-err-\(UUID().uuidString)")

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var descriptors: [Int32] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        descriptors.append(try Self.pipe(holding: input))
        for file in [outputFile, errorFile] {
            let descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw TestFailure("\(file.path) cannot be made") }
            descriptors.append(descriptor)
        }
        for (number, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }

        // `env -C` changes the directory, which posix_spawn cannot do everywhere.
        let changes = directory.map { ["/usr/bin/env", "-C", $0] } ?? []
        var words = (changes + [executable.path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        Self.keepsFoldersApart
        var pid: pid_t = 0
        let result = posix_spawn(&pid, words[0]!, &actions, nil, &words, environ)
        guard result == 0 else { throw TestFailure("\(executable.path) cannot be started: error \(result)") }
        self.pid = pid
    }

    deinit {
        if isRunning {
            kill()
            var status: Int32 = 0
            waitpid(pid, &status, 0)
        }
        try? FileManager.default.removeItem(at: outputFile)
        try? FileManager.default.removeItem(at: errorFile)
    }

    /// The folders of tests are not listed among those of the person who runs them.
    private static let keepsFoldersApart: Void = {
        let place = FileManager.default.temporaryDirectory.appending(path: "zf-state-\(getpid())")
        setenv("XDG_STATE_HOME", place.path, 1)
    }()

    /// The descriptor that the text can be read from.
    private static func pipe(holding text: String) throws -> Int32 {
        precondition(text.utf8.count <= 4096, "a pipe takes one page for sure without a reader")
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw TestFailure("no pipe can be made") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let bytes = Array(text.utf8)
        _ = Glibc.write(ends[1], bytes, bytes.count)
        close(ends[1])
        return ends[0]
    }

    var isRunning: Bool { status == nil }
    var hasSucceeded: Bool { status == 0 }
    var output: String { text(of: outputFile) }
    var errors: String { text(of: errorFile) }

    func terminate() { send(SIGTERM) }
    func kill() { send(SIGKILL) }

    /// Holds the process still in whatever it does, until ``thaw()``.
    func freeze() { send(SIGSTOP) }
    func thaw() { send(SIGCONT) }

    /// The exit status, the negative number of a signal, or `nil` where it still runs after so long.
    func ended(within limit: Duration) async throws -> Int32? {
        _ = try await eventually(within: limit) { !self.isRunning }
        return status
    }

    /// The first whole line that it prints.
    func firstLine(within limit: Duration = .seconds(120)) async throws -> String {
        let isThere = try await eventually(within: limit) { self.output.contains("\n") || !self.isRunning }
        guard isThere, let line = output.split(separator: "\n").first else {
            throw TestFailure("no line was printed; errors: \(errors)")
        }
        return String(line)
    }

    /// The pid stays this process's until its ending was taken here.
    private func send(_ signal: Int32) {
        ending.withLock { ending in
            if ending == nil { Glibc.kill(pid, signal) }
        }
    }

    private var status: Int32? {
        ending.withLock { ending in
            if let ending { return ending }
            var status: Int32 = 0
            guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
            let signal = status & 0x7F
            ending = signal == 0 ? (status >> 8) & 0xFF : -signal
            return ending
        }
    }

    private func text(of file: URL) -> String {
        (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }
}
