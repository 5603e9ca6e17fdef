import FolderControl
import Foundation
import SystemPackage
import Testing

@testable import SyncCommands

@Suite("All folders of a person")
struct KnownFoldersTests {
    @Test("Paths of any bytes come back from the list as they were written; what is no path is left out")
    func list() {
        let paths: [FilePath] = ["/home/ada/notes", "/a b/ü", "/new\nline", "/back\\slash\\n"]
        let text = KnownFolders.text(of: paths)
        #expect(text.filter { $0 == "\n" }.count == paths.count)
        #expect(KnownFolders.paths(in: text) == paths)
        #expect(KnownFolders.paths(in: "\n# mine\nrelative\n/a\n/a\n") == ["/a"])
    }

    @Test("A list that is not there is empty, and a folder that is none of this user's is not added")
    func empty() throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "zf-known-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: place) }
        let known = KnownFolders(file: FilePath(place + "/state/folders"))
        #expect(try known.list().isEmpty)
        try known.add(["/nowhere"])
        #expect(try known.list().isEmpty && !FileManager.default.fileExists(atPath: place))
    }

    @Test("A line has the verdict, the path, and what is pending or the way on")
    func line() {
        var report = StatusReport.quiet
        report.pending.uploads = 2
        report.approval = .init(batch: "k7", deletions: 30, side: "zone")
        let text = FolderLine(report).text(padding: 20).text
        #expect(
            text
                == "unknown    /home/ada/notes       2 uploads, zonefolder approve k7  → zonefolder start /home/ada/notes"
        )
        var asking = StatusReport.quiet
        (asking.verdict, asking.reason) = (.attention, "Nobody is signed in.")
        asking.daemon = .init(pid: 1, startedMilliseconds: 1)
        #expect(FolderLine(asking).text(padding: 0).text == "attention  /home/ada/notes  Nobody is signed in.")
        let gone = FolderLine.gone("/mnt/x").text(padding: 6).text
        #expect(gone == "gone       /mnt/x  → Mount its disk, or forget it: zonefolder remove /mnt/x")
    }

    @Test(
        "The exit status is that of the most urgent folder",
        arguments: [
            ([], 0), ([0, 0], 0), ([0, 3], 3), ([3, 5], 5), ([5, 6], 6), ([6, 4, 0], 4), ([4, 7, 5], 7),
        ] as [([Int32], Int32)])
    func exitStatus(codes: [Int32], expected: Int32) {
        let lines = codes.map { code in
            var line = FolderLine(.quiet)
            line.exitStatus = code
            return line
        }
        #expect(FolderLine.exitStatus(of: lines).code == expected)
    }
}
