import ArgumentParser
import StateStorage
import SyncEngine

struct MetricsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Print what a daemon counts, as Prometheus reads it.",
        discussion: """
            Verdict, files that wait or are held, conflicts, requests and bytes, and when what was done last, each with the \
            folder as a label. The daemon opens no port: it is asked over its control socket. A timer that writes this \
            to a file brings it to node_exporter's textfile collector.

              zonefolder metrics ~/Notes
              zonefolder metrics ~/Notes ~/Ours >zonefolder.prom.new

            Exit status 5 where no daemon syncs one of the folders; what is known of it is printed all the same.
            """)

    @OptionGroup var folders: FolderArguments

    func run() async throws {
        var reports: [StatusReport] = []
        for directory in try folders.stateDirectories {
            reports.append(try await StatusSource(for: directory).report())
        }
        StandardOutput.printUnended(MetricsText.text(of: reports))
        if reports.contains(where: { $0.daemon == nil }) { throw ExitStatus.notRunning }
    }
}
