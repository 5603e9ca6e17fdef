import Glibc
import LocalFolder
import SyncModel
import SystemPackage
import Testing

@testable import FolderWriting

@Suite("A disk without RENAME_NOREPLACE and RENAME_EXCHANGE")
struct LimitedDiskTests {
    /// Of each file that is deleted or moved, the name goes away in a step of its own.
    enum Change: CaseIterable, Sendable {
        case delete, move, moveBelowItself
    }

    @Test(
        "A save by rename that comes between two steps of a change is in the folder afterwards",
        arguments: Change.allCases, [LimitedDisk.Step.link, .rename])
    func savedBetween(change: Change, step: LimitedDisk.Step) throws {
        let folder = try TemporaryFolder()
        let disk = LimitedDisk(hasLinks: true)
        let writer = try FolderWriter(
            root: FolderRoot(opening: FilePath(folder.path), on: disk), device: "laptop", clock: now)
        try folder.write("old", to: "d/f")
        let file = try folder.file("d/f")
        disk.afterNext(step) { try? folder.save("saved", over: "d/f") }
        let outcome =
            switch change {
            case .delete: try writer.delete("d/f", expecting: file.stamp, file.hash)
            case .move: try writer.move("d/f", to: "g", expecting: file.stamp, file.hash)
            case .moveBelowItself: try writer.move("d/f", to: "d/f/g", expecting: file.stamp, file.hash)
            }
        guard !disk.isWaiting else {
            #expect(change == .delete && step == .link, "a deletion needs no link")
            return
        }
        let texts = listTree(folder.path).filter { !$0.hasPrefix(".zonefolder") }.compactMap { folder.read($0) }
        #expect(texts.contains("saved"), "\(outcome) \(folder.tree())")
        #expect(folder.tree().allSatisfy { !$0.contains("staging/") })
    }

    @Test("What is written into a file of which a copy is filed is in a conflict copy")
    func writtenBetween() throws {
        let folder = try TemporaryFolder()
        let disk = LimitedDisk(hasLinks: false)
        let writer = try FolderWriter(
            root: FolderRoot(opening: FilePath(folder.path), on: disk), device: "laptop", clock: now)
        try folder.write("old", to: "f")
        let file = try folder.file("f")
        let staged = try writer.stage(Array("new".utf8))
        // The first rename files the copy, the second one puts the new file there.
        disk.afterNext(.rename) { try? folder.write("written", to: "f") }
        let outcome = try writer.replace("f", with: staged, expecting: file.stamp, file.hash)
        guard case .superseded(.changed, let copy?) = outcome else {
            Issue.record("\(outcome) \(folder.tree())")
            return
        }
        #expect(folder.read("\(copy)") == "written" && folder.read("f") == "new")
        #expect(folder.historyContents() == ["old"])
    }

    @Test("Nothing is replaced, and each change is done, where nobody saves", arguments: [true, false])
    func plain(hasLinks: Bool) throws {
        let folder = try TemporaryFolder()
        let disk = LimitedDisk(hasLinks: hasLinks)
        let writer = try FolderWriter(
            root: FolderRoot(opening: FilePath(folder.path), on: disk), device: "laptop", clock: now)
        for path in ["a", "b", "c", "taken"] { try folder.write(path, to: path) }
        let (a, b, c) = (try folder.file("a"), try folder.file("b"), try folder.file("c"))
        #expect(try writer.delete("a", expecting: a.stamp, a.hash).isDone)
        #expect(
            try writer.move("b", to: "taken", expecting: b.stamp, b.hash) == .superseded(.exists, conflictCopy: nil))
        #expect(try writer.move("b", to: "d/b", expecting: b.stamp, b.hash).isDone)
        #expect(try writer.replace("c", with: writer.stage(Array("new".utf8)), expecting: c.stamp, c.hash).isDone)
        #expect(folder.tree() == ["c", "d/", "d/b", "taken"])
        #expect(folder.read("c") == "new" && folder.read("taken") == "taken" && folder.read("d/b") == "b")
        #expect(Set(folder.historyContents()) == ["a", "c"])
    }
}
