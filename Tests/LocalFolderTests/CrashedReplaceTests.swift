import Glibc
import LocalFolder
import Testing

@testable import FolderWriting

@Suite("A replacement that a crash cut short")
struct CrashedReplaceTests {
    @Test("Before the exchange: what never was in the folder goes from the history with its name in staging")
    func beforeExchange() throws {
        let folder = try TemporaryFolder()
        try folder.write("current", to: "Note/a.json")
        try folder.write("older", to: ".zonefolder/history/20260115T101112Z-0/Note/a.json")
        try folder.write("newer", to: ".zonefolder/staging/abc-1")
        try folder.write("beside", to: ".zonefolder/history/20260115T101113Z-0/Note/b.json")
        let slot = folder.absolute(".zonefolder/history/20260115T101113Z-0/Note/a.json")
        try #require(link(folder.absolute(".zonefolder/staging/abc-1"), slot) == 0)
        #expect(try folder.writer().cleanStaging() == 1)
        #expect(folder.staged().isEmpty)
        #expect(folder.historyContents().sorted() == ["beside", "older"])
        #expect(folder.read("Note/a.json") == "current")
    }

    @Test("After the exchange: the new file stays in the folder and the old one in the history")
    func afterExchange() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: ".zonefolder/history/20260115T101112Z-0/a")
        try folder.write("new", to: ".zonefolder/staging/abc-1")
        try #require(link(folder.absolute(".zonefolder/staging/abc-1"), folder.absolute("a")) == 0)
        #expect(try folder.writer().cleanStaging() == 1)
        #expect(folder.staged().isEmpty)
        #expect(folder.historyContents() == ["old"])
        #expect(folder.read("a") == "new")
    }
}
