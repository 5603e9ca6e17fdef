import Glibc
import SyncModel
import Testing

@testable import FolderWriting
@testable import LocalFolder

@Suite("Moves to a path above or below")
struct NestedMoveTests {
    @Test("A file moves to the name of the directory above it, and to a path below its own name")
    func upAndDown() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        try folder.write("text", to: "a/b")
        let file = try folder.file("a/b")
        guard case .done(let up) = try writer.move("a/b", to: "a", expecting: file.stamp, file.hash) else {
            Issue.record("not moved up")
            return
        }
        #expect(folder.read("a") == "text")
        // The rename changed its status time.
        let there = try folder.file("a")
        #expect(there.stamp == up.stamp && there.hash == up.hash)
        #expect(try writer.move("a", to: "a/c/d", expecting: up.stamp, up.hash).isDone)
        #expect(folder.read("a/c/d") == "text")
        #expect(folder.historyContents().isEmpty)
    }

    @Test("Where something else is in the directory, the file stays, and so does that")
    func blocked() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        try folder.write("text", to: "a/b")
        try folder.write("other", to: "a/c")
        let file = try folder.file("a/b")
        guard case .blocked(.directory) = try writer.move("a/b", to: "a", expecting: file.stamp, file.hash) else {
            Issue.record("not blocked")
            return
        }
        #expect(folder.read("a/b") == "text" && folder.read("a/c") == "other")
        #expect(folder.historyContents().isEmpty)
        // Touched, it would look changed and be tried again for ever.
        #expect(try folder.file("a/b").stamp == file.stamp)
    }

    @Test("A directory above both paths stays as it is, with its permissions")
    func directoriesAbove() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        try folder.write("text", to: "private/a/b")
        #expect(chmod(folder.absolute("private"), 0o700) == 0)
        let file = try folder.file("private/a/b")
        let outcome = try writer.move("private/a/b", to: "private/a", expecting: file.stamp, file.hash)
        guard case .done(let up) = outcome else { return #expect(outcome.isDone) }
        #expect(try writer.move("private/a", to: "private/a/b", expecting: up.stamp, up.hash).isDone)
        var status = stat()
        #expect(stat(folder.absolute("private"), &status) == 0 && status.st_mode & 0o777 == 0o700)
    }
}
