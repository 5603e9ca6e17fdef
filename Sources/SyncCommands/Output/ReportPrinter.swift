import FolderControl
import SyncService

/// Prints a report as text for people or as JSON for programs.
enum ReportPrinter {
    static func print(_ report: StatusReport, asJSON: Bool) throws {
        StandardOutput.print(
            asJSON
                ? try JSONText.pretty(report)
                : StatusText.text(of: report, now: WallClock.now, in: try? AbsolutePath.of("."), for: .output))
    }
}
