import FolderControl
import Foundation
import LocalFolder
import SystemPackage
import Testing

@testable import SyncCommands

@Suite("A folder of which a line leaves out every file")
struct AllLeftOutTests {
    @Test(
        "The line that does so is found by the lines alone, as long as none after it takes a file back",
        arguments: [
            ("*", 1), ("# mine\n\n*\n", 3), ("/*", 1), ("**", 1), ("/**", 1), ("**/*", 1), ("?*", 1), ("!a\n*\n", 2),
            ("*\n*.log\n", 1), ("*\n!keep.txt\n", nil), ("*\n!Note/\n", nil), ("!a\n*\n!b\n", nil), ("*/\n", nil),
            ("*.*", nil), ("x", nil), ("[a-z]*", nil), ("Note/*", nil), ("*.log\nbuild/\n", nil), ("[", nil), ("", nil),
        ] as [(String, Int?)])
    func line(text: String, line: Int?) {
        #expect(AllLeftOut.rule(of: IgnoreRules(text: text.utf8))?.line == line)
    }

    @Test("`status` names it with the way out, whatever the verdict; without such a line it is as before")
    func told() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "zf-all-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = FilePath(folder.path)
        var report = StatusReport.quiet
        report.notices = [.init(code: "noPushes", message: "Pushes do not arrive.", remedy: "Nothing is lost.")]
        #expect(AllLeftOut.told(report, in: path) == report)
        #expect(AllLeftOut.told(report, in: path.appending("nowhere")) == report)
        try Data("*\n".utf8).write(to: folder.appending(path: IgnoreRules.fileName))
        let told = AllLeftOut.told(report, in: path)
        #expect(told.notices?.map(\.code) == ["noPushes", "allLeftOut"])
        let text = StatusText.text(of: told, now: 0)
        #expect(
            text.contains("its line 1, *, leaves all others out.\n    → If that is not meant, change the line"),
            "\(text)")
    }
}
