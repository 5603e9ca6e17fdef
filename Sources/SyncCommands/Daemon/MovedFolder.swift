import FolderControl
import FolderSettings
import StateStorage
import SyncModel
import SyncService
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// A folder that was moved while its daemon ran: the daemon has it locked, and looks for it where it was.
enum MovedFolder {
    /// Ends the daemon that looks for a folder at its former place, and starts one for the others that it syncs.
    /// - Returns: The former place; `nil` where no daemon looks elsewhere.
    static func leaveFormerPlace(_ directory: StateDirectory) async throws -> String? {
        guard FolderLock.holder(of: directory) != nil,
            let report = try? await ControlClient(for: directory).status(within: FolderHolder.longestAnswer),
            isElsewhere(report, than: directory)
        else { return nil }
        let former = report.folder
        let daemon = await BackgroundDaemon(syncing: directory)
        try await daemon?.stop()
        try await daemon?.others.start { folder, start in
            StandardError.print("Process \(start.process) syncs \(folder).")
        }
        KnownFolders.forget(FilePath(former))
        return former
    }

    /// What its daemon tells of a folder; where that looks for it elsewhere, that it was moved, and the way out.
    static func told(_ report: StatusReport, of directory: StateDirectory) -> StatusReport {
        let (former, folder) = (report.folder, directory.folder.string)
        guard isElsewhere(report, than: directory) else { return report }
        var report = report
        report.folder = folder
        report.verdict = .attention
        report.reason = "It was moved here from \(former) while its daemon ran."
        report.held.removeAll(where: \.path.isEmpty)
        report.held.append(
            StatusReport.Held(
                path: "", code: Problem.Code.unreadable.rawValue,
                message: "\(folder) was moved here from \(former) while its daemon ran, which does nothing since.",
                remedy:
                    "Go on here: zonefolder start \(ShellWord.quoted(folder)). Or put it back; it goes on by itself then."
            ))
        return report
    }

    /// Whether a daemon looks for a folder where it is not, and misses it there. A folder can have several paths, and a daemon in a
    /// container has others than who asks it.
    private static func isElsewhere(_ report: StatusReport, than directory: StateDirectory) -> Bool {
        guard report.held.contains(where: { $0.path.isEmpty && $0.code == Problem.Code.unreadable.rawValue }) else {
            return false
        }
        let path = report.folder
        var (own, other) = (stat(), stat())
        guard stat(directory.path.string, &own) == 0 else { return false }
        guard stat(FilePath(path).appending(StateDirectory.name).string, &other) == 0 else { return errno == ENOENT }
        return own.st_dev != other.st_dev || own.st_ino != other.st_ino
    }
}
