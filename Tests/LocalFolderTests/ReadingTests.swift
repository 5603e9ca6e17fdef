import LocalFolder
import SyncModel
import SystemPackage
import Testing

@Suite("Reading files that somebody writes to")
struct ReadingTests {
    @Test(
        "A file that has another size once it is read is read again",
        arguments: ["", "one"], ["one and more", "o", ""])
    func writtenWhileRead(before: String, after: String) throws {
        let folder = try TemporaryFolder()
        let disk = LimitedDisk(hasLinks: true)
        let root = try FolderRoot(opening: FilePath(folder.path), on: disk)
        try folder.write(before, to: "f")
        disk.afterNext(.read) { try? folder.write(after, to: "f") }
        let contents = try FolderReader(root: root).read("f")
        #expect(String(decoding: contents.bytes, as: UTF8.self) == after)
        #expect(contents.stamp == (try folder.file("f").stamp) && !disk.isWaiting)
    }

    @Test("A file that grows once it is read by a look is to be looked at again")
    func grownWhileLookedAt() throws {
        let folder = try TemporaryFolder()
        let disk = LimitedDisk(hasLinks: true)
        let root = try FolderRoot(opening: FilePath(folder.path), on: disk)
        try folder.write("one", to: "f")
        disk.afterNext(.read) { try? folder.write("one and more", to: "f") }
        let result = FolderScanner(root: root, rules: IgnoreRules()).scan(.whole, now: now(), previous: { _ in nil })
        #expect(result.files.isEmpty && result.changing == ["f"])
    }

    @Test("A file is read whole, whatever its size", arguments: [0, 1, 4095, 4096, 262_143, 262_144, 262_145, 700_000])
    func whole(size: Int) throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "x", count: size)
        try folder.write(text, to: "f")
        let contents = try FolderReader(root: folder.root).read("f")
        #expect(contents.bytes == Array(text.utf8))
        #expect(contents.hash == (try folder.file("f").hash))
        let reader = try FolderReader(root: folder.root).open("f")
        var pieces: [UInt8] = []
        while let piece = try reader.next(maxBytes: 100_000) { pieces += piece }
        #expect(pieces == contents.bytes)
        #expect(try reader.finish() == .unchanged(contents.hash))
    }
}
