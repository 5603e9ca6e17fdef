import FolderWriting
import Glibc
import LocalFolder
import SyncModel
import SystemPackage
import Testing

@Suite("Writing")
struct WriterTests {
    @Test("A replaced file is new at its path and old in history", arguments: [true, false])
    func replace(exchanging: Bool) throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer(exchanging: exchanging)
        #expect(writer.exchangesFiles == exchanging)
        try folder.write("old", to: "Note/a.json")
        let old = try folder.file("Note/a.json")
        let outcome = try writer.replace(
            "Note/a.json", with: try writer.stage(Array("new".utf8), modified: 1_700_000_000_123_456_789),
            expecting: old.stamp, old.hash)
        guard case .done(let file) = outcome else { return #expect(outcome.isDone) }
        #expect(folder.read("Note/a.json") == "new")
        #expect(folder.historyContents() == ["old"])
        #expect(folder.staged().isEmpty)
        #expect(file.stamp.modified == 1_700_000_000_123_456_789)
        let seen = try folder.file("Note/a.json")
        #expect(seen.stamp == file.stamp)
        #expect(seen.hash == file.hash)
        #expect(writer.lateWriters.isEmpty)
    }

    @Test("A replaced file keeps its permissions and extended attributes")
    func attributes() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        try folder.write("old", to: "a")
        chmod(folder.absolute("a"), 0o640)
        try setAttribute("user.colour", to: "blue", of: folder.absolute("a"))
        chown(folder.absolute("a"), 1, 1)
        let old = try folder.file("a")
        #expect(
            try writer.replace("a", with: writer.stage([1], executable: true), expecting: old.stamp, old.hash).isDone)
        var status = stat()
        stat(folder.absolute("a"), &status)
        #expect(status.st_mode & 0o7777 == 0o750)
        if geteuid() == 0 { #expect(status.st_uid == 1) }
        #expect(attribute("user.colour", of: folder.absolute("a")) == "blue")
    }

    @Test("The executable bit comes and goes with the staged file")
    func executable() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        #expect(try writer.create("a", writer.stage([1], executable: true)).isDone)
        var file = try folder.file("a")
        #expect(file.stamp.executable)
        #expect(try writer.replace("a", with: writer.stage([2]), expecting: file.stamp, file.hash).isDone)
        file = try folder.file("a")
        #expect(!file.stamp.executable)
        #expect(try writer.setExecutable("a", true, expecting: file.stamp, file.hash).isDone)
        #expect(try folder.file("a").stamp.executable)
        #expect(
            try writer.setExecutable("a", false, expecting: file.stamp, file.hash)
                == .superseded(.changed, conflictCopy: nil))
    }

    @Test("A file that was saved since the scan is left alone, and the staged file can be used again")
    func superseded() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        try folder.write("old", to: "a")
        let old = try folder.file("a")
        try folder.save("saved", over: "a")
        let staged = try writer.stage([1])
        #expect(
            try writer.replace("a", with: staged, expecting: old.stamp, old.hash)
                == .superseded(.changed, conflictCopy: nil))
        #expect(
            try writer.delete("a", expecting: old.stamp, old.hash) == .superseded(.changed, conflictCopy: nil))
        #expect(
            try writer.move("a", to: "b", expecting: old.stamp, old.hash) == .superseded(.changed, conflictCopy: nil))
        #expect(folder.tree() == ["a"])
        #expect(folder.read("a") == "saved")
        folder.remove("a")
        #expect(
            try writer.replace("a", with: staged, expecting: old.stamp, old.hash)
                == .superseded(.missing, conflictCopy: nil))
        #expect(
            try writer.delete("x/y", expecting: old.stamp, old.hash) == .superseded(.missing, conflictCopy: nil))
        #expect(
            try writer.move("x/y", to: "b", expecting: old.stamp, old.hash) == .superseded(.missing, conflictCopy: nil))
        #expect(try writer.create("a", staged).isDone)
        #expect(folder.historyContents().isEmpty)
    }

    @Test(
        "Bytes that changed behind an equal stamp are noticed after the exchange, and go back",
        arguments: [true, false])
    func hiddenChange(deleting: Bool) throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        try folder.write("person's", to: "a")
        let file = try folder.file("a")
        let other = try #require(ContentHash(bytes: 0..<32))
        let outcome =
            deleting
            ? try writer.delete("a", expecting: file.stamp, other)
            : try writer.replace("a", with: writer.stage([1]), expecting: file.stamp, other)
        #expect(outcome == .superseded(.changed, conflictCopy: nil))
        #expect(folder.read("a") == "person's")
        #expect(folder.tree() == ["a"])
        #expect(try folder.file("a").stamp.inode == file.stamp.inode)
    }

    @Test("Creating makes directories, and never touches what is there")
    func create() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        #expect(try writer.create("a/b/c.json", writer.stage([0x78])).isDone)
        #expect(folder.tree() == ["a/", "a/b/", "a/b/c.json"])
        let staged = try writer.stage([0x79])
        #expect(try writer.create("a/b/c.json", staged) == .superseded(.exists, conflictCopy: nil))
        #expect(folder.read("a/b/c.json") == "x")
        #expect(try writer.create("a/b", staged) == .blocked(.directory("a/b")))
        #expect(try writer.create("a/b/c.json/d/e", staged) == .blocked(.fileAbove("a/b/c.json")))
        #expect(try writer.create("a/.zonefolder/x", staged) == .blocked(.reserved("a/.zonefolder/x")))
        #expect(folder.tree() == ["a/", "a/b/", "a/b/c.json"])
    }

    @Test(
        "A file takes the place of empty directories; where anything else is in them, none of them goes"
    )
    func emptyDirectories() throws {
        for (kept, isFree) in [("", true), ("a/b/d/.hidden", false), ("a/b/x", false)] {
            let folder = try TemporaryFolder()
            let writer = try folder.writer()
            try folder.makeDirectories("a/b/c")
            try folder.makeDirectories("a/b/d")
            if !kept.isEmpty { try folder.write("kept", to: kept) }
            let before = folder.tree()
            let created = try writer.create("a/b", writer.stage([0x78]))
            #expect(created.isDone == isFree)
            if isFree { #expect(folder.tree() == ["a/", "a/b"] && folder.read("a/b") == "x") }
            if !isFree { #expect(created == .blocked(.directory("a/b")) && folder.tree() == before) }
        }
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        try folder.makeDirectories("a/b/c")
        try folder.write("text", to: "file")
        let file = try folder.file("file")
        #expect(try writer.move("file", to: "a/b", expecting: file.stamp, file.hash).isDone)
        #expect(folder.tree() == ["a/", "a/b"] && folder.read("a/b") == "text")
    }

    @Test("A new file has the group of a directory that gives it to all new files", .enabled(if: geteuid() == 0))
    func group() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        try folder.makeDirectories("team")
        #expect(chown(folder.absolute("team"), 0, 12_345) == 0 && chmod(folder.absolute("team"), 0o2775) == 0)
        for path in ["team/a.txt", "team/below/b.txt", "c.txt"] as [FolderPath] {
            #expect(try writer.create(path, writer.stage([0x78])).isDone)
            var status = stat()
            #expect(stat(folder.absolute("\(path)"), &status) == 0)
            #expect(status.st_gid == (path == "c.txt" ? getegid() : 12_345), "\(path)")
        }
    }

    @Test("No link leads a write out of the folder")
    func links() throws {
        let folder = try TemporaryFolder()
        let outside = try TemporaryFolder()
        let writer = try folder.writer()
        try outside.write("outside", to: "f")
        symlink(outside.path, folder.absolute("link"))
        symlink(outside.absolute("f"), folder.absolute("file"))
        try folder.makeDirectories("real")
        symlink("../link", folder.absolute("real/link"))
        let file = try outside.file("f")
        for path in ["link/f", "link/new", "link/deep/new", "real/link/f"] as [FolderPath] {
            let link: FolderPath = path.isBelow("real") ? "real/link" : "link"
            #expect(try writer.create(path, writer.stage([1])) == .blocked(.symlink(link)))
            #expect(
                try writer.replace(path, with: writer.stage([1]), expecting: file.stamp, file.hash)
                    == .blocked(.symlink(link)))
            #expect(try writer.delete(path, expecting: file.stamp, file.hash) == .blocked(.symlink(link)))
        }
        #expect(try writer.create("file", writer.stage([1])) == .blocked(.symlink("file")))
        #expect(
            try writer.replace("file", with: writer.stage([1]), expecting: file.stamp, file.hash)
                == .blocked(.symlink("file")))
        #expect(try writer.delete("file", expecting: file.stamp, file.hash) == .blocked(.symlink("file")))
        #expect(throws: FolderError.self) { try FolderReader(root: folder.root).read("file") }
        #expect(throws: FolderError.self) { try FolderReader(root: folder.root).read("link/f") }
        #expect(outside.tree() == ["f"])
        #expect(outside.read("f") == "outside")
        #expect(folder.tree() == ["file", "link", "real/", "real/link"])
    }

    @Test("A state directory that is a link is not used")
    func linkedState() throws {
        let folder = try TemporaryFolder(marked: false)
        let outside = try TemporaryFolder()
        symlink(outside.path, folder.absolute(".zonefolder"))
        #expect(throws: FolderError.self) { try folder.writer() }
        guard case .markerMissing = folder.root.health() else { return #expect(Bool(false), "no marker") }
        #expect(outside.tree().isEmpty)
    }

    @Test("Deleting removes the directories that it empties, and no others")
    func prune() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        try folder.write("x", to: "a/b/c/file")
        try folder.write("x", to: "a/other")
        try folder.makeDirectories("empty/before")
        let file = try folder.file("a/b/c/file")
        #expect(try writer.delete("a/b/c/file", expecting: file.stamp, file.hash).isDone)
        #expect(folder.tree() == ["a/", "a/other", "empty/", "empty/before/"])
        #expect(folder.historyContents() == ["x"])
    }

    @Test("Moving keeps the inode, makes directories and removes those it empties")
    func move() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        try folder.write("x", to: "a/b/file")
        try folder.write("y", to: "taken")
        let file = try folder.file("a/b/file")
        #expect(
            try writer.move("a/b/file", to: "taken", expecting: file.stamp, file.hash)
                == .superseded(.exists, conflictCopy: nil))
        let outcome = try writer.move("a/b/file", to: "c/d/new", expecting: file.stamp, file.hash)
        guard case .done(let moved) = outcome else { return #expect(outcome.isDone) }
        #expect(moved.stamp.inode == file.stamp.inode)
        #expect(try folder.file("c/d/new").stamp == moved.stamp)
        #expect(folder.tree() == ["c/", "c/d/", "c/d/new", "taken"])
        #expect(
            try writer.move("c/d/new", to: "taken/x", expecting: moved.stamp, moved.hash)
                == .blocked(.fileAbove("taken")))
    }

    @Test("What a crash left in staging is removed at the start, and nothing else")
    func leftovers() throws {
        let folder = try TemporaryFolder()
        try folder.write("half", to: ".zonefolder/staging/abc-1")
        try folder.write("half", to: ".zonefolder/staging/dir/abc-2")
        try folder.write("old", to: ".zonefolder/history/20260115T101112Z-0/a")
        try folder.write("x", to: "a")
        let writer = try folder.writer()
        #expect(try writer.cleanStaging() == 2)
        #expect(folder.staged().isEmpty)
        #expect(folder.historyContents() == ["old"])
        #expect(folder.tree() == ["a"])
    }

    @Test("A staged file that is given up leaves nothing")
    func givenUp() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        do {
            let staged = try writer.stage()
            try staged.write([1, 2, 3])
            #expect(folder.staged().count == 1)
        }
        #expect(folder.staged().isEmpty)
    }

    @Test("What is staged in pieces is hashed as a whole")
    func pieces() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        let staged = try writer.stage()
        try staged.write(Array("a".utf8))
        try staged.write("b".utf8)
        try staged.write(["c" as Character].flatMap(\.utf8))
        #expect(staged.size == 3)
        #expect(try staged.finish().hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("Many files become durable together")
    func batch() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        let staged = try (0..<200).map { number in
            try writer.stage(Array("\(number)".utf8), syncing: false)
        }
        try writer.makeDurable(staged)
        let batch = WriteBatch()
        for (number, file) in staged.enumerated() {
            let path = try #require(FolderPath("d\(number % 90)/\(number)"))
            #expect(try writer.create(path, file, batch: batch).isDone)
        }
        try batch.finish()
        #expect(folder.scan().files.count == 200)
        #expect(folder.staged().isEmpty)
    }

    @Test("What is no file any more is not synced, and keeps nothing else from becoming durable")
    func noFileToSync() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        try folder.write("x", to: "dir/a")
        guard mkfifo(folder.absolute("pipe"), 0o600) == 0 else { throw Errno(rawValue: errno) }
        guard mknod(folder.absolute("socket"), S_IFSOCK | 0o600, 0) == 0 else { throw Errno(rawValue: errno) }
        symlink("dir/a", folder.absolute("link"))
        let paths: [FolderPath] = ["pipe", "socket", "link", "pipe/below", "gone", "dir", "dir/a"]
        for path in paths { try writer.makeDurable(besides: [path]) }
        try writer.makeDurable(besides: paths)
    }

    @Test("The longest names and names that are no UTF-8 can be written, replaced and deleted")
    func names() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        let long = Array(String(repeating: "x", count: 255).utf8)
        for name in [long, [0xFF, 0x0A, 0x5C], Array("\u{e9}".utf8), Array("e\u{301}".utf8)] {
            let path = try #require(FolderPath(bytes: Array("dir/".utf8) + name))
            #expect(try writer.create(path, writer.stage([1])).isDone)
            let file = try #require(folder.scan(.paths([path])).files.first)
            #expect(try writer.replace(path, with: writer.stage([2]), expecting: file.stamp, file.hash).isDone)
            let copy = try #require(try writer.keepConflictCopy(of: path))
            #expect(copy.parent == "dir")
            let again = try #require(folder.scan(.paths([path])).files.first)
            #expect(try writer.delete(path, expecting: again.stamp, again.hash).isDone)
        }
        #expect(folder.scan().files.isEmpty)
    }

    @Test("A file that another process still writes to is watched in history, and its late bytes are told")
    func lateWriter() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        try folder.write("old", to: "a")
        let file = try folder.file("a")
        let editor = open(folder.absolute("a"), O_WRONLY)
        #expect(try writer.replace("a", with: writer.stage([0x6E]), expecting: file.stamp, file.hash).isDone)
        #expect(!writer.lateWriters.isEmpty)
        let time = now()
        #expect(writer.lateWriters.check(now: time).isEmpty)
        #expect(Glibc.write(editor, "late!", 5) == 5)
        // Still open: more may come.
        #expect(writer.lateWriters.check(now: time + 1).isEmpty)
        close(editor)
        let late = writer.lateWriters.check(now: time + 2)
        #expect(late.map(\.path) == ["a"])
        let copy = try writer.keepConflictCopy(of: try #require(late.first))
        #expect(folder.read(try #require(copy.text)) == "late!")
        #expect(try writer.keepConflictCopy(of: late[0]) == copy)
        #expect(writer.lateWriters.check(now: time + LateWriters.window * 2).isEmpty)
        #expect(writer.lateWriters.isEmpty)
        #expect(folder.read("a") == "n")
    }

    @Test(
        "A program that keeps the file open is told of once, and once more when it closes it, in the same copy's place")
    func writerThatStays() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        try folder.write("old", to: "a")
        let file = try folder.file("a")
        let editor = open(folder.absolute("a"), O_WRONLY | O_APPEND)
        #expect(try writer.delete("a", expecting: file.stamp, file.hash).isDone)
        let time = now()
        #expect(Glibc.write(editor, ", late", 6) == 6)
        let first = writer.lateWriters.check(now: time + LateWriters.window * 2)
        let copy = try writer.keepConflictCopy(of: try #require(first.first))
        #expect(folder.read(try #require(copy.text)) == "old, late")
        for windows in 3..<20 {
            #expect(Glibc.write(editor, ", later", 7) == 7)
            #expect(writer.lateWriters.check(now: time + LateWriters.window * Int64(windows)).isEmpty)
        }
        close(editor)
        let last = try #require(writer.lateWriters.check(now: time + LateWriters.window * 20).first)
        let second = try writer.keepConflictCopy(of: last)
        #expect(try folder.read(#require(second.text))?.hasSuffix(", later, later") == true)
        #expect(try writer.takeBack(#require(last.earlier)))
        #expect(folder.read(try #require(copy.text)) == nil)
        #expect(writer.lateWriters.isEmpty)
    }

    @Test("What is written into a replaced file while nobody watches is told of by the next start, once")
    func lateWriterOfEarlierRun() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "a")
        try folder.write("at rest", to: "b")
        let earlier = try folder.writer()
        let (a, b) = (try folder.file("a"), try folder.file("b"))
        let editor = open(folder.absolute("a"), O_WRONLY)
        #expect(try earlier.replace("a", with: earlier.stage([0x6E]), expecting: a.stamp, a.hash).isDone)
        #expect(try earlier.delete("b", expecting: b.stamp, b.hash).isDone)
        #expect(Glibc.write(editor, "late!", 5) == 5)
        close(editor)

        let writer = try folder.writer()
        try writer.lateWriters.resume(now: now())
        let late = writer.lateWriters.check(now: now())
        #expect(late.map(\.path) == ["a"])
        let copy = try writer.keepConflictCopy(of: try #require(late.first))
        #expect(folder.read(try #require(copy.text)) == "late!")
        #expect(writer.lateWriters.isEmpty)
        // The person read the copy and took it away.
        #expect(unlink(folder.absolute(try #require(copy.text))) == 0)
        let later = try folder.writer()
        try later.lateWriters.resume(now: now())
        #expect(later.lateWriters.isEmpty)
    }

    @Test(
        "A file in the history was written to where its last change is its last write, and not before it was filed",
        arguments: [(15, 15, true), (14, 15, false), (9, 9, false), (9, 15, false), (15, 16, false)]
            as [(Int64, Int64, Bool)])
    func isWritten(modified: Int64, changed: Int64, isLate: Bool) {
        let stamp = FileStamp(device: 1, inode: 2, size: 3, modified: modified, changed: changed, mode: 0o644)
        #expect(LateWriters.isWritten(stamp, since: 10) == isLate)
    }

    @Test(
        "A program that writes on into a replaced file through starts of ours is told of when it closes the file, once")
    func lateWriterThroughStarts() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "a")
        let file = try folder.file("a")
        let editor = open(folder.absolute("a"), O_WRONLY | O_APPEND)
        let first = try folder.writer()
        #expect(try first.replace("a", with: first.stage([0x6E]), expecting: file.stamp, file.hash).isDone)
        for number in 1...3 {
            #expect(Glibc.write(editor, "\(number)", 1) == 1)
            let writer = try folder.writer()
            let later = now() + Int64(number) * 3 * LateWriters.window
            try writer.lateWriters.resume(now: later)
            #expect(writer.lateWriters.check(now: later).isEmpty)
        }
        let writer = try folder.writer()
        try writer.lateWriters.resume(now: now() + 20 * LateWriters.window)
        close(editor)
        let late = writer.lateWriters.check(now: now() + 20 * LateWriters.window)
        let copy = try writer.keepConflictCopy(of: try #require(late.first))
        #expect(folder.read(try #require(copy.text)) == "old123")
    }

    @Test("A program that has a replaced file open across a start is watched on")
    func lateWriterThatOutlivesARun() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "a")
        let earlier = try folder.writer()
        let file = try folder.file("a")
        let editor = open(folder.absolute("a"), O_WRONLY)
        #expect(try earlier.replace("a", with: earlier.stage([0x6E]), expecting: file.stamp, file.hash).isDone)

        let writer = try folder.writer()
        try writer.lateWriters.resume(now: now())
        #expect(writer.lateWriters.check(now: now()).isEmpty)
        #expect(Glibc.write(editor, "late!", 5) == 5)
        close(editor)
        #expect(writer.lateWriters.check(now: now()).map(\.path) == ["a"])
    }

    @Test("An earlier copy that a person has worked in stays when the program closes the file")
    func workedInCopy() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        try folder.write("old", to: "a")
        let file = try folder.file("a")
        let editor = open(folder.absolute("a"), O_WRONLY | O_APPEND)
        #expect(try writer.delete("a", expecting: file.stamp, file.hash).isDone)
        #expect(Glibc.write(editor, ", late", 6) == 6)
        let time = now() + LateWriters.window * 2
        let copy = try writer.keepConflictCopy(of: try #require(writer.lateWriters.check(now: time).first))
        try folder.write("merged by hand", to: try #require(copy.text))
        #expect(Glibc.write(editor, ", later", 7) == 7)
        close(editor)
        let last = try #require(writer.lateWriters.check(now: time).first)
        #expect(try writer.keepConflictCopy(of: last) != copy)
        #expect(try !writer.takeBack(#require(last.earlier)))
        #expect(folder.read(try #require(copy.text)) == "merged by hand")
    }

    @Test("A conflict copy has the bytes, time and executable bit, and the same bytes are kept once")
    func conflictCopies() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer(clock: { 1_768_471_872_000_000_000 })
        try folder.write("mine", to: "Note/a.json", mode: 0o755)
        let first = try #require(try writer.keepConflictCopy(of: "Note/a.json"))
        #expect(first == "Note/a.conflict-20260115T101112Z-laptop.json")
        #expect(folder.read("Note/a.conflict-20260115T101112Z-laptop.json") == "mine")
        #expect(try writer.keepConflictCopy(of: "Note/a.json") == first)
        try folder.write("mine again", to: "Note/a.json")
        let second = try #require(try writer.keepConflictCopy(of: "Note/a.json"))
        #expect(second == "Note/a.conflict-20260115T101112Z-laptop-2.json")
        #expect(try writer.keepConflictCopy(of: "Note/gone.json") == nil)
        #expect(folder.scan().files.map(\.path) == ["Note/a.json"])
        #expect(folder.staged().isEmpty)
    }

    @Test("A cookie comes and goes")
    func cookie() throws {
        let folder = try TemporaryFolder()
        try folder.writer().dropCookie(named: "abc-1")
        #expect(listTree(folder.absolute(".zonefolder/cookies")).isEmpty)
    }

    @Test("Without the state directory nothing is written")
    func noState() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        try folder.write("x", to: "a")
        let file = try folder.file("a")
        folder.remove(".zonefolder")
        #expect(throws: FolderError.self) { try writer.stage([1]) }
        #expect(throws: FolderError.self) { try writer.delete("a", expecting: file.stamp, file.hash) }
        #expect(throws: FolderError.self) { try folder.writer() }
        #expect(folder.read("a") == "x")
    }
}

// The C library's headers for extended attributes are not among those that Swift imports.

private func setAttribute(_ name: String, to value: String, of path: String) throws {
    typealias Call = @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, CInt) -> CInt
    let call = unsafeBitCast(try #require(dlsym(nil, "setxattr")), to: Call.self)
    guard call(path, name, value, value.utf8.count, 0) == 0 else { throw Errno(rawValue: errno) }
}

private func attribute(_ name: String, of path: String) -> String? {
    typealias Call = @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int) -> Int
    guard let symbol = dlsym(nil, "getxattr") else { return nil }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafeBitCast(symbol, to: Call.self)(path, name, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
}
