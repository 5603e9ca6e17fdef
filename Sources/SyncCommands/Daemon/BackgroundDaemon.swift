import FolderControl
import FolderSettings
import StateStorage
import SyncService
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// The daemon of some folders, apart from the terminal: one that runs, or one that is to be started.
struct BackgroundDaemon {
    enum Start {
        case alreadyRuns(pid_t)
        case started(pid_t)

        /// The process that syncs the folder now.
        var process: pid_t {
            switch self {
            case .alreadyRuns(let process), .started(let process): process
            }
        }

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

    /// Of its folders, with the first one's log. None: there is nothing to start.
    let directories: [StateDirectory]
    /// The process that ran when it was asked for; `nil` of one that is to be started.
    let process: pid_t?

    /// The unit of systemd whose process it is, which begins and ends it then.
    let unit: FolderUnit?

    /// One that is to be started.
    init(for directories: [StateDirectory]) {
        self.directories = directories
        process = nil
        unit = nil
    }

    /// The one that syncs a folder, which is the first of its folders then; `nil` where none does.
    init?(syncing directory: StateDirectory) async {
        guard let process = FolderLock.holder(of: directory) else { return nil }
        self.process = process
        let others = Self.folders(of: process).filter { $0 != directory.folder }
        directories = [directory] + others.compactMap { try? StateDirectory.open(in: $0) }
        unit = await FolderUnit.running(process, for: directory.folder)
    }

    /// One for the other folders than the first.
    var others: Self { Self(for: Array(directories.dropFirst())) }

    // MARK: Beginning and end

    /// Starts one daemon for the folders of which none runs, and waits until it answers for them.
    /// - Parameter report: Is told of each folder once a daemon answers for it.
    /// - Throws: ``CommandFailure`` where that does not come about for one of them; the others are synced all the same.
    func start(
        within limit: Duration = .seconds(30), report: (FilePath, Start) -> Void = { _, _ in }
    ) async throws {
        if let unit { try await Self.start(unit, within: limit) }
        var waiting: [StateDirectory] = []
        for directory in directories {
            guard let process = try await FolderHolder.answering(for: directory, within: limit) else {
                waiting.append(directory)
                continue
            }
            report(directory.folder, .alreadyRuns(process))
        }
        guard let first = waiting.first else { return }
        try await Self.run(waiting, log: Self.log(of: first), within: limit, report: report)
    }

    /// Lets systemd start a daemon, and waits until it answers, whatever the unit calls started.
    private static func start(_ unit: FolderUnit, within limit: Duration) async throws {
        try await unit.start()
        let client = try ControlClient(for: StateDirectory.open(in: unit.folder))
        let deadline = ContinuousClock.now + limit
        while (try? await client.status()) == nil {
            guard ContinuousClock.now < deadline else {
                throw CommandFailure.unitTimedOut(unit, seconds: Int(limit.components.seconds))
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private static func run(
        _ directories: [StateDirectory], log: FilePath, within limit: Duration, report: (FilePath, Start) -> Void
    ) async throws {
        for directory in directories { try directory.prepare() }
        let logStart = try prepare(log)
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
                    first.folder, log: try text(of: log, from: logStart), at: log,
                    status: isConfiguration ? .configuration : .error)
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw CommandFailure.startTimedOut(waiting[0].folder, seconds: Int(limit.components.seconds), at: log)
    }

    /// Stops the daemon, and waits until it has given up the first folder.
    /// - Parameter others: The folders that it syncs besides, which it gives up as well.
    func stop(within limit: Duration = .seconds(60), besides others: [StateDirectory] = []) async throws {
        guard let directory = directories.first else { return }
        let deadline = ContinuousClock.now + limit
        let daemon = FolderLock.holder(of: directory)
        if let unit { try await unit.stop() } else { try await ControlClient(for: directory).stop(within: limit) }
        for held in [directory] + others {
            while let process = FolderLock.holder(of: held), process == daemon || held == directory {
                guard ContinuousClock.now < deadline else {
                    throw CommandFailure.tookTooLong(
                        "The end of process \(process)", seconds: Int(limit.components.seconds))
                }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    // MARK: The log

    /// The log of a daemon whose first folder this is.
    static func log(of directory: StateDirectory) -> FilePath { directory.path.appending("daemon.log") }

    /// Puts a long log aside, and gives the place where the new daemon's part begins.
    private static func prepare(_ log: FilePath) throws -> Int64 {
        let file = try FileDescriptor.open(
            log, .writeOnly, options: [.create, .closeOnExec], permissions: [.ownerRead, .ownerWrite])
        let size = try file.closeAfter { try file.seek(offset: 0, from: .end) }
        guard size > longestLog else { return size }
        guard rename(log.string, log.string + ".1") == 0 else {
            throw CommandFailure.system(Errno(rawValue: errno), "put aside", log)
        }
        return 0
    }

    private static func text(of log: FilePath, from start: Int64) throws -> String {
        let file = try FileDescriptor.open(log, .readOnly, options: .closeOnExec)
        return try file.closeAfter {
            let bytes = try [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
                count = try file.read(fromAbsoluteOffset: start, into: UnsafeMutableRawBufferPointer(buffer))
            }
            let text = String(decoding: bytes, as: UTF8.self)
            return text.split(separator: "\n").suffix(20).joined(separator: "\n")
        }
    }

    // MARK: The folders of one that runs

    /// The folders of `zonefolder run`, by the arguments of a process; none where they cannot be read.
    private static func folders(of process: pid_t) -> [FilePath] {
        named(by: process).compactMap { StateDirectory.folder(holding: $0) }
    }

    /// The paths that the arguments of a process name, absolute; they may lie in a folder, or be gone.
    static func named(by process: pid_t) -> [FilePath] {
        guard let bytes = try? PlainFiles.read(FilePath("/proc/\(process)/cmdline")) else { return [] }
        let arguments = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        let place = AbsolutePath.resolved(FilePath("/proc/\(process)/cwd"))
        return paths(in: arguments).map { place.pushing(FilePath($0)) }
    }

    /// The paths among the arguments of `zonefolder run`.
    static func paths(in arguments: [String]) -> [String] {
        guard let command = arguments.firstIndex(of: "run") else { return [] }
        var paths: [String] = []
        var isValue = false
        var areAllPaths = false
        for argument in arguments[(command + 1)...] {
            if isValue {
                isValue = false
            } else if areAllPaths || !argument.hasPrefix("-") {
                paths.append(argument)
            } else if argument == "--" {
                areAllPaths = true
            } else {
                // Each of its options has a value.
                isValue = !argument.contains("=")
            }
        }
        return paths.isEmpty ? ["."] : paths
    }
}
