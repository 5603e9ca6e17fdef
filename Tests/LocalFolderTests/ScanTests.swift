import Glibc
import LocalFolder
import SyncModel
import SystemPackage
import Testing

@Suite("Scan")
struct ScanTests {
    @Test("Every regular file is found with the hash of its bytes")
    func files() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "empty")
        try folder.write("abc", to: "Note/deep/er/a.json", mode: 0o755)
        try folder.makeDirectories("Note/nothing")
        let scan = folder.scan()
        #expect(Set(scan.files.map(\.path)) == ["empty", "Note/deep/er/a.json"])
        let file = try #require(scan.files.first { $0.path == "Note/deep/er/a.json" })
        #expect(file.hash.hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(file.stamp.size == 3)
        #expect(file.stamp.executable)
        #expect(scan.listed == [nil, "Note", "Note/deep", "Note/deep/er", "Note/nothing"])
    }

    @Test("A file whose settled stamp holds is not read again")
    func unchanged() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "a")
        try folder.write("old", to: "b")
        let past = now() - 1_000_000_000
        let known = folder.scan().files.map { file in
            // As a scan one second later would have found it.
            var file = file
            file.isSettled = file.stamp.isSettled(asOf: past + 3_000_000_000)
            return file
        }
        #expect(known.allSatisfy { $0.isSettled })
        #expect(folder.scan(previous: known).hashed == 0)
        #expect(Set(folder.scan(previous: known).files) == Set(known))
        try folder.write("new", to: "a")
        let again = folder.scan(previous: known)
        #expect(again.hashed == 1)
        #expect(again.files.first { $0.path == "a" }?.hash != known[0].hash)
    }

    @Test("Of a file that is told to be unchanged no more is told than that it is there")
    func toldUnchanged() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b", "c"] { try folder.write(name, to: name) }
        let known = Dictionary(uniqueKeysWithValues: folder.scan().files.map { ($0.path, $0.stamp) })
        try folder.write("longer", to: "b")
        folder.remove("c")
        let scan = FolderScanner(root: folder.root, rules: IgnoreRules()).scan(
            .whole, now: now(), unchanged: { known[$0] == $1 ? 7 : nil }, previous: { _ in nil })
        #expect(Array(scan.unchanged) == [7])
        #expect(scan.files.map(\.path) == ["b"] && scan.hashed == 1)
        #expect(scan.provesAbsence(of: "c"))
    }

    @Test("A file keeps the time of its birth when it is renamed and written to; a new one has another")
    func birth() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "a")
        let stamp = try folder.file("a").stamp
        #expect(stamp.born > 0)
        #expect(rename(folder.absolute("a"), folder.absolute("b")) == 0)
        try folder.write("longer", to: "b", mode: 0o600)
        #expect(try folder.file("b").stamp.file == stamp.file)
        folder.remove("b")
        var made: FileStamp
        repeat {
            try folder.write("new", to: "c")
            made = try folder.file("c").stamp
            folder.remove("c")
        } while made.changed < stamp.changed + 20_000_000
        #expect(made.file != stamp.file)
    }

    @Test("A file that was read in the tick of its last change is read again")
    func unsettled() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "a")
        let known = folder.scan().files
        #expect(known.allSatisfy { !$0.isSettled })
        #expect(folder.scan(previous: known).hashed == 1)
    }

    @Test("What is neither file nor directory is named, and no link is followed")
    func special() throws {
        let folder = try TemporaryFolder()
        let elsewhere = try TemporaryFolder()
        try elsewhere.write("secret", to: "secret")
        symlink(elsewhere.path, folder.absolute("link"))
        symlink(elsewhere.absolute("secret"), folder.absolute("file-link"))
        symlink("nowhere", folder.absolute("dangling"))
        mkfifo(folder.absolute("fifo"), 0o600)
        let scan = folder.scan()
        #expect(scan.files.isEmpty)
        #expect(
            Set(scan.skipped) == [
                SkippedPath(path: "link", reason: .symlink), SkippedPath(path: "file-link", reason: .symlink),
                SkippedPath(path: "dangling", reason: .symlink), SkippedPath(path: "fifo", reason: .fifo),
            ])
        #expect(!scan.provesAbsence(of: "link"))
        #expect(!scan.provesAbsence(of: "link/secret"))
        let below = folder.scan(.paths(["link/secret"]))
        #expect(below.files.isEmpty)
        #expect(!below.provesAbsence(of: "link/secret"))
    }

    @Test("A look at a file that is there does not prove that it is absent")
    func presence() throws {
        let folder = try TemporaryFolder()
        try folder.write("text", to: "a")
        #expect(!folder.scan(.paths(["a"])).provesAbsence(of: "a"))
        #expect(folder.scan(.paths(["a"])).provesAbsence(of: "a/b"))
    }

    @Test("Names are bytes, up to 255 of them")
    func names() throws {
        let folder = try TemporaryFolder()
        let odd: [UInt8] = [0x61, 0xFF, 0x0A, 0x5C]
        var path = Array(folder.path.utf8) + [0x2F] + odd
        path.append(0)
        let file = path.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { open($0.baseAddress!, O_CREAT | O_WRONLY, 0o644) }
        }
        close(file)
        let long = String(repeating: "x", count: 255)
        try folder.write("x", to: long)
        let found = Set(folder.scan().files.map(\.path.bytes))
        #expect(found == [odd, Array(long.utf8)])
        let known = try #require(FolderPath(bytes: odd))
        #expect(folder.scan(.paths([known])).files.count == 1)
    }

    @Test("A scope reaches what it names, with all that is below, and nothing else")
    func scopes() throws {
        let folder = try TemporaryFolder()
        for path in ["a/1", "a/b/2", "c/3", "a-b", "d"] { try folder.write(path, to: path) }
        func found(_ paths: [FolderPath]) -> Set<FolderPath> { Set(folder.scan(.paths(paths)).files.map(\.path)) }
        #expect(found(["a"]) == ["a/1", "a/b/2"])
        #expect(found(["a", "a/b", "a/b/2", "a-b"]) == ["a/1", "a/b/2", "a-b"])
        #expect(found(["d", "d"]) == ["d"])
        #expect(found(["a/b/2", "c"]) == ["a/b/2", "c/3"])
        #expect(found([]).isEmpty)
    }

    @Test("What is gone is proven to be gone, with all that was below it")
    func absence() throws {
        let folder = try TemporaryFolder()
        try folder.write("1", to: "a/1")
        try folder.write("f", to: "file")
        let whole = folder.scan()
        for path in ["a/2", "b", "b/c/d", "a/b/c", "a", "file/below"] as [FolderPath] {
            #expect(whole.provesAbsence(of: path), "\(path)")
        }
        let some = folder.scan(.paths(["b/c", "a"]))
        #expect(some.absent == ["b/c"])
        #expect(some.provesAbsence(of: "b/c/d"))
        #expect(some.provesAbsence(of: "a/2"))
        #expect(!some.provesAbsence(of: "b/x"))
        #expect(!some.provesAbsence(of: "file2"))
        #expect(folder.scan(.paths(["file/below"])).provesAbsence(of: "file/below"))
    }

    @Test("Ignored names prove nothing")
    func ignored() throws {
        let folder = try TemporaryFolder()
        try folder.write("1", to: "build/1")
        try folder.write("1", to: "x.log")
        try folder.write("1", to: "a")
        let rules = IgnoreRules(text: "build/\n*.log".utf8)
        let scan = folder.scan(rules: rules)
        #expect(scan.files.map(\.path) == ["a"])
        #expect(!scan.listed.contains("build"))
        for path in ["build/1", "x.log", "y.log", "build/2"] as [FolderPath] {
            #expect(!scan.provesAbsence(of: path))
            let single = folder.scan(.paths([path]), rules: rules)
            #expect(single.files.isEmpty)
            #expect(!single.provesAbsence(of: path))
        }
    }

    @Test("The state directory is never listed")
    func state() throws {
        let folder = try TemporaryFolder()
        try folder.write("secret", to: ".zonefolder/credentials")
        let scan = folder.scan()
        #expect(scan.files.isEmpty)
        #expect(scan.listed == [nil])
        #expect(folder.scan(.paths([".zonefolder", ".zonefolder/credentials"])).files.isEmpty)
    }

    @Test("A directory is announced before it is listed, so that nothing is missed in between")
    func announced() throws {
        let folder = try TemporaryFolder()
        try folder.makeDirectories("a/b")
        let scan = FolderScanner(root: folder.root, rules: IgnoreRules()).scan(
            .whole, now: now(), previous: { _ in nil }
        ) {
            directory in
            try? folder.write("x", to: (directory.map { "\($0)/" } ?? "") + "just-made")
        }
        #expect(Set(scan.files.map(\.path)) == ["just-made", "a/just-made", "a/b/just-made"])
    }

    @Test("A folder that cannot be listed proves nothing")
    func gone() throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "a/b")
        let walked = FolderScanner(root: folder.root, rules: IgnoreRules()).scan(
            .whole, now: now(), previous: { _ in nil }
        ) {
            if $0 == "a" { folder.remove("a") }
        }
        #expect(walked.files.isEmpty)
        removeAll(folder.path)
        let scan = folder.scan()
        #expect(scan.files.isEmpty)
    }

    @Test("Hundreds of new files are hashed on two threads, each once")
    func many() throws {
        let folder = try TemporaryFolder()
        for number in 0..<300 { try folder.write("content \(number)", to: "d\(number % 7)/\(number)") }
        let scan = folder.scan()
        #expect(scan.files.count == 300)
        #expect(Set(scan.files.map(\.hash)).count == 300)
        #expect(scan.hashed == 300)
    }

    @Test("A directory without permission is unreadable, not empty")
    func permission() throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "closed/a")
        try folder.write("x", to: "open/a")
        try folder.write("x", to: "open/secret", mode: 0o000)
        chmod(folder.path, 0o755)
        chmod(folder.absolute("closed"), 0o000)
        defer { chmod(folder.absolute("closed"), 0o755) }
        // Root reads everything, so another user looks.
        let scan = asOtherUser { folder.scan() }
        #expect(scan.files.map(\.path) == ["open/a"])
        #expect(
            Set(scan.unreadable) == [
                UnreadablePath(path: "closed", errno: .permissionDenied),
                UnreadablePath(path: "open/secret", errno: .permissionDenied),
            ])
        for path in ["closed", "closed/a", "closed/b/c", "open/secret"] as [FolderPath] {
            #expect(!scan.provesAbsence(of: path))
        }
        #expect(scan.provesAbsence(of: "open/b"))
        let single = asOtherUser { folder.scan(.paths(["closed/a"])) }
        #expect(single.unreadable.map(\.path) == ["closed/a"])
        #expect(!single.provesAbsence(of: "closed/a"))
    }
}

/// Runs something with no more than other users' rights to files.
///
/// setfsuid(2) is of this thread only; from 0 to another user it also drops root's way around permissions.
func asOtherUser<Value>(_ body: () -> Value) -> Value {
    typealias SetUser = @convention(c) (uid_t) -> CInt
    guard geteuid() == 0, let call = dlsym(nil, "setfsuid") else { return body() }
    let setUser = unsafeBitCast(call, to: SetUser.self)
    _ = setUser(65534)
    defer { _ = setUser(0) }
    return body()
}
