import Glibc
import LocalFolder
import SyncModel
import SystemPackage
import Testing

@testable import FolderWriting

@Suite("The folder's health")
struct RootTests {
    @Test("A marked folder is well, and an empty one is told apart")
    func well() throws {
        let folder = try TemporaryFolder()
        guard case .empty = folder.root.health() else { return #expect(Bool(false), "empty") }
        try folder.write("x", to: "a")
        guard case .ok = folder.root.health() else { return #expect(Bool(false), "ok") }
    }

    @Test("A folder without its marker is not acted on")
    func marker() throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "a")
        folder.remove(".zonefolder")
        guard case .markerMissing = folder.root.health() else { return #expect(Bool(false), "no marker") }
        try folder.write("a file", to: ".zonefolder")
        guard case .markerMissing = folder.root.health() else { return #expect(Bool(false), "a file is no marker") }
    }

    @Test("A folder that was moved away is gone; another one at its place is another one")
    func moved() throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "a")
        let other = folder.path + "-moved"
        defer { removeAll(other) }
        #expect(rename(folder.path, other) == 0)
        guard case .gone = folder.root.health() else { return #expect(Bool(false), "gone") }
        mkdir(folder.path, 0o755)
        mkdir(folder.path + "/.zonefolder", 0o700)
        guard case .deviceChanged = folder.root.health() else { return #expect(Bool(false), "another directory") }
    }

    @Test("What cannot be opened is an error that says so")
    func missing() {
        #expect {
            try FolderRoot(opening: "/nowhere/at/all")
        } throws: { error in
            (error as? FolderError)?.code == .folderMissing && "\(error)".contains("/nowhere/at/all")
        }
    }

    @Test("A file that is written to while it is read is told as changed")
    func reading() throws {
        let folder = try TemporaryFolder()
        let reader = FolderReader(root: folder.root)
        try folder.write("one two", to: "a")
        let file = try folder.file("a")
        #expect(try reader.read("a").bytes == Array("one two".utf8))
        let quiet = try #require(try reader.openForUpload("a", expecting: file.stamp))
        while try quiet.next(maxBytes: 3) != nil {}
        #expect(try quiet.finish() == .unchanged(file.hash))
        let disturbed = try #require(try reader.openForUpload("a", expecting: file.stamp))
        _ = try disturbed.next(maxBytes: 3)
        try folder.write("three", to: "a")
        while try disturbed.next(maxBytes: 3) != nil {}
        #expect(try disturbed.finish() == .changed)
        #expect(try reader.openForUpload("a", expecting: file.stamp) == nil)
        #expect(try reader.openForUpload("gone", expecting: file.stamp) == nil)
        #expect { try reader.read("a", limit: 2) } throws: { ($0 as? FolderError)?.code == .tooLarge }
        #expect { try reader.read("gone") } throws: { ($0 as? FolderError)?.code == .notFound }
    }
}

@Suite("History")
struct HistoryTests {
    @Test("What was replaced or deleted is listed with its path, newest first, and can be read")
    func entries() throws {
        let folder = try TemporaryFolder()
        let clock = Clock(seconds: 1_768_471_872)
        let writer = try folder.writer(clock: { clock.nanoseconds })
        for (text, path) in [("one", "Note/a.json"), ("two", "b")] { try folder.write(text, to: path) }
        var file = try folder.file("Note/a.json")
        #expect(try writer.replace("Note/a.json", with: writer.stage([1]), expecting: file.stamp, file.hash).isDone)
        file = try folder.file("Note/a.json")
        #expect(try writer.delete("Note/a.json", expecting: file.stamp, file.hash).isDone)
        clock.advance(by: 1)
        file = try folder.file("b")
        #expect(try writer.delete("b", expecting: file.stamp, file.hash).isDone)
        let entries = try writer.history.entries()
        #expect(entries.map(\.path) == ["b", "Note/a.json", "Note/a.json"])
        #expect(entries.map(\.time) == [1_768_471_873, 1_768_471_872, 1_768_471_872])
        #expect(
            Set(entries.map(\.bucket)) == [
                "20260115T101113Z-0-deleted-there", "20260115T101112Z-0-changed-there",
                "20260115T101112Z-0-deleted-there",
            ])
        let reader = try writer.history.open(entries[0])
        #expect(try reader.next() == Array("two".utf8))
        #expect(folder.exists(entries[0].location))
    }

    @Test("What is below a path is filed in the second in which the file left that stood there")
    func belowAFile() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer(clock: { 1_768_471_872_000_000_000 })
        try folder.write("a file", to: "a")
        var file = try folder.file("a")
        #expect(try writer.delete("a", expecting: file.stamp, file.hash).isDone)
        try folder.write("old", to: "a/b")
        file = try folder.file("a/b")
        #expect(try writer.replace("a/b", with: writer.stage([1]), expecting: file.stamp, file.hash).isDone)
        file = try folder.file("a/b")
        #expect(try writer.delete("a/b", expecting: file.stamp, file.hash).isDone)
        #expect(try Set(writer.history.entries().map(\.path)) == ["a", "a/b"])
        #expect(folder.historyContents().count == 3)
    }

    @Test("History is pruned by age and by size, the oldest first, but never its last minute")
    func prune() throws {
        let folder = try TemporaryFolder()
        let clock = Clock(seconds: 1_000_000)
        let writer = try folder.writer(clock: { clock.nanoseconds })
        for number in 0..<5 {
            try folder.write(String(repeating: "x", count: 100), to: "deep/er/\(number)")
            let path = try #require(FolderPath("deep/er/\(number)"))
            let file = try folder.file("deep/er/\(number)")
            #expect(try writer.delete(path, expecting: file.stamp, file.hash).isDone)
            clock.advance(by: 100)
        }
        func left() throws -> [FolderPath] { try writer.history.entries().map(\.path) }
        #expect(try writer.history.prune(olderThan: 1_000_050, maxBytes: .max, now: 1_000_500) == 1)
        #expect(try left() == ["deep/er/4", "deep/er/3", "deep/er/2", "deep/er/1"])
        #expect(try writer.history.prune(olderThan: 0, maxBytes: 250, now: 1_000_500) == 2)
        #expect(try left() == ["deep/er/4", "deep/er/3"])
        #expect(try writer.history.prune(olderThan: .max, maxBytes: 0, now: 1_000_430) == 1)
        #expect(try left() == ["deep/er/4"])
    }
}
