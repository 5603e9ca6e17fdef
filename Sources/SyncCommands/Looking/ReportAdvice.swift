import FolderControl
import FolderSettings

/// What a report that a daemon gave, or that was last stored, gets from who asks: it can see what the daemon does not tell.
enum ReportAdvice {
    static func told(_ report: StatusReport, of directory: StateDirectory) -> StatusReport {
        AllLeftOut.told(report, in: directory.folder)
    }
}
