import SyncModel
import Testing

@testable import FolderWriting
@testable import LocalFolder

/// What a save does that comes right after a remote change was put into its place.
@Suite("A save right after a remote change was written")
struct ConfirmationTests {
    @Test("A save into the new file is an edit of it: the change is done, and the next look finds the edit")
    func inPlace() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        let (place, staged) = try placed(folder, writer)
        let new = try place.open()
        try folder.write("remote, edited", to: "a")
        guard case .done(let file) = try writer.confirm("a", place, staged.finished, new) else {
            Issue.record("A save of the new file was taken for one of the old file")
            return
        }
        #expect(file.hash == staged.finished.hash && !file.isSettled)
        #expect(try folder.file("a").stamp != file.stamp, "the next look reads it again")
    }

    @Test("A file that was saved over the new one is another one, and settled as such")
    func savedOver() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        let (place, staged) = try placed(folder, writer)
        let new = try place.open()
        try folder.save("another", over: "a")
        let outcome = try writer.confirm("a", place, staged.finished, new)
        #expect(!outcome.isDone)
        #expect(folder.read("a") == "another")
    }

    @Test("A rename of the new file is one of what was written: the change is done, whatever is at its path by now")
    func renamed() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        let (place, staged) = try placed(folder, writer)
        let new = try place.open()
        try folder.save("another", over: "b")
        try place.rename(over: try writer.place(of: "b"))
        #expect(try writer.confirm("a", place, staged.finished, new).isDone)
        try folder.write("a third", to: "a")
        #expect(try writer.confirm("a", place, staged.finished, new).isDone)
    }

    private func placed(_ folder: TemporaryFolder, _ writer: FolderWriter) throws -> (Place, StagedFile) {
        try folder.write("old", to: "a")
        let old = try folder.file("a")
        let staged = try writer.stage(Array("remote".utf8), modified: 1_700_000_000_000_000_000)
        #expect(try writer.replace("a", with: staged, expecting: old.stamp, old.hash).isDone)
        return (try writer.place(of: "a"), staged)
    }
}
