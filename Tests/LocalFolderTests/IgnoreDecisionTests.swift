import LocalFolder
import SyncModel
import Testing

@Suite("Which ignore rule decides")
struct IgnoreDecisionTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var path: FolderPath
        var isDirectory = false
        var isIgnored: Bool
        /// As it is written; `nil`: no rule speaks of the path.
        var pattern: String?
        var line: Int?
        /// What it fits, where that is not the path.
        var place: FolderPath?
        var isFinal = false

        var testDescription: String { "\(path)" }
    }

    /// Lines 1 to 6.
    private static let text = "# mine\n*.log\n!keep.log\nbuild/\n!*.part\n!build/keep.txt\n"

    @Test(
        "It is the last one that fits, of the highest directory that is left out",
        arguments: [
            Row(path: "a.txt", isIgnored: false),
            Row(path: "a.log", isIgnored: true, pattern: "*.log", line: 2),
            Row(path: "keep.log", isIgnored: false, pattern: "!keep.log", line: 3),
            Row(path: "a.part", isIgnored: false, pattern: "!*.part", line: 5),
            Row(path: "build", isIgnored: false),
            Row(path: "build", isDirectory: true, isIgnored: true, pattern: "build/", line: 4),
            Row(path: "a/build/b/c.txt", isIgnored: true, pattern: "build/", line: 4, place: "a/build"),
            Row(path: "build/keep.txt", isIgnored: true, pattern: "build/", line: 4, place: "build"),
            Row(path: "a~", isIgnored: true, pattern: "*~"),
            Row(path: "x.log/a.txt", isIgnored: true, pattern: "*.log", line: 2, place: "x.log"),
            Row(
                path: ".zonefolder/lock", isIgnored: true, pattern: "**/.zonefolder", place: ".zonefolder",
                isFinal: true),
            Row(
                path: "a.conflict-20260115T101112Z-laptop.txt", isIgnored: true,
                pattern: "*.conflict-<UTC time>-<device>*", isFinal: true),
            Row(path: "a.conflict-resolution.md", isIgnored: false),
            Row(path: "A.PEM", isIgnored: true, pattern: "*.pem"),
            Row(path: ".zonefolderignore", isIgnored: false),
        ])
    func decides(_ row: Row) {
        let rules = IgnoreRules(text: Self.text.utf8)
        let decision = rules.decision(about: row.path, isDirectory: row.isDirectory)
        #expect(decision.isIgnored == row.isIgnored)
        #expect(decision.isIgnored == rules.isIgnored(row.path, isDirectory: row.isDirectory))
        #expect(decision.rule?.text == row.pattern)
        #expect(decision.rule?.line == row.line)
        #expect(decision.place == row.place ?? row.path)
        #expect(decision.canBeTakenBack == !row.isFinal)
    }
}
