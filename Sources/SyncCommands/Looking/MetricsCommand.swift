import ArgumentParser
import FolderControl
import FolderSettings
import StateStorage
import SyncService
import SystemPackage

struct MetricsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Print what a daemon counts, as Prometheus reads it.",
        discussion: """
            Verdict, files that wait or are held, conflicts, files sent and received, retries and their waits, requests and \
            bytes, and when what was done last, each with the folder as a label. The daemon opens no port: it is asked over its \
            control socket. A timer that writes this to a file brings it to node_exporter's textfile collector.

              zonefolder metrics ~/Notes
              zonefolder metrics ~/Notes ~/Ours >zonefolder.prom.new

            Exit status 5 where no daemon syncs one of the folders; what is known of it is printed all the same. A daemon \
            that does not answer in time is named on standard error, with exit status 1, and keeps no other folder's \
            lines from being printed.
            """)

    @OptionGroup var folders: FolderArguments

    @Option(help: ArgumentHelp("Seconds to wait for the answer of each daemon.", valueName: "seconds"))
    var timeout = 10

    func validate() throws {
        guard timeout < 1 || timeout > 3600 else { return }
        throw ValidationError("--timeout needs seconds from 1 to 3600.")
    }

    func run() async throws {
        let folders = try folders.folders
        let answers = await Self.answers(of: folders, within: .seconds(timeout))
        var reports: [StatusReport] = []
        var unknown: [String] = []
        var failure: ExitStatus?
        for (folder, answer) in zip(folders, answers) {
            switch answer {
            case .success(let report): reports.append(report)
            case .failure(let error):
                unknown.append(folder.string)
                failure = failure ?? ExitStatus(of: error)
                StandardError.print("zonefolder: \(folder): \(error)")
            }
        }
        StandardOutput.printUnended(MetricsText.text(of: reports, unknown: unknown))
        if let failure { throw failure }
        if reports.contains(where: { $0.daemon == nil }) { throw ExitStatus.notRunning }
    }

    /// Asks for all of them at the same time, so that what one does not answer costs the others nothing.
    private static func answers(
        of folders: [FilePath], within patience: Duration
    ) async -> [Result<StatusReport, any Error>] {
        await withTaskGroup(of: (Int, Result<StatusReport, any Error>).self) { group in
            for (number, folder) in folders.enumerated() {
                group.addTask {
                    do {
                        let source = StatusSource(for: try StateDirectory.open(in: folder))
                        return (number, .success(try await source.report(within: patience)))
                    } catch {
                        return (number, .failure(error))
                    }
                }
            }
            var answers: [Int: Result<StatusReport, any Error>] = [:]
            for await (number, answer) in group { answers[number] = answer }
            return folders.indices.compactMap { answers[$0] }
        }
    }
}
