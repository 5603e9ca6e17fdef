import ArgumentParser
import FolderControl
import FolderSettings
import StateStorage
import SyncService

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Bring folder and zone together once.",
        discussion: """
            Looks at both sides, does all that can be done, and ends with the verdict and its exit status. Where a \
            daemon runs, it is asked to do so. A folder that is paused is left alone: exit status 3.
            """)

    @OptionGroup var folder: FolderArgument

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    @Option(help: "How much to log: trace, debug, info, notice, warning, error or critical.")
    var logLevel = ProgramLog.defaultLevel

    func run() async throws {
        let directory = try folder.stateDirectory
        let report: StatusReport
        do {
            report = AllLeftOut.told(try await settledReport(of: directory), in: directory.folder)
        } catch let error as FolderIsPaused {
            throw CommandFailure.paused(
                directory.folder, until: PauseText.end(error.untilMilliseconds, now: WallClock.now))
        }
        try ReportPrinter.print(report, asJSON: json)
        throw ExitStatus(
            code: report.verdict.exitCode(isRunning: true, needsApproval: report.needsApproval))
    }

    private func settledReport(of directory: StateDirectory) async throws -> StatusReport {
        if try await FolderHolder.answering(for: directory, within: .seconds(30)) != nil {
            try FolderPausing.check(directory)
            let daemon = try ControlClient(for: directory)
            return try await ProgressLine.show(
                { try await daemon.status() }, during: { try await daemon.settledStatus(timeout: nil) })
        }
        let report = try await SyncOnce.run(
            folder: directory.folder, logger: ProgramLog.logger(level: logLevel), onProgress: Self.shownProgress)
        if StandardError.isTerminal { StandardError.printUnended("\r\u{1B}[K") }
        return report
    }

    /// Shows on a terminal what moves; in a pipe nobody asks for it.
    private static var shownProgress: (@Sendable (StatusReport.Progress?) -> Void)? {
        guard let width = Terminal.errors.width else { return nil }
        return { progress in
            let line = progress.map { "syncing: " + StatusText.amount($0) } ?? ""
            StandardError.printUnended(ProgressLine.text(line, width: width))
        }
    }
}
