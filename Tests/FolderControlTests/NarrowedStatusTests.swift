import Testing

@testable import FolderControl

@Suite("The status of one file")
struct NarrowedStatusTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var folder: Verdict
        var path = "Note/a.json"
        var steps: [PlannedStep] = []
        var held: [String] = []
        var conflicts: [String] = []
        var hasFetched = true
        var isCurrent = true
        var expected: Verdict
    }

    @Test(
        "The verdict is the path's own, as far as the folder's allows one",
        arguments: [
            Row(testDescription: "all is in sync", folder: .inSync, expected: .inSync),
            Row(
                testDescription: "another file is held", folder: .attention, held: ["Note/b.json"], expected: .inSync),
            Row(
                testDescription: "a file with a longer name is held", folder: .attention, held: ["Note/a.json2"],
                expected: .inSync),
            Row(testDescription: "it is held", folder: .attention, held: ["Note/a.json"], expected: .attention),
            Row(
                testDescription: "a file in the directory is held", folder: .attention, path: "Note",
                held: ["Note/a.json"], expected: .attention),
            Row(
                testDescription: "the folder as a whole is held", folder: .attention, held: [""],
                expected: .attention),
            Row(
                testDescription: "it has a conflict", folder: .attention, conflicts: ["Note/a.json"],
                expected: .attention),
            Row(
                testDescription: "it is to be sent", folder: .pending,
                steps: [PlannedStep(action: "update-record", path: "Note/a.json")], expected: .pending),
            Row(
                testDescription: "it is being sent", folder: .syncing,
                steps: [PlannedStep(action: "update-record", path: "Note/a.json")], expected: .syncing),
            Row(
                testDescription: "a file is to be moved there", folder: .pending,
                steps: [PlannedStep(action: "move-file", path: "b", target: "Note/a.json")], expected: .pending),
            Row(
                testDescription: "its deletion waits for approval", folder: .attention,
                steps: [PlannedStep(action: "delete-file", path: "Note/a.json", awaitsApproval: true)],
                expected: .attention),
            Row(
                testDescription: "another is being sent", folder: .syncing,
                steps: [PlannedStep(action: "update-record", path: "Note/b.json")], expected: .inSync),
            Row(
                testDescription: "another is being sent, and what was saved since is not known", folder: .syncing,
                steps: [PlannedStep(action: "update-record", path: "Note/b.json")], isCurrent: false,
                expected: .syncing),
            Row(
                testDescription: "another file is held, and what was saved since is not known", folder: .attention,
                held: ["Note/b.json"], isCurrent: false, expected: .pending),
            Row(
                testDescription: "both sides were not looked at yet", folder: .syncing, hasFetched: false,
                expected: .syncing),
            Row(
                testDescription: "something is held and nothing was fetched yet", folder: .attention,
                held: ["Note/b.json"], hasFetched: false, expected: .attention),
            Row(testDescription: "the server is out of reach", folder: .offline, expected: .offline),
            Row(testDescription: "no daemon runs", folder: .unknown, expected: .unknown),
            Row(testDescription: "it is paused", folder: .paused, expected: .paused),
            Row(testDescription: "part of the folder is not watched", folder: .degraded, expected: .degraded),
        ])
    func verdict(_ row: Row) {
        var report = StatusReport.sample
        report.verdict = row.folder
        report.daemon = .init(pid: 1, startedMilliseconds: 100)
        report.lastFetchMilliseconds = row.hasFetched ? 200 : 50
        report.isCurrent = row.isCurrent
        report.held = row.held.map { .init(path: $0, code: "brokenJSON", message: "broken", remedy: "mend") }
        report.conflicts = row.conflicts.map { .init(path: $0, copy: $0 + ".copy", fields: [], atMilliseconds: 0) }
        if row.steps.contains(where: \.awaitsApproval) {
            report.approval = .init(batch: "b", deletions: 30, side: "folder")
        }
        #expect(report.narrowed(to: row.path, steps: row.steps).verdict == row.expected)
    }

    @Test("What is on this device alone is not said to be in sync, whatever else is")
    func notSynced() {
        var report = StatusReport.sample
        (report.verdict, report.held, report.conflicts) = (.inSync, [], [])
        for (standing, expected) in [
            (.present, .inSync), (.absent, .inSync), (.empty, .inSync), (.ignored(by: "*.pem"), .notSynced),
            (.skipped("It is a link."), .notSynced), (.leftInZone(by: "key.pem/"), .notSynced),
        ] as [(FileStanding, Verdict)] {
            let narrowed = report.narrowed(to: "key.pem", steps: [], standing: standing)
            #expect(narrowed.verdict == expected, "\(standing)")
        }
        // What stands in the place of a synced file waits for a person.
        report.held = [.init(path: "key.pem", code: "pathBlocked", message: "It is a link.", remedy: "Take it away.")]
        report.verdict = .attention
        #expect(report.narrowed(to: "key.pem", steps: [], standing: .skipped("It is a link.")).verdict == .attention)
        (report.held, report.verdict) = ([], .offline)
        #expect(report.narrowed(to: "key.pem", steps: [], standing: .ignored(by: "*.pem")).verdict == .notSynced)
        let left = report.narrowed(to: "key.pem", steps: [], standing: .leftInZone(by: "key.pem/"))
        #expect(left.reason == "What the zone has of key.pem is not brought here, as a rule leaves it out: key.pem/.")
        #expect(Verdict.notSynced.exitCode(isRunning: true, needsApproval: false) == 4)
    }
}
