import FolderControl
import SystemPackage
import Testing

@testable import SyncCommands

@Suite("What commands print")
struct TextTests {
    @Test(
        "Bytes are rounded down, so that nothing is done before it is",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1999, "1.9 kB"), (20_500_000, "20 MB"),
            (3_000_000_000_000, "3.0 TB"), (5_000_000_000_000_000, "5000 TB"),
        ] as [(Int64, String)])
    func bytes(number: Int64, text: String) {
        #expect(Amounts.bytes(number) == text)
    }

    @Test(
        "An age is told in its largest fitting unit",
        arguments: [
            (nil, "never"), (100_000, "just now"), (100_900, "just now"), (99_000, "1 s ago"), (-19_000, "119 s ago"),
            (-20_000, "2 min ago"), (-7_100_000, "2 h ago"), (-172_700_000, "2 days ago"),
        ] as [(Int64?, String)])
    func age(moment: Int64?, text: String) {
        #expect(Amounts.age(of: moment, now: 100_500) == text)
    }

    @Test("A held file, a conflict and an approval are shown with what to do")
    func attention() {
        var report = StatusReport.quiet
        report.verdict = .attention
        report.reason = "Three things wait for you."
        report.held = [
            .init(path: "a.json", code: "brokenJSON", message: "a.json: line 3 is no JSON.", remedy: "Mend it.")
        ]
        report.conflicts = [
            .init(path: "b.json", copy: "b.conflict.json", fields: ["title"], atMilliseconds: 0),
            .init(
                path: "c.json", copy: "c.conflict-20260115T101112Z-zone.json", fields: ["title"], atMilliseconds: 0),
        ]
        report.approval = .init(batch: "k7", deletions: 30, side: "zone")
        let text = StatusText.text(of: report, now: 0)
        #expect(text.hasPrefix("attention: Three things wait for you.\n"))
        for part in [
            "a.json: line 3 is no JSON.\n    → Mend it.", "b.json (title)", "your version: b.conflict.json",
            "c.json (title)", "the zone's version: c.conflict-20260115T101112Z-zone.json", "30 deletions in the zone",
            "zonefolder approve k7",
        ] {
            #expect(text.contains(part))
        }
    }

    @Test(
        "What went before deletions that wait is told with the command that undoes it", arguments: ["zone", "folder"])
    func unasked(side: String) throws {
        var report = StatusReport.quiet
        report.folder = "/home/ada/my notes"
        report.approval = .init(batch: "k7", deletions: 30, side: side)
        #expect(!StatusText.text(of: report, now: 0).contains("unasked"))
        let since: Int64 = 1_800_000_000_500
        report.approval?.unasked = 200
        report.approval?.unaskedSinceMilliseconds = since
        let text = StatusText.text(of: report, now: 0)
        let first = WallClock.text(since)
        let place = side == "zone" ? "the zone" : "this folder"
        #expect(text.contains("  200 more went from \(place) just before, unasked, from \(first) on."))
        #expect(
            text.contains("  → zonefolder restore '/home/ada/my notes' --deleted-since '\(first)' puts back what went"))
        #expect(text.contains("what the history here does not have") == (side == "zone"))
        #expect(Moment.parse(first, now: since, isBeginning: true) == 1_800_000_000_000, "the second of the first")
    }

    @Test("What keeps the folder as a whole is no held file, and is told apart from those")
    func folderAsAWhole() {
        var report = StatusReport.quiet
        let whole = StatusReport.Held(path: "", code: "diskFull", message: "It cannot be stored.", remedy: "Mend it.")
        let file = StatusReport.Held(path: "a", code: "brokenJSON", message: "a: no JSON.", remedy: "Mend it.")
        let (wholeText, fileText) = ("as a whole waits:\n  It cannot be", "Held: 1 file, safe where it is\n  a: no")
        for (held, parts) in [
            ([], []),
            ([whole], [wholeText, "stored.\n    → Mend it."]),
            ([file], [fileText]),
            ([file, whole], [wholeText, fileText]),
        ] as [([StatusReport.Held], [String])] {
            report.held = held
            let text = StatusText.text(of: report, now: 0)
            for part in parts { #expect(text.contains(part), "\(text)") }
            #expect(text.contains("Held:") == held.contains(file))
            #expect(text.contains("as a whole") == held.contains(whole))
        }
    }

    @Test("Commands that name paths of the folder are said to be given there, to whom is elsewhere")
    func elsewhere() {
        var report = StatusReport.quiet
        report.conflicts = [.init(path: "b.json", copy: "b.conflict.json", fields: ["title"], atMilliseconds: 0)]
        let hint = "\n\nCommands are given in the folder: cd \(report.folder)\n\nfolder "
        for (place, isHinted) in [
            (nil, false), (report.folder, false), (report.folder + "/Note", false), (report.folder + "2", true),
            ("/", true),
        ] as [(String?, Bool)] {
            let text = StatusText.text(of: report, now: 0, in: place.map { FilePath($0) })
            #expect(text.contains(hint) == isHinted, "\(place ?? "-"): \(text)")
        }
        #expect(!StatusText.text(of: .quiet, now: 0, in: "/").contains("Commands are given"))
    }

    @Test("Files that are synced as plain ones are listed with the reason, the first ten of many")
    func unfit() {
        var report = StatusReport.quiet
        report.unfit = (1...12).map {
            .init(path: "\($0)", code: "brokenJSON", message: "Note/\($0).json: the reason", remedy: "")
        }
        let text = StatusText.text(of: report, now: 0)
        #expect(text.contains("Synced as plain files: 12 files that fit no record\n  Note/1.json: the reason\n"))
        #expect(text.hasSuffix("  Note/10.json: the reason\n  and 2 more; zonefolder status --json names all"))
        report.unfit = [.init(path: "a", code: "", message: "a: why", remedy: "")]
        #expect(
            StatusText.text(of: report, now: 0).hasSuffix("Synced as plain files: 1 file that fits no record\n  a: why")
        )
    }

    @Test("A folder that gets no pushes says so, with the server's words, and is in sync")
    func withoutPush() {
        var report = StatusReport.quiet
        #expect(!StatusText.text(of: report, now: 0).contains("without push"))
        report.withoutPush = "The server does not accept this as it is. (no more of them)"
        #expect(
            StatusText.text(of: report, now: 0).contains(
                "\nwithout push: The server does not accept this as it is. (no more of them)\n"))
    }

    @Test(
        "The way to the server has a line whatever the verdict",
        arguments: [
            (StatusReport.Network(isReachable: true), "network    reachable\n"),
            (
                .init(
                    isReachable: false, sinceMilliseconds: 40_000, cause: "No connection.", nextTryMilliseconds: 103_200
                ),
                "network    no answer for 60 s: No connection.\n           → tried again in 4 s\n"
            ),
            (
                .init(isReachable: true, cause: "THROTTLED", nextTryMilliseconds: 700_000),
                "network    reachable, but asked to wait: THROTTLED\n           → tried again in 10 min\n"
            ),
        ] as [(StatusReport.Network, String)])
    func network(_ network: StatusReport.Network, line: String) {
        var report = StatusReport.quiet
        report.verdict = .attention
        report.network = network
        #expect(
            StatusText.text(of: report, now: 100_000).contains(line), "\(StatusText.text(of: report, now: 100_000))")
    }

    @Test("What is not as it should be, and files that were not looked at yet, are told")
    func notices() {
        var report = StatusReport.quiet
        report.notices = [.init(code: "noPushes", message: "Pushes do not arrive.", remedy: "Nothing is lost.")]
        report.pending.uploads = 2
        report.pending.unseen = 1
        let text = StatusText.text(of: report, now: 0)
        #expect(text.contains("Not as it should be:\n  Pushes do not arrive.\n    → Nothing is lost."))
        #expect(text.contains("waiting    2 uploads, 1 file to be looked at\n"))
    }

    @Test("Without a daemon the text says how to start one")
    func stopped() {
        #expect(StatusText.text(of: .quiet, now: 0).contains("→ zonefolder start /home/ada/notes"))
    }

    @Test("Progress tells files and bytes done, of how many")
    func progress() {
        var report = StatusReport.quiet
        report.verdict = .syncing
        report.progress = .init(filesDone: 3, filesTotal: 10, bytesDone: 1_500_000, bytesTotal: 20_000_000)
        #expect(StatusText.line(of: report) == "syncing: 3 of 10 files, 1.5 MB of 20 MB")
    }

    @Test(
        "A conflict shows the fields that differ, as they are written",
        arguments: [
            (#"{"a": 1, "b": [1, 2]}"#, #"{"b": [1,2], "a": 1}"#, [("b", "[1, 2]", "[1,2]")]),
            (#"{"a": 1}"#, #"{"b": 2}"#, [("a", "1", nil), ("b", nil, "2")]),
            (#"{"a": 1}"#, #"{"a": 1}"#, []), ("no JSON", #"{"a": 1}"#, []), ("[1]", "[2]", []),
        ] as [(String, String, [(String, String?, String?)])])
    func differences(zone: String, yours: String, expected: [(String, String?, String?)]) {
        let found = ConflictComparison.differences(zone: Array(zone.utf8), yours: Array(yours.utf8))
        #expect(found == expected.map { .init(name: $0.0, zone: $0.1, yours: $0.2) })
    }

    @Test(
        "An address has a host and a port",
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1", 8080), ("[::1]:0", "::1", 0), ("localhost:65535", "localhost", 65_535),
            ("localhost", nil, nil), (":80", nil, nil), ("a:65536", nil, nil), ("a:-1", nil, nil), ("a:b", nil, nil),
        ] as [(String, String?, Int?)])
    func address(text: String, host: String?, port: Int?) {
        let address = ListenAddress(argument: text)
        #expect(address?.host == host)
        #expect(address?.port == port)
    }
}

extension StatusReport {
    /// A report of a folder about which there is little to say.
    static let quiet = StatusReport(
        verdict: .unknown, reason: "No daemon runs.", folder: "/home/ada/notes", server: "http://127.0.0.1:8080",
        container: "iCloud.example", environment: "development", database: "private", zone: "Notes",
        account: Account(status: "unknown"), daemon: nil, lastFetchMilliseconds: nil, lastPushMilliseconds: nil,
        records: 0, pending: Pending(), progress: nil, watch: nil, held: [], conflicts: [], approval: nil)
}
