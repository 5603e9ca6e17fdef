import LocalFolder
import SyncModel
import SystemPackage
import Testing

@testable import SyncSimulation

@Suite("The simulated disk")
struct DiskTreeTests {
    private func name(_ text: String) -> DiskTree.Name { Array(text.utf8) }

    private func tree(_ body: (inout DiskTree) throws -> Void) rethrows -> DiskTree {
        var tree = DiskTree(now: 1)
        try body(&tree)
        return tree
    }

    private func texts(_ tree: DiskTree) -> [String: String] {
        var texts: [String: String] = [:]
        for (path, bytes) in tree.files(below: DiskTree.root, skipping: []) {
            texts["\(path)"] = String(decoding: bytes, as: UTF8.self)
        }
        return texts
    }

    private func write(_ text: String, to file: String, in tree: inout DiskTree) throws -> DiskTree.Inode {
        let inode = try tree.make(name(file), in: DiskTree.root, isDirectory: false, mode: 0o644, now: 2)
        try tree.change(inode, now: 2) { $0.bytes = Array(text.utf8) }
        return inode
    }

    @Test("A file whose bytes and name are synced survives every loss of power", arguments: 0..<UInt64(50))
    func synced(seed: UInt64) throws {
        var tree = try tree { tree in
            let inode = try write("kept", to: "a", in: &tree)
            try tree.sync(inode)
            try tree.sync(DiskTree.root)
            _ = try write("lost", to: "b", in: &tree)
        }
        var random = SeededRandom(seed: seed)
        tree.losePower(&random, now: 3)
        #expect(texts(tree)["a"] == "kept")
    }

    @Test("A symbolic link is listed as one and is nobody's file, after a loss of power too", arguments: 0..<UInt64(10))
    func links(seed: UInt64) throws {
        var tree = try tree { tree in
            try tree.makeLink(name("l"), in: DiskTree.root, now: 2)
            try tree.sync(DiskTree.root)
        }
        for _ in 0..<2 {
            #expect(try tree.names(in: DiskTree.root).map(\.kind) == [.symlink])
            #expect(texts(tree).isEmpty)
            #expect(tree.links() == [FolderPath("l")!])
            var random = SeededRandom(seed: seed)
            tree.losePower(&random, now: 3)
        }
    }

    @Test("A new file gets the number of one that is gone, and a birth of its own")
    func numbers() throws {
        var tree = DiskTree(now: 1)
        let one = try write("one", to: "a", in: &tree)
        let first = try tree.status(one, device: 1).stamp
        try tree.removeFile(name("a"), in: DiskTree.root, now: 2)
        // Until the removal is durable, a loss of power may bring it back.
        let two = try write("two", to: "b", in: &tree)
        #expect(try tree.status(two, device: 1).stamp.inode != first.inode)
        try tree.sync(DiskTree.root)
        let later = try tree.make(name("c"), in: DiskTree.root, isDirectory: false, mode: 0o644, now: 4)
        let stamp = try tree.status(later, device: 1).stamp
        #expect(stamp.inode == first.inode)
        #expect(stamp.file != first.file)
    }

    @Test("Of a file that was never synced, any part can be left: all of it, some, none, or only zeros")
    func unsynced() throws {
        var seen: Set<String?> = []
        for seed in 0..<UInt64(300) {
            var tree = try tree { tree in _ = try write("ab", to: "a", in: &tree) }
            var random = SeededRandom(seed: seed)
            tree.losePower(&random, now: 3)
            seen.insert(texts(tree)["a"])
        }
        #expect(seen == [nil, "", "a", "ab", "\0\0"])
    }

    @Test("A rename over a file leaves the old one or the new one, never none", arguments: 0..<UInt64(50))
    func replaced(seed: UInt64) throws {
        var tree = try tree { tree in
            let old = try write("old", to: "a", in: &tree)
            try tree.sync(old)
            try tree.sync(DiskTree.root)
            let new = try write("new", to: "b", in: &tree)
            try tree.sync(new)
            try tree.rename(
                name("b"), in: DiskTree.root, to: name("a"), in: DiskTree.root, replacing: true, now: 3)
        }
        #expect(texts(tree) == ["a": "new"])
        var random = SeededRandom(seed: seed)
        tree.losePower(&random, now: 4)
        #expect(["old", "new"].contains(texts(tree)["a"]))
    }

    @Test("A file that is renamed into a new directory is in the one or in the other", arguments: 0..<UInt64(50))
    func intoNewDirectory(seed: UInt64) throws {
        var tree = try tree { tree in
            let inode = try write("the words", to: "a.txt", in: &tree)
            try tree.sync(inode)
            try tree.sync(DiskTree.root)
            let new = try tree.make(name("d"), in: DiskTree.root, isDirectory: true, mode: 0o755, now: 2)
            try tree.rename(name("a.txt"), in: DiskTree.root, to: name("b.txt"), in: new, replacing: false, now: 3)
        }
        var random = SeededRandom(seed: seed)
        tree.losePower(&random, now: 4)
        #expect(texts(tree).values.contains("the words"))
    }

    @Test("A synced file comes back with its times, and any other one with those of the start")
    func times() throws {
        for isSynced in [true, false] {
            var tree = DiskTree(now: 1)
            let inode = try write("kept", to: "a", in: &tree)
            try tree.sync(DiskTree.root)
            if isSynced { try tree.sync(inode) }
            var random = SeededRandom(seed: 1)
            tree.losePower(&random, now: 9)
            #expect(try tree[inode].changed == (isSynced ? 2 : 9))
        }
    }

    @Test("An exchange is one step, before and after a loss of power", arguments: 0..<UInt64(50))
    func exchanged(seed: UInt64) throws {
        var tree = try tree { tree in
            for file in ["a", "b"] { try tree.sync(try write(file, to: file, in: &tree)) }
            try tree.sync(DiskTree.root)
            try tree.exchange(name("a"), in: DiskTree.root, with: name("b"), in: DiskTree.root, now: 3)
        }
        #expect(texts(tree) == ["a": "b", "b": "a"])
        var random = SeededRandom(seed: seed)
        tree.losePower(&random, now: 4)
        #expect([["a": "a", "b": "b"], ["a": "b", "b": "a"]].contains(texts(tree)))
    }

    @Test("The sync of a directory makes durable what its names need, and nothing else")
    func directories() throws {
        var tree = DiskTree(now: 1)
        let folder = try tree.make(name("d"), in: DiskTree.root, isDirectory: true, mode: 0o755, now: 2)
        let file = try tree.make(name("f"), in: folder, isDirectory: false, mode: 0o644, now: 2)
        try tree.sync(file)
        try tree.sync(folder)
        #expect(tree.unsynced.count == 1, "the name of the folder itself")
        try tree.sync(DiskTree.root)
        #expect(tree.unsynced.isEmpty)
    }

    @Test("Errors are those of Linux")
    func errors() throws {
        var tree = DiskTree(now: 1)
        _ = try write("x", to: "a", in: &tree)
        let folder = try tree.make(name("d"), in: DiskTree.root, isDirectory: true, mode: 0o755, now: 2)
        _ = try tree.make(name("f"), in: folder, isDirectory: false, mode: 0o644, now: 2)
        let root = DiskTree.root
        #expect(throws: Errno.fileExists) {
            try tree.make(name("a"), in: root, isDirectory: false, mode: 0o644, now: 2)
        }
        #expect(throws: Errno.fileExists) {
            try tree.rename(name("a"), in: root, to: name("d"), in: root, replacing: false, now: 2)
        }
        #expect(throws: Errno.directoryNotEmpty) { try tree.removeDirectory(name("d"), in: root, now: 2) }
        #expect(throws: Errno.isDirectory) { try tree.removeFile(name("d"), in: root, now: 2) }
        #expect(throws: Errno.notDirectory) { try tree.removeDirectory(name("a"), in: root, now: 2) }
        #expect(throws: Errno.noSuchFileOrDirectory) { try tree.removeFile(name("b"), in: root, now: 2) }
        #expect(throws: Errno.notDirectory) { try tree.resolve(name("a/x"), from: root) }
        tree.capacity = tree.used
        #expect(throws: Errno.noSpace) { _ = try write("y", to: "y", in: &tree) }
    }

    @Test("A directory that was removed takes no more names, of whatever kind")
    func removedDirectory() throws {
        var tree = DiskTree(now: 1)
        let gone = try tree.make(name("gone"), in: DiskTree.root, isDirectory: true, mode: 0o755, now: 2)
        _ = try write("text", to: "a", in: &tree)
        try tree.removeDirectory(name("gone"), in: DiskTree.root, now: 3)
        #expect(throws: Errno.noSuchFileOrDirectory) {
            try tree.make(name("b"), in: gone, isDirectory: false, mode: 0o644, now: 4)
        }
        #expect(throws: Errno.noSuchFileOrDirectory) {
            try tree.rename(name("a"), in: DiskTree.root, to: name("b"), in: gone, replacing: false, now: 4)
        }
        #expect(texts(tree) == ["a": "text"])
    }

    @Test("What was written over since its last sync is certain in neither version")
    func durableWords() throws {
        var tree = DiskTree(now: 1)
        let inode = try write("w1a", to: "a", in: &tree)
        #expect(tree.durableWords() == [])
        tree.syncAll()
        #expect(tree.durableWords() == ["w1a"])
        try tree.removeFile(name("a"), in: DiskTree.root, now: 3)
        #expect(tree.durableWords() == [])
        try tree.link(name("a"), in: DiskTree.root, to: inode, now: 3)
        tree.syncAll()
        #expect(tree.durableWords() == ["w1a"])
        try tree.change(inode, now: 3) { $0.bytes = Array("w2a".utf8) }
        #expect(tree.durableWords() == [])
    }
}
