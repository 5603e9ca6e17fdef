import LocalFolder
import SyncModel
import Testing

@testable import SyncCommands

@Suite("What `ignore` prints")
struct IgnoreReportTests {
    @Test(
        "The rule, its place and the way out are named",
        arguments: [
            ("a.txt", ["a.txt is not left out: no rule speaks of it."]),
            (
                "a.log",
                [
                    "a.log is left out by line 2 of .zonefolderignore: *.log.",
                    "  → To sync it, change line 2 of .zonefolderignore.",
                ]
            ),
            ("keep.log", ["keep.log is not left out: line 3 of .zonefolderignore takes it back, !keep.log."]),
            (
                "x.log/a",
                [
                    "x.log/a is left out by line 2 of .zonefolderignore: *.log, which fits x.log above it.",
                    "  → To sync it, change line 2 of .zonefolderignore.",
                ]
            ),
            (
                "a.p12",
                [
                    "a.p12 is left out by a built-in rule: *.p12 (it holds a private key).",
                    "  → To sync it all the same, put the line !*.p12 into .zonefolderignore.",
                ]
            ),
            (
                ".zonefolder/lock",
                [
                    ".zonefolder/lock is left out by a built-in rule: **/.zonefolder (zonefolder's own state), which fits "
                        + ".zonefolder above it."
                ]
            ),
            (
                "a\nb.log",
                [
                    "a\\x0Ab.log is left out by line 2 of .zonefolderignore: *.log.",
                    "  → To sync it, change line 2 of .zonefolderignore.",
                ]
            ),
        ] as [(String, [String])])
    func lines(path: String, lines: [String]) throws {
        let rules = IgnoreRules(text: "# mine\n*.log\n!keep.log\n[open\n".utf8)
        let place = try #require(FolderPath(path))
        let decision = rules.decision(about: place, isDirectory: false)
        let report = IgnoreReport(of: place, isDirectory: false, decision, invalidLines: rules.invalidLines)
        #expect(report.lines == lines)
        #expect(report.warnings.count == 2 && report.warnings[0].contains("match nothing: 4."))
    }

    @Test("Of a path that is not there, the rule is named that leaves out a directory alone")
    func absent() throws {
        let rules = IgnoreRules(text: "X/\n*.log\n".utf8)
        for (path, line) in [
            (
                "X",
                "X is not there. A directory of that name is left out by line 1 of .zonefolderignore: X/; a file is not."
            ),
            ("a.log", "a.log is left out by line 2 of .zonefolderignore: *.log."),
            ("Y", "Y is not left out: no rule speaks of it."),
        ] {
            let place = try #require(FolderPath(path))
            let (file, directory) = (
                rules.decision(about: place, isDirectory: false), rules.decision(about: place, isDirectory: true)
            )
            let report = IgnoreReport(of: place, isDirectory: false, file, asDirectory: directory, invalidLines: [])
            #expect(report.lines.first == line)
            #expect((report.directoryRule != nil) == (path == "X"))
        }
    }
}
