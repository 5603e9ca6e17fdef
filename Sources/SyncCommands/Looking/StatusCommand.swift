import ArgumentParser
import FolderControl
import FolderSettings
import StateStorage
import SyncEngine
import SyncModel
import SyncService
import SystemPackage

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say whether a folder is in sync; if not, why, and what to do.",
        discussion: """
            The verdict is one of: in-sync, syncing, pending (moves soon by itself), attention (a person is asked for), \
            degraded (part of the folder is not watched), paused (by `zonefolder pause`), offline, unknown; and not-synced of a \
            path that is left out. Exit status: 0 in sync, 3 syncing, pending, paused or offline, 4 attention or not \
            synced, 5 no daemon runs, 6 degraded or unknown, 7 an approval is needed.

            Whatever the verdict, it tells how the server can be reached: since when it is not, why, and when it is \
            tried next.

            With --wait, the whole folder is looked at, so that everything that was saved before the command is seen, and \
            the zone fetched anew, before it answers. Where the server cannot be reached, it waits for that until its \
            time is up, or without a limit until it was tried once more, and says offline (or pending) whatever is held. \
            Where the path of a file or a directory in the folder is given, the verdict, the held files and the conflicts \
            are those of that path; no symbolic link in the folder is followed. A path of which nothing is known, \
            neither here nor in the zone nor in what was, is an error: exit status 1. Without a daemon it tells what was \
            last known, and how to start one.

            Of several folders that are named it tells a line each: verdict, path, what is pending or how to go on. Outside \
            of any folder it does so of all folders of yours. Its exit status is that of the most urgent one: 7, 4, 6, 5, 3, \
            0 in this order. Known is what `init` and `run` noted in $XDG_STATE_HOME/zonefolder/folders \
            (~/.local/state/zonefolder/folders).

              zonefolder status ~/notes --wait
              zonefolder status --watch

            On a terminal, words are coloured unless NO_COLOR is set, and lines are broken at its width.
            """)

    @OptionGroup var folders: FolderArguments

    @Flag(help: "Print one JSON object instead of text; with --watch one for each change, on a line.")
    var json = false

    @Flag(help: "Show every change until interrupted.")
    var watch = false

    @Option(
        name: .customLong("wait"), defaultAsFlag: .none, parsing: .next,
        help: ArgumentHelp(
            "Wait until all that can be done is done, or for so many seconds: --wait=10.", valueName: "seconds"))
    var wait: WaitLimit?

    mutating func validate() throws {
        if case .unreadable(let text) = wait {
            // The path of `--wait PATH`: the parser takes the next word for the number.
            guard try PlainFiles.exists(AbsolutePath.of(text)) else {
                throw ValidationError(
                    "'\(text)' is no number of seconds, as --wait=10 has one, and no path that is there.")
            }
            folders.paths.insert(text, at: 0)
            wait = WaitLimit.none
        }
        if watch, wait != nil { throw ValidationError("--watch and --wait exclude each other.") }
    }

    func run() async throws {
        if folders.paths.count > 1 {
            let named = try folders.wholeFolders
            return try await show { named }
        }
        let folder = try FolderArgument.of(folders.paths.first)
        if let list = try folder.isNamedOrHeld ? nil : KnownFolders.current, try !list.list().isEmpty {
            return try await show(list.list)
        }
        let place = try folder.place
        let source = StatusSource(for: try FolderArgument.stateDirectory(of: place.folder), path: place.path)
        if watch { return try await show(changesFrom: source) }
        let report: StatusReport
        if let wait {
            report = try await ProgressLine.show(
                { try await source.report() }, during: { try await source.settledReport(timeout: wait.duration) })
        } else {
            report = try await source.report()
        }
        // What is neither here nor there is the same on both sides, and yet a slip.
        if report.verdict == .inSync { try KnownPath.check(place.path, in: source.directory) }
        try ReportPrinter.print(report, asJSON: json)
        throw ExitStatus(
            code: report.verdict.exitCode(isRunning: report.daemon != nil, needsApproval: report.needsApproval))
    }

    private func show(changesFrom source: StatusSource) async throws {
        var shown: StatusReport?
        var screen = WatchedScreen()
        while true {
            var report = try await source.report()
            let full = report
            if !json, StandardOutput.isTerminal {
                StandardOutput.printUnended(
                    screen.frame(
                        of: StatusText.lines(of: full, now: WallClock.now, in: try? AbsolutePath.of(".")), for: .output)
                )
            } else {
                // That time goes by is no change.
                report.lastFetchMilliseconds = nil
                report.lastPushMilliseconds = nil
                report.lastLookMilliseconds = nil
                report.network?.nextTryMilliseconds = nil
                report.progress?.elapsedMilliseconds = nil
                (report.traffic, report.work) = (nil, nil)
                if report != shown {
                    StandardOutput.print(json ? try JSONText.line(full) : StatusText.line(of: full))
                    shown = report
                }
            }
            try StandardOutput.checkIsRead()
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    // MARK: Several folders

    /// - Parameter folders: They are asked for anew where changes are shown.
    private func show(_ folders: () throws -> [FilePath]) async throws {
        let wait = wait
        if !watch {
            let lines = try await FolderLine.all(of: folders()) { source in
                guard let wait else { return try await source.report() }
                return try await source.settledReport(timeout: wait.duration)
            }
            if json {
                StandardOutput.print(try JSONText.pretty(lines))
            } else {
                for line in Self.texts(lines) { StandardOutput.print(line) }
            }
            throw FolderLine.exitStatus(of: lines)
        }
        var shown: [FolderLine]?
        var screen = WatchedScreen()
        while true {
            let lines = try await FolderLine.all(of: folders()) { try await $0.report() }
            if !json, StandardOutput.isTerminal {
                StandardOutput.printUnended(screen.frame(of: Self.texts(lines), for: .output))
            } else if lines != shown {
                if json { StandardOutput.print(try JSONText.line(lines)) }
                if !json { for line in Self.texts(lines) { StandardOutput.print(line.text) } }
                shown = lines
            }
            try StandardOutput.checkIsRead()
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    private static func texts(_ lines: [FolderLine]) -> [TextLine] {
        let width = lines.map(\.folder.columns).max() ?? 0
        return lines.map { $0.text(padding: width) }
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
    let directory: StateDirectory
    private let path: FolderPath?

    /// - Parameter path: Narrows the reports to what is at or below it, relative to the folder.
    init(for directory: StateDirectory, path: FolderPath? = nil) {
        self.directory = directory
        self.path = path
    }

    /// How the folder stands now.
    /// - Parameter patience: How long to wait for the daemon's answer; half a minute where that is left out.
    func report(within patience: Duration? = nil) async throws -> StatusReport {
        try await ask { try await $0.status(isOfPath: path != nil, within: patience) }
    }

    /// How the folder stands once it has settled; without a daemon, as it was left.
    func settledReport(timeout: Duration?) async throws -> StatusReport {
        try await ask { try await $0.settledStatus(timeout: timeout) }
    }

    private func ask(_ question: (ControlClient) async throws -> StatusReport) async throws -> StatusReport {
        do {
            let client = try ControlClient(for: directory)
            var report = AllLeftOut.told(
                MovedFolder.told(try await question(client), of: directory), in: directory.folder)
            report.conflicts = ConflictPlaces.following(report.conflicts, in: directory)
            guard let path else { return report }
            return report.narrowed(
                to: path.description, steps: try await client.plan(asKnown: true).steps,
                standing: try FileStanding(of: path, in: directory))
        } catch let error as ControlError where error.code == .notRunning {
            var report = AllLeftOut.told(try StatusReport.stopped(folder: directory.folder), in: directory.folder)
            report.conflicts = ConflictPlaces.following(report.conflicts, in: directory)
            return path.map { report.narrowed(to: $0.description, steps: []) } ?? report
        }
    }
}
