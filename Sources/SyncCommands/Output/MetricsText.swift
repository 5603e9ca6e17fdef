import FolderControl
import SyncService

/// Folders in the text format of Prometheus, version 0.0.4.
///
/// https://prometheus.io/docs/instrumenting/exposition_formats/: a metric's HELP and TYPE stand once, before all of its
/// values; in a label's value backslash, quote and newline are escaped.
enum MetricsText {
    private struct Metric {
        var name: String
        var kind: String
        var help: String
        var values: @Sendable (StatusReport) -> [(labels: String, value: Int64?)]
    }

    private static let metrics = [
        gauge(isUp, "Whether a daemon syncs the folder, and answers.") { $0.daemon == nil ? 0 : 1 },
        Metric(name: "verdict", kind: "gauge", help: "1 for the verdict that status gives, 0 for the others.") {
            report in
            Verdict.allCases.map { (",verdict=\"\($0.rawValue)\"", report.verdict == $0 ? 1 : 0) }
        },
        gauge("records", "Records of the zone.") { Int64($0.records) },
        gauge("pending_uploads", "Files that wait to be sent.") { Int64($0.pending.uploads) },
        gauge("pending_downloads", "Records that wait to be written here.") { Int64($0.pending.downloads) },
        gauge("pending_deletions", "Deletions that wait, in either direction.") { Int64($0.pending.deletions) },
        gauge("held_files", "Files that wait for a person.") { Int64($0.held.count { !$0.isRemark }) },
        gauge("conflicts", "Conflicts that nobody has settled.") { Int64($0.conflicts.count) },
        gauge("approval_deletions", "Deletions that wait for approve or reject.") {
            Int64($0.approval?.deletions ?? 0)
        },
        gauge("server_reachable", "Whether the server can be reached.") { $0.network.map { $0.isReachable ? 1 : 0 } },
        gauge("unwatched_directories", "Directories without a watch.") { $0.watch.map { Int64($0.unwatched) } },
        gauge("daemon_start_time_seconds", "When the daemon began.") {
            $0.daemon.map { $0.startedMilliseconds / 1000 }
        },
        gauge("last_fetch_time_seconds", "When the zone was asked last.") {
            $0.lastFetchMilliseconds.map { $0 / 1000 }
        },
        gauge("last_upload_time_seconds", "When something was sent last.") {
            $0.lastPushMilliseconds.map { $0 / 1000 }
        },
        gauge("last_look_time_seconds", "When the whole folder was looked at last.") {
            $0.lastLookMilliseconds.map { $0 / 1000 }
        },
        Metric(name: "requests_total", kind: "counter", help: "Requests to the server since the daemon began.") {
            report in
            guard let traffic = report.traffic else { return [] }
            let done = traffic.requests - traffic.refused - traffic.unanswered
            return [("done", done), ("refused", traffic.refused), ("unanswered", traffic.unanswered)]
                .map { (",outcome=\"\($0.0)\"", $0.1) }
        },
        counter("sent_files_total", "Files sent since the daemon began.") { $0.work?.sentFiles },
        counter("received_files_total", "Files received since the daemon began.") { $0.work?.receivedFiles },
        counter("sent_deletions_total", "Deletions here that were sent since the daemon began.") {
            $0.work?.sentDeletions
        },
        counter("received_deletions_total", "Files deleted as the zone deleted them since the daemon began.") {
            $0.work?.receivedDeletions
        },
        counter("retries_total", "Waits begun before another try, since the daemon began.") { $0.work?.retries },
        counter("retry_wait_seconds_total", "How long these waits were to be, in seconds.") {
            $0.work.map { $0.retryWaitMilliseconds / 1000 }
        },
        counter("sent_bytes_total", "Bytes of requests since the daemon began.") { $0.traffic?.sentBytes },
        counter("received_bytes_total", "Bytes of answers since the daemon began.") { $0.traffic?.receivedBytes },
    ]

    private static let isUp = "daemon_up"

    /// - Parameter unknown: Folders of which nothing is known but that no daemon answers for them.
    /// - Returns: Lines, each with its newline.
    static func text(of reports: [StatusReport], unknown: [String] = []) -> String {
        metrics.map { metric in
            let name = "zonefolder_\(metric.name)"
            var lines = reports.flatMap { report in
                metric.values(report).compactMap { labels, value in
                    value.map { "\(name){folder=\"\(escaped(report.folder))\"\(labels)} \($0)\n" }
                }
            }
            if metric.name == isUp { lines += unknown.map { "\(name){folder=\"\(escaped($0))\"} 0\n" } }
            guard !lines.isEmpty else { return "" }
            return "# HELP \(name) \(metric.help)\n# TYPE \(name) \(metric.kind)\n" + lines.joined()
        }.joined()
    }

    private static func gauge(
        _ name: String, _ help: String, _ value: @escaping @Sendable (StatusReport) -> Int64?
    ) -> Metric {
        Metric(name: name, kind: "gauge", help: help) { [("", value($0))] }
    }

    private static func counter(
        _ name: String, _ help: String, _ value: @escaping @Sendable (StatusReport) -> Int64?
    ) -> Metric {
        Metric(name: name, kind: "counter", help: help) { [("", value($0))] }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
