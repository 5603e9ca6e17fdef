import FolderControl
import SystemPackage
import Testing

@testable import SyncCommands

@Suite("Removing a folder")
struct UnsentWorkTests {
    @Test("What the zone would never get is named, each with its number")
    func words() {
        var report = StatusReport.quiet
        #expect(UnsentWork(report, history: 0).words.isEmpty)
        // What the zone has is no loss, nor is a remark.
        report.pending.downloads = 4
        report.held = [.init(path: "a", code: "leftOut", message: "m", remedy: "r")]
        #expect(UnsentWork(report, history: 0).words.isEmpty)
        report.pending.uploads = 2
        report.pending.deletions = 1
        report.pending.unseen = 1
        #expect(UnsentWork(report, history: 0).status == .pending)
        report.approval = .init(batch: "b", deletions: 30, side: "zone")
        report.held.append(.init(path: "b.json", code: "brokenJSON", message: "m", remedy: "r"))
        report.conflicts = [.init(path: "c", copy: "c2", fields: [], atMilliseconds: 0)]
        let work = UnsentWork(report, history: 3)
        #expect(
            work.words == [
                "2 uploads wait", "31 deletions wait", "1 file was not looked at yet", "1 file is held",
                "1 conflict is open", "3 earlier versions of files are kept only here",
            ])
        #expect(work.status == .attention)
        let failure = CommandFailure.unsent(work, in: "/home/ada/my notes")
        #expect(failure.message.contains("zonefolder remove --yes '/home/ada/my notes'"), "\(failure.message)")
    }

    @Test("What would be lost is said of what there is: of an open conflict alone, nothing waits")
    func losses() {
        var work = UnsentWork()
        work.conflicts = 1
        let conflict = CommandFailure.unsent(work, in: "/home/ada/notes").message
        #expect(conflict.contains("what only a conflict copy has") && !conflict.contains("waits"), "\(conflict)")
        work.conflicts = 0
        work.uploads = 1
        let upload = CommandFailure.unsent(work, in: "/home/ada/notes").message
        #expect(upload.contains("the zone would not get what waits") && !upload.contains("copy"), "\(upload)")
    }

    @Test(
        "The folders of a daemon are told by its arguments",
        arguments: [
            (["zonefolder", "run", "/a", "/b c"], ["/a", "/b c"]), (["zonefolder", "run"], ["."]),
            (["zonefolder", "run", "--log-level", "debug", "a"], ["a"]),
            (["zonefolder", "run", "a", "--log-level=debug"], ["a"]), (["zonefolder", "run", "--", "-a"], ["-a"]),
            (["zonefolder", "sync", "/a"], []), ([], []),
        ])
    func folders(arguments: [String], paths: [String]) {
        #expect(BackgroundDaemon.paths(in: arguments) == paths)
    }
}
