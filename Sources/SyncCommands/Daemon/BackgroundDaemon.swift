import StateStorage
import SyncEngine
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// Starts the daemon of some folders, apart from the terminal, and sees it off.
struct BackgroundDaemon {
    enum Start {
        case alreadyRuns(pid_t)
        case started(pid_t)

        /// The result for one folder, in a sentence.
        func text(of folder: FilePath) -> String {
            switch self {
            case .alreadyRuns(let process): "Process \(process) already syncs \(folder)."
            case .started(let process): "Process \(process) syncs \(folder)."
            }
        }
    }

    /// A log over this size, in bytes, is put aside when a daemon starts.
    private static let longestLog: Int64 = 4 << 20

    private let directory: StateDirectory
    private let others: [StateDirectory]

    /// The first folder; its state directory has the log.
    var folder: FilePath { directory.folder }
    var log: FilePath { directory.path.appending("daemon.log") }

    init(for directory: StateDirectory, and others: [StateDirectory] = []) {
        self.directory = directory
        self.others = others
    }

    /// Starts one daemon for the folders of which none runs, and waits until it answers for them.
    /// - Parameter report: Is told of each folder once a daemon answers for it.
    /// - Throws: ``CommandFailure`` where that does not come about for one of them; the others are synced all the same.
    func start(within limit: Duration, report: (FilePath, Start) -> Void) async throws {
        var waiting: [StateDirectory] = []
        for directory in [directory] + others {
            if let process = FolderLock.holder(of: directory) {
                report(directory.folder, .alreadyRuns(process))
            } else {
                waiting.append(directory)
            }
        }
        guard let first = waiting.first else { return }
        try await BackgroundDaemon(for: first).run(waiting, within: limit, report: report)
    }

    private func run(
        _ directories: [StateDirectory], within limit: Duration, report: (FilePath, Start) -> Void
    ) async throws {
        for directory in directories { try directory.prepare() }
        let logStart = try prepareLog()
        let child = try ChildProcess(
            arguments: ["run"] + directories.map(\.folder.string), output: .appended(to: log), errors: .withOutput,
            isDetached: true)
        let deadline = ContinuousClock.now + limit
        var waiting = directories
        var failed: [StateDirectory] = []
        var ending: ChildProcess.Ending?
        while ContinuousClock.now < deadline {
            for directory in waiting {
                guard let status = try? await ControlClient(for: directory).status(), let daemon = status.daemon else {
                    continue
                }
                waiting.removeAll { $0.folder == directory.folder }
                report(directory.folder, .started(daemon.pid))
            }
            ending = ending ?? child.poll()
            // A daemon opens all its folders before it answers for one: what is not locked then, it could not open.
            if ending != nil || waiting.count + failed.count < directories.count {
                let left = waiting.filter { ending != nil || FolderLock.holder(of: $0) == nil }
                failed += left
                waiting.removeAll { directory in left.contains { $0.folder == directory.folder } }
            }
            guard !waiting.isEmpty else {
                guard let first = failed.first else { return }
                let isConfiguration = if case .exited(ExitStatus.configuration.code) = ending { true } else { false }
                throw CommandFailure.didNotStart(
                    first.folder, log: try logText(from: logStart), at: log,
                    status: isConfiguration ? .configuration : .error)
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw CommandFailure.startTimedOut(waiting[0].folder, seconds: Int(limit.components.seconds), at: log)
    }

    /// Stops the daemon, and waits until it has given up the folder.
    func stop(within limit: Duration) async throws {
        try await ControlClient(for: directory).stop()
        let deadline = ContinuousClock.now + limit
        while let process = FolderLock.holder(of: directory) {
            guard ContinuousClock.now < deadline else {
                throw CommandFailure.tookTooLong(
                    "The end of process \(process)", seconds: Int(limit.components.seconds))
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    // MARK: The log

    /// Puts a long log aside, and gives the place where the new daemon's part begins.
    private func prepareLog() throws -> Int64 {
        let file = try FileDescriptor.open(
            log, .writeOnly, options: [.create, .closeOnExec], permissions: [.ownerRead, .ownerWrite])
        let size = try file.closeAfter { try file.seek(offset: 0, from: .end) }
        guard size > Self.longestLog else { return size }
        guard rename(log.string, log.string + ".1") == 0 else {
            throw CommandFailure.system(Errno(rawValue: errno), "put aside", log)
        }
        return 0
    }

    private func logText(from start: Int64) throws -> String {
        let file = try FileDescriptor.open(log, .readOnly, options: .closeOnExec)
        return try file.closeAfter {
            let bytes = try [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
                count = try file.read(fromAbsoluteOffset: start, into: UnsafeMutableRawBufferPointer(buffer))
            }
            let text = String(decoding: bytes, as: UTF8.self)
            return text.split(separator: "\n").suffix(20).joined(separator: "\n")
        }
    }
}
