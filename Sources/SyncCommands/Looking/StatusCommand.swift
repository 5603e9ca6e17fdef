import ArgumentParser
import StateStorage
import SyncEngine

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say whether a folder is in sync; if not, why, and what to do.",
        discussion: """
            The verdict is one of: in-sync, syncing, pending (moves soon by itself), attention (a person is asked for), \
            degraded (part of the folder is not watched), paused (by `zonefolder pause`), offline, unknown. Exit status: 0 in sync, 3 syncing, \
            pending, paused or offline, 4 attention, 5 no daemon runs, 6 degraded or unknown, 7 an approval is needed.

            Whatever the verdict, it tells how the server can be reached: since when it is not, why, and when it is \
            tried next.

            With --wait, the whole folder is looked at, so that everything that was saved before the command is seen, and \
            the zone fetched anew, before it answers. Where the server cannot be reached, it waits for that until its \
            time is up, or without a limit until it was tried once more, and says offline (or pending) whatever is held. \
            Where the path of a file or a directory in the folder is given, the verdict, the held files and the conflicts \
            are those of that path; no symbolic link in the folder is followed. Without a daemon it tells what was last \
            known, and how to start one.
            """)

    @OptionGroup var folder: FolderArgument

    @Flag(help: "Print one JSON object instead of text; with --watch one for each change, on a line.")
    var json = false

    @Flag(help: "Show every change until interrupted.")
    var watch = false

    @Option(
        name: .customLong("wait"), defaultAsFlag: .none, parsing: .next,
        help: ArgumentHelp(
            "Wait until all that can be done is done, or for so many seconds: --wait=10.", valueName: "seconds"))
    var wait: WaitLimit?

    func validate() throws {
        if case .unreadable(let text) = wait {
            throw ValidationError(
                "'\(text)' is no number of seconds: --wait=10 has one. Name the folder before --wait.")
        }
        if watch, wait != nil { throw ValidationError("--watch and --wait exclude each other.") }
    }

    func run() async throws {
        let place = try folder.place
        let source = StatusSource(for: try FolderArgument.stateDirectory(of: place.folder), path: place.path)
        if watch { return try await show(changesFrom: source) }
        let report: StatusReport
        if let wait {
            report = try await ProgressLine.show(
                source.report, during: { try await source.settledReport(timeout: wait.duration) })
        } else {
            report = try await source.report()
        }
        try ReportPrinter.print(report, asJSON: json)
        throw ExitStatus(
            code: report.verdict.exitCode(isRunning: report.daemon != nil, needsApproval: report.approval != nil))
    }

    private func show(changesFrom source: StatusSource) async throws {
        var shown: StatusReport?
        while true {
            var report = try await source.report()
            let full = report
            // That time goes by is no change.
            report.lastFetchMilliseconds = nil
            report.lastPushMilliseconds = nil
            report.lastLookMilliseconds = nil
            report.network?.nextTryMilliseconds = nil
            if report != shown {
                StandardOutput.print(json ? try JSONText.line(full) : StatusText.line(of: full))
                shown = report
            }
            try await Task.sleep(for: .milliseconds(500))
        }
    }
}

/// How long `--wait` waits.
enum WaitLimit: ExpressibleByArgument, CustomStringConvertible {
    case none
    case seconds(Int)
    /// The parser drops a value that is none, so it is kept until it can be said.
    case unreadable(String)

    init?(argument: String) {
        if let seconds = Int(argument), seconds >= 0 { self = .seconds(seconds) } else { self = .unreadable(argument) }
    }

    var duration: Duration? {
        if case .seconds(let seconds) = self { .seconds(seconds) } else { nil }
    }

    var description: String {
        switch self {
        case .none: "no limit"
        case .seconds(let seconds): "\(seconds)"
        case .unreadable(let text): text
        }
    }
}

/// Where a folder's report comes from: its daemon, or the disk where none runs.
struct StatusSource: Sendable {
    private let directory: StateDirectory
    private let path: String?

    /// - Parameter path: Narrows the reports to what is at or below it, relative to the folder.
    init(for directory: StateDirectory, path: String? = nil) {
        self.directory = directory
        self.path = path
    }

    /// How the folder stands now.
    func report() async throws -> StatusReport {
        try await ask { try await $0.status(isOfPath: path != nil) }
    }

    /// How the folder stands once it has settled; without a daemon, as it was left.
    func settledReport(timeout: Duration?) async throws -> StatusReport {
        try await ask { try await $0.settledStatus(timeout: timeout) }
    }

    private func ask(_ question: (ControlClient) async throws -> StatusReport) async throws -> StatusReport {
        do {
            let client = try ControlClient(for: directory)
            let report = try await question(client)
            guard let path else { return report }
            return report.narrowed(
                to: path, steps: try await client.plannedSteps(),
                standing: try FileStanding(of: path, in: directory.folder))
        } catch let error as ControlError where error.code == .notRunning {
            let report = try StatusReport.stopped(folder: directory.folder)
            return path.map { report.narrowed(to: $0, steps: []) } ?? report
        }
    }
}
