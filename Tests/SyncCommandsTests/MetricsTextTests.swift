import FolderControl
import Testing

@testable import SyncCommands

@Suite("Metrics")
struct MetricsTextTests {
    @Test("HELP and TYPE stand once before the values of all folders, and a name of any kind is a label")
    func text() {
        var one = report("/home/ada/a \"b\"\\c\nd")
        var traffic = StatusReport.Traffic()
        (traffic.requests, traffic.refused, traffic.unanswered, traffic.sentBytes) = (10, 2, 1, 77)
        one.traffic = traffic
        var work = StatusReport.Work()
        (work.sentFiles, work.receivedFiles, work.retries, work.retryWaitMilliseconds) = (5, 4, 3, 2900)
        one.work = work
        one.lastFetchMilliseconds = 1_764_000_000_999
        let text = MetricsText.text(of: [one, report("/b")])
        let lines = text.split(separator: "\n").map(String.init)
        let name = #"/home/ada/a \"b\"\\c\nd"#
        #expect(
            lines.prefix(4) == [
                "# HELP zonefolder_daemon_up Whether a daemon syncs the folder, and answers.",
                "# TYPE zonefolder_daemon_up gauge",
                "zonefolder_daemon_up{folder=\"\(name)\"} 0", "zonefolder_daemon_up{folder=\"/b\"} 0",
            ])
        for line in [
            "zonefolder_verdict{folder=\"/b\",verdict=\"in-sync\"} 1",
            "zonefolder_verdict{folder=\"/b\",verdict=\"offline\"} 0",
            "zonefolder_requests_total{folder=\"\(name)\",outcome=\"done\"} 7",
            "zonefolder_requests_total{folder=\"\(name)\",outcome=\"refused\"} 2",
            "zonefolder_sent_files_total{folder=\"\(name)\"} 5",
            "zonefolder_received_files_total{folder=\"\(name)\"} 4",
            "zonefolder_sent_deletions_total{folder=\"\(name)\"} 0",
            "zonefolder_retries_total{folder=\"\(name)\"} 3",
            "zonefolder_retry_wait_seconds_total{folder=\"\(name)\"} 2",
            "zonefolder_sent_bytes_total{folder=\"\(name)\"} 77",
            "zonefolder_last_fetch_time_seconds{folder=\"\(name)\"} 1764000000",
        ] { #expect(lines.contains(line), "\(line)") }
        #expect(!text.contains("zonefolder_last_upload"), "what is not known has no lines")
        #expect(text.hasSuffix("\n"))
        let kinds = lines.filter { $0.hasPrefix("# TYPE") }
        #expect(Set(kinds).count == kinds.count)
    }

    @Test("Of a folder whose daemon does not answer, only that is told")
    func unknown() {
        let text = MetricsText.text(of: [report("/b")], unknown: ["/c"])
        #expect(text.contains("daemon_up{folder=\"/b\"} 0\nzonefolder_daemon_up{folder=\"/c\"} 0\n"))
        #expect(text.split(separator: "\n").count { $0.contains("/c") } == 1)
    }

    private func report(_ folder: String) -> StatusReport {
        StatusReport(
            verdict: .inSync, reason: "All is well.", folder: folder, server: "http://127.0.0.1", container: "iCloud.a",
            environment: "development", database: "private", zone: "Notes",
            account: StatusReport.Account(status: "available"), records: 3, pending: StatusReport.Pending(), held: [],
            conflicts: [])
    }
}
