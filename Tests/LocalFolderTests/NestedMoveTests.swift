import SyncModel
import Testing

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
    }
}
