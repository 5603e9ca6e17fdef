import Foundation
import SyncModel
import SystemPackage
import Testing

@testable import LocalFolder

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Reading files for their hashes")
struct HashingTests {
    @Test("A large file that is written to meanwhile is not read to its end")
    func writtenTo() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "disk.img")
        // A hole takes no room.
        #expect(truncate(folder.absolute("disk.img"), 1 << 40) == 0)
        let file = try Descriptor.open(beneath: folder.root.descriptor, Array("disk.img".utf8) + [0], .read)
        let before = try file.status().stamp
        #expect(truncate(folder.absolute("disk.img"), 1 << 41) == 0)
        var buffer = HashingBuffer()
        let hash = try buffer.hash(of: file, while: before)
        #expect(hash == nil)
        let position = lseek(file.raw, 0, SEEK_CUR)
        #expect(position > 0 && position <= 2 * HashingBuffer.stretch)
    }

    @Test("A walk that is read in parts tells the same files as one that is read at once", arguments: [1, 7, 100])
    func parts(count: Int) throws {
        let folder = try TemporaryFolder()
        for number in 0..<100 { try folder.write("text \(number)", to: "\(number)") }
        let scanner = FolderScanner(root: folder.root, rules: IgnoreRules())
        let whole = scanner.finish(scanner.walk(.whole), now: .max / 2)
        var walk = scanner.walk(.whole)
        try FileManager.default.removeItem(atPath: folder.absolute("99"))
        var files: [LocalFile] = []
        while !walk.unread.isEmpty {
            let unread = walk.unread.count
            files += scanner.read(&walk, atMost: count, now: .max / 2)
            #expect(walk.unread.count == max(0, unread - count))
        }
        #expect(Set(files) == Set(whole.files.filter { $0.path.description != "99" }))
        #expect(walk.result.changing.map(\.description) == ["99"])
        #expect(walk.result.hashed == 100)
    }

    @Test("A part has no more bytes than it may, but for a file that alone has more")
    func largeParts() throws {
        let folder = try TemporaryFolder()
        for (name, size) in [("a", 10), ("b", 90), ("c", 1), ("d", 500), ("e", 0), ("f", 100), ("g", 101)] {
            try folder.write(String(repeating: "x", count: size), to: name)
        }
        let scanner = FolderScanner(root: folder.root, rules: IgnoreRules())
        var walk = scanner.walk(.whole)
        let order = walk.unread.map(\.description)
        var parts: [[String]] = []
        while !walk.unread.isEmpty {
            parts.append(scanner.read(&walk, atMost: 100, bytes: 100, now: .max / 2).map(\.path.description))
        }
        #expect(parts.flatMap(\.self) == order)
        let sizes = ["a": 10, "b": 90, "c": 1, "d": 500, "e": 0, "f": 100, "g": 101]
        for part in parts { #expect(part.count == 1 || part.compactMap { sizes[$0] }.reduce(0, +) <= 100) }
        #expect(parts.count < order.count)
    }

    @Test(
        "A file that is left alone has the hash of its bytes, however many stretches it has", arguments: [0, 1, 20, 40])
    func leftAlone(megabytes: Int64) throws {
        let folder = try TemporaryFolder()
        try folder.write("text", to: "a")
        #expect(truncate(folder.absolute("a"), off_t(megabytes << 20)) == 0)
        var buffer = HashingBuffer()
        let file = try Descriptor.open(beneath: folder.root.descriptor, Array("a".utf8) + [0], .read)
        let hash = try buffer.hash(of: file, while: try file.status().stamp)
        let again = try Descriptor.open(beneath: folder.root.descriptor, Array("a".utf8) + [0], .read)
        let plain = try buffer.hash(of: again)
        #expect(hash == plain.0 && plain.size == megabytes << 20)
    }
}
