import FolderWriting
import Glibc
import LocalFolder
import SyncModel
import SystemPackage
import Testing

@Suite("Taking back what was put into the folder just now")
struct TakingBackTests {
    @Test("It goes without a trace, with the directory that was made for it")
    func goes() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        var staged: StagedFile? = try writer.stage(Array("new".utf8))
        guard case .done(let file) = try writer.create("Note/a.jpg", staged!) else { throw Errno.ioError }
        #expect(try writer.takeBack(staged!, placedAs: file).isDone)
        #expect(folder.read("Note/a.jpg") == nil)
        #expect(access(folder.absolute("Note"), F_OK) != 0)
        #expect(folder.historyContents().isEmpty)
        staged = nil
        #expect(folder.staged().isEmpty)
    }

    @Test("One that somebody wrote to, or has open for writing, or put another one over, stays")
    func stays() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        for manner in ["written", "open", "replaced"] {
            let staged = try writer.stage(Array("new".utf8))
            guard case .done(let file) = try writer.create("a.jpg", staged) else { throw Errno.ioError }
            var descriptor: Int32 = -1
            switch manner {
            case "written": try folder.write("edited", to: "a.jpg")
            case "open": descriptor = open(folder.absolute("a.jpg"), O_WRONLY)
            default:
                try folder.write("saved", to: "other")
                rename(folder.absolute("other"), folder.absolute("a.jpg"))
            }
            #expect(try !writer.takeBack(staged, placedAs: file).isDone)
            if descriptor >= 0 {
                #expect(write(descriptor, "mine", 4) == 4)
                close(descriptor)
            }
            #expect(folder.read("a.jpg") == ["written": "edited", "open": "mine", "replaced": "saved"][manner])
            unlink(folder.absolute("a.jpg"))
        }
        #expect(folder.historyContents().isEmpty)
        #expect(folder.staged().isEmpty)
    }
}
