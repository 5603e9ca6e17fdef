import StateStorage
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// A daemon that runs, as the system tells of it.
struct DaemonProcess {
    let process: pid_t
    /// The folders that it was started for, the one of the question first.
    let folders: [FilePath]

    /// The daemon that syncs a folder; `nil` where none does.
    init?(of directory: StateDirectory) {
        guard let process = FolderLock.holder(of: directory) else { return nil }
        self.process = process
        let others = Self.folders(of: process).filter { $0 != directory.folder }
        folders = [directory.folder] + others
    }

    /// The folders of `zonefolder run`, by the arguments of a process; none where they cannot be read.
    private static func folders(of process: pid_t) -> [FilePath] {
        guard let bytes = try? PlainFiles.read(FilePath("/proc/\(process)/cmdline")) else { return [] }
        let arguments = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        let place = AbsolutePath.resolved(FilePath("/proc/\(process)/cwd"))
        return paths(in: arguments).compactMap { StateDirectory.folder(holding: place.pushing(FilePath($0))) }
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

    /// Stops it, and returns once it has given up the folder.
    func stop() async throws {
        try await BackgroundDaemon(for: try StateDirectory.open(in: folders[0])).stop(within: .seconds(60))
    }

    /// Starts one for some of its folders, in the background.
    static func start(_ folders: [FilePath], report: (FilePath, pid_t) -> Void) async throws {
        let directories = folders.compactMap { try? StateDirectory.open(in: $0) }
        guard let first = directories.first else { return }
        try await BackgroundDaemon(for: first, and: Array(directories.dropFirst())).start(within: .seconds(30)) {
            folder, start in
            switch start {
            case .started(let process), .alreadyRuns(let process): report(folder, process)
            }
        }
    }
}
