import FolderControl
import Testing

@testable import SyncCommands

@Suite("Text on a terminal")
struct TerminalTextTests {
    @Test(
        "A line is broken between words and hangs; only a word that is wider itself is cut",
        arguments: [
            ("short", 0, ["short"]),
            ("one two three four five six", 4, ["one two three four", "    five six"]),
            ("aaaaaaaaaaaaaaaaaaaaaaaaa", 0, ["aaaaaaaaaaaaaaaaaaaa", "aaaaa"]),
            ("名前名前名前名前名前 名前", 2, ["名前名前名前名前名前", "  名前"]),
            ("", 0, [""]),
        ])
    func broken(text: String, hang: Int, lines: [String]) {
        #expect(TextLine.broken(text, width: 20, hang: hang) == lines)
    }

    @Test("A pipe gets lines as long as they are, without colours")
    func pipe() {
        let line = TextLine(String(repeating: "word ", count: 40), paint: .red)
        #expect(line.rendered(for: .none) == [line.text])
    }

    @Test("Colours end where they should, on each of the lines of a text that was broken")
    func colours() {
        let line = TextLine("→ one two three four five", hang: 2, paint: .cyan, over: 1)
        let terminal = Terminal(width: 20, height: 24, hasColours: true)
        #expect(line.rendered(for: terminal) == ["\u{1B}[36m→\u{1B}[0m one two three four", "  five"])
        #expect(
            line.rendered(for: Terminal(width: 20, height: 24)) == ["→ one two three four", "  five"],
            "NO_COLOR")
    }

    @Test(
        "A text that is watched takes the place of the one before, whole lines of it, and no more than the terminal has"
    )
    func watched() {
        var screen = WatchedScreen()
        let terminal = Terminal(width: 80, height: 5)
        #expect(screen.frame(of: ["a", "b"], for: terminal) == "a\nb\n")
        #expect(screen.frame(of: ["c"], for: terminal) == "\u{1B}[2A\r\u{1B}[Jc\n")
        let many = (1...9).map { TextLine("\($0)") }
        #expect(screen.frame(of: many, for: terminal) == "\u{1B}[1A\r\u{1B}[J1\n2\n3\n… and 6 lines more\n")
        #expect(screen.frame(of: ["d"], for: terminal).hasPrefix("\u{1B}[4A"))
    }

    @Test("Every line of a report fits 80 columns, and a watched one 24 lines")
    func report() {
        var report = StatusReport.quiet
        report.verdict = .attention
        report.reason = String(repeating: "Something is not as it should be. ", count: 5)
        report.folder = "/home/ada/" + String(repeating: "a long name/", count: 12)
        report.held = (1...40).map {
            .init(
                path: "\($0)", code: "x", message: "\($0): " + String(repeating: "why ", count: 30), remedy: "Mend it.")
        }
        let terminal = Terminal(width: 80, height: 24)
        let lines = StatusText.lines(of: report, now: 0)
        #expect(lines.flatMap { $0.rendered(for: terminal) }.allSatisfy { $0.columns <= 80 })
        var screen = WatchedScreen()
        #expect(screen.frame(of: lines, for: terminal).filter { $0 == "\n" }.count == 23)
    }

    @Test("A line of progress is cut to the terminal")
    func progressLine() {
        let line = ProgressLine.text(String(repeating: "word ", count: 40), width: 30)
        #expect(line == "\r\u{1B}[Kword word word word word word")
    }

    @Test(
        "The rate and the time left are told once there is a second of it",
        arguments: [
            (.init(filesDone: 1, filesTotal: 4, bytesDone: 10, bytesTotal: 100, elapsedMilliseconds: 999), []),
            (.init(filesDone: 1, filesTotal: 4, bytesDone: 10, bytesTotal: 100), []),
            (.init(filesDone: 0, filesTotal: 4, bytesDone: 0, bytesTotal: 100, elapsedMilliseconds: 5000), []),
            (
                .init(
                    filesDone: 2, filesTotal: 4, bytesDone: 4_000_000, bytesTotal: 20_000_000, elapsedMilliseconds: 2000
                ),
                ["2.0 MB/s", "8 s left"]
            ),
            (
                .init(filesDone: 10, filesTotal: 1000, bytesDone: 90, bytesTotal: 100, elapsedMilliseconds: 1000),
                ["90 B/s", "99 s left"]
            ),
            (.init(filesDone: 20, filesTotal: 60, elapsedMilliseconds: 2000), ["10 files/s", "4 s left"]),
        ] as [(StatusReport.Progress, [String])])
    func pace(progress: StatusReport.Progress, words: [String]) {
        #expect(TransferPace(of: progress).words == words)
    }

    @Test(
        "An account is told by its name, else by its record name, and its status in words",
        arguments: [
            ("Ada Lovelace", "available", "Ada Lovelace, available"), (nil, "available", "_abc, available"),
            (nil, "noAccount", "_abc, signed out"), (nil, "couldNotDetermine", "_abc, cannot be told now"),
            (nil, "temporarilyUnavailable", "_abc, unavailable for now"), (nil, "restricted", "_abc, restricted"),
        ] as [(String?, String, String)])
    func account(name: String?, status: String, text: String) {
        var report = StatusReport.quiet
        report.account = .init(status: status, userRecordName: "_abc", name: name)
        #expect(StatusText.text(of: report, now: 0).contains("account    \(text)\n"))
    }
}
