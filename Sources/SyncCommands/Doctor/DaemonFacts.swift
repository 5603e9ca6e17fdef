import FolderControl
import FolderSettings
import StateStorage
import SyncService

#if canImport(Glibc)
    import Glibc
#endif

/// The process that syncs the folder, and whether it is of this program's version.
struct DaemonFacts: Sendable {
    /// Who holds the folder's lock; `nil`: nobody.
    var process: Int32?
    /// What it answered.
    var report: StatusReport?
    /// Why it did not.
    var failure: String?
    /// Whether the file of its program was replaced or removed since it began.
    var isReplaced = false
    var program = ProgramVersion.current

    var findings: [Finding] {
        guard let process else {
            return [
                Finding(
                    .daemon, .degraded, "No daemon runs, so nothing is synced.", remedy: "zonefolder start")
            ]
        }
        guard let report else {
            return [
                Finding(
                    .daemon, .problem,
                    "Process \(process) holds the folder and does not answer: \(failure ?? "no reason known").",
                    remedy:
                        "See daemon.log in .zonefolder; where it stays so, end it: kill \(process), then zonefolder start",
                    anonymous: "A process holds the folder and does not answer.")
            ]
        }
        let version = report.daemon?.version
        if version != program || isReplaced {
            let what = version != program ? "version \(version ?? "unknown")" : "an older build of version \(program)"
            return [
                Finding(
                    .daemon, .degraded, "Process \(process) runs \(what), and this program is \(program).",
                    remedy: "zonefolder stop && zonefolder start", anonymous: "The daemon runs \(what).")
            ]
        }
        return [
            Finding(
                .daemon, .ok,
                "Process \(process) syncs the folder, with version \(program): \(report.verdict.rawValue).",
                anonymous: "The daemon is of this version: \(report.verdict.rawValue).")
        ]
    }
}

extension DaemonFacts {
    /// Asks the daemon, where one runs.
    init(of directory: StateDirectory) async {
        process = FolderLock.holder(of: directory)
        guard let process else { return }
        do {
            report = try await ControlClient(for: directory).status()
        } catch {
            failure = "\(error)"
        }
        isReplaced = Self.isProgramReplaced(of: process)
    }

    /// The kernel adds a word to the name of a program whose file is gone.
    private static func isProgramReplaced(of process: Int32) -> Bool {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            let count = readlink("/proc/\(process)/exe", buffer.baseAddress!, buffer.count)
            guard count > 0 else { return false }
            let name = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return name.hasSuffix(" (deleted)")
        }
    }
}
