import GRDB
import SyncModel
import SystemPackage
import Testing

@testable import FolderSettings
@testable import StateDatabase
@testable import StateRows
@testable import StateStorage

#if canImport(Glibc)
    import Glibc
#endif

@Suite("A state over which another one is put while it is open")
struct PutOverTests {
    /// How a program puts a file in the place of another one.
    enum Way: CaseIterable {
        /// As rsync does.
        case renamed
        /// As cp does.
        case intoTheSameFile
        /// As tar does.
        case removedFirst

        func put(_ from: FilePath, over path: FilePath) throws {
            switch self {
            case .renamed:
                let beside = FilePath(path.string + ".new")
                try write(try read(from), to: beside)
                #expect(rename(beside.string, path.string) == 0)
            case .intoTheSameFile: try write(try read(from), to: path)
            case .removedFirst:
                unlink(path.string)
                try write(try read(from), to: path)
            }
        }
    }

    @Test(
        "What it has in its log gets into none of that one, which has its own where it was copied while it was open",
        arguments: Way.allCases, [false, true])
    func putOver(_ way: Way, isOfOpen: Bool) throws {
        let (folder, backup) = (try TemporaryFolder(), try TemporaryFolder())
        var store = try folder.store()
        try Self.add("before", to: store)
        if !isOfOpen { try store.close() }
        let names = isOfOpen ? ["state.sqlite", "state.sqlite-wal"] : ["state.sqlite"]
        for name in names {
            try write(try read(folder.state.path.appending(name)), to: backup.state.path.appending(name))
        }
        if !isOfOpen { store = try folder.store() }
        try Self.add("folded in", to: store)
        store.releaseMemory()
        try Self.add("in the log", to: store)
        #expect(!store.isReplaced)

        for name in names {
            try way.put(backup.state.path.appending(name), over: folder.state.path.appending(name))
        }
        #expect(store.isReplaced)
        let error = #expect(throws: StateError.self) { try Self.add("after", to: store) }
        #expect(error?.message.contains("Another state") == true)
        store.releaseMemory()
        try store.close()
        try store.close()
        // Once it is closed and opened again, all that was in a log is in the file.
        for _ in 0..<2 {
            let after = try folder.store()
            try after.verify()
            #expect(try Self.pages(of: after) == ["before"])
            try Self.add("before", to: after)
            try after.close()
        }
    }

    @Test("Nor does it where its process was killed before or after", arguments: [false, true])
    func killed(isOfOpen: Bool) throws {
        let (folder, backup, after) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
        var store = try folder.store()
        try Self.add("before", to: store)
        if !isOfOpen { try store.close() }
        let names = isOfOpen ? ["state.sqlite", "state.sqlite-wal"] : ["state.sqlite"]
        for name in names {
            try write(try read(folder.state.path.appending(name)), to: backup.state.path.appending(name))
        }
        if !isOfOpen { store = try folder.store() }
        try Self.add("folded in", to: store)
        store.releaseMemory()
        try Self.add("in the log", to: store)
        // What is left of a killed process is a copy of its files.
        for name in ["state.sqlite", "state.sqlite-wal"] {
            try write(try read(folder.state.path.appending(name)), to: after.state.path.appending(name))
        }
        let killed = try after.store()
        #expect(try Self.pages(of: killed) == ["before", "folded in", "in the log"])
        try killed.close()
        for name in ["state.sqlite", "state.sqlite-wal"] {
            let source = names.contains(name) ? backup : folder
            try write(try read(source.state.path.appending(name)), to: after.state.path.appending(name))
        }
        let restored = try after.store()
        try restored.verify()
        #expect(try Self.pages(of: restored) == ["before"])
    }

    @Test("A file that is written anew to give room back is another one to its log", arguments: Way.allCases)
    func writtenAnew(_ way: Way) throws {
        let (folder, backup) = (try TemporaryFolder(), try TemporaryFolder())
        var store = try folder.store()
        try Self.add("before", to: store)
        let text = String(repeating: "0123456789", count: 300_000)
        let large = try store.beginEvent(
            SyncEvent(
                kind: .export, author: .person, beganMilliseconds: 1, outcome: .error(code: "test", message: text)))
        try store.removeEvent(large)
        try store.close()
        try write(try read(folder.state.database), to: backup.state.database)
        // More than half of it is free.
        store = try folder.store()
        try Self.add("in the log", to: store)
        #expect(try read(folder.state.database).count < read(backup.state.database).count / 2)
        try way.put(backup.state.database, over: folder.state.database)
        #expect(store.isReplaced)
        try store.close()
        let after = try folder.store()
        try after.verify()
        #expect(try Self.pages(of: after) == ["before"])
        try after.close()
    }

    @Test("A state that a version of the program wrote which gave it no number gets nothing of it, either")
    func withoutNumber() throws {
        let (folder, backup) = (try TemporaryFolder(), try TemporaryFolder())
        let other = try backup.store()
        try Self.add("before", to: other)
        try other.close()
        let queue = try DatabaseQueue(path: backup.state.database.string)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 0") }
        try queue.close()
        let store = try folder.store()
        try Self.add("in the log", to: store)
        try write(try read(backup.state.database), to: folder.state.database)
        try store.close()
        for _ in 0..<2 {
            let after = try folder.store()
            try after.verify()
            #expect(try Self.pages(of: after) == ["before"])
            try after.close()
        }
    }

    @Test("Where nothing is stored, opening and closing writes nothing")
    func quiet() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try Self.add("before", to: store)
        store.releaseMemory()
        try store.close()
        let bytes = try read(folder.state.database)
        for _ in 0..<2 {
            let again = try folder.store()
            again.releaseMemory()
            #expect(!StateLog(of: folder.state.database).hasContent)
            try again.close()
        }
        #expect(try read(folder.state.database) == bytes)
    }

    @Test("A state directory that is renamed and put back is the one that it was, with what was stored meanwhile")
    func putBack() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try Self.add("before", to: store)
        let away = FilePath(folder.state.path.string + "-away")
        #expect(rename(folder.state.path.string, away.string) == 0)
        try Self.add("while it is away", to: store)
        store.releaseMemory()
        #expect(!store.isReplaced)
        #expect(rename(away.string, folder.state.path.string) == 0)
        try Self.add("after", to: store)
        #expect(!store.isReplaced)
        try store.close()
        #expect(access(folder.state.database.string + "-wal", F_OK) != 0)
        let after = try folder.store()
        try after.verify()
        #expect(try Self.pages(of: after) == ["before", "while it is away", "after"])
    }

    @Test(
        "Another state directory in its place keeps its own log, and gets nothing of this one's",
        arguments: [false, true])
    func anotherDirectory(hasLog: Bool) throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let (store, theirs) = (try folder.store(), try other.store())
        try Self.add("here", to: store)
        try Self.add("there", to: theirs)
        if !hasLog { try theirs.close() }
        let away = FilePath(folder.state.path.string + "-away")
        #expect(rename(folder.state.path.string, away.string) == 0)
        #expect(mkdir(folder.state.path.string, 0o700) == 0)
        for name in hasLog ? ["state.sqlite", "state.sqlite-wal"] : ["state.sqlite"] {
            try write(try read(other.state.path.appending(name)), to: folder.state.path.appending(name))
        }
        try store.close()
        let after = try folder.store()
        try after.verify()
        #expect(try Self.pages(of: after) == ["there"])
        #expect(access(away.appending("state.sqlite-wal").string, F_OK) == 0)
    }

    @Test("One that is still being written is not opened: empty, in part, or written to a moment ago")
    func arriving() throws {
        let (folder, backup) = (try TemporaryFolder(), try TemporaryFolder())
        let (store, other) = (try folder.store(), try backup.store())
        try Self.add("here", to: store)
        try Self.add("there", to: other)
        try other.close()
        let now = Self.milliseconds
        #expect(store.standing(nowMilliseconds: now + 60_000).word == "own")
        let bytes = try read(backup.state.database)
        unlink(folder.state.database.string)
        #expect(store.standing(nowMilliseconds: now + 60_000).word == "own", "it may be put back")
        for part in [0, 50, bytes.count / 2] {
            try write(Array(bytes[..<part]), to: folder.state.database)
            #expect(store.standing(nowMilliseconds: now + 60_000).word == "arriving", "\(part)")
        }
        try write(bytes, to: folder.state.database)
        #expect(store.standing(nowMilliseconds: Self.milliseconds).word == "arriving")
        #expect(store.standing(nowMilliseconds: now + 60_000).word == "replaced")
        try store.close()
        #expect(try Self.pages(of: try folder.store()) == ["there"])
    }

    @Test("One whose process ended while it closed it has its name again at the next opening")
    func endedInTheMidst() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try Self.add("before", to: store)
        try store.close()
        #expect(rename(folder.state.database.string, folder.state.database.string + ".aside") == 0)
        #expect(try Self.pages(of: try folder.store()) == ["before"])
    }

    /// Rows in several pages of the file.
    private static func add(_ page: String, to store: StateStore) throws {
        try store.commitPage(
            records: (0..<100).map { remote("\(page)-\($0)") }, tombstones: [], token: page, moreComing: false,
            zone: notes)
    }

    private static func pages(of store: StateStore) throws -> Set<String> {
        Set(try store.loadTrees().remote.map { String($0.name.rawValue.prefix { $0 != "-" }) })
    }

    private static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

extension StateStanding {
    fileprivate var word: String {
        switch self {
        case .own: "own"
        case .arriving: "arriving"
        case .replaced: "replaced"
        }
    }
}

private func read(_ path: FilePath) throws -> [UInt8] {
    let file = try FileDescriptor.open(path, .readOnly)
    defer { try? file.close() }
    let size = Int(try file.seek(offset: 0, from: .end))
    return try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        count = try file.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))
    }
}

private func write(_ bytes: [UInt8], to path: FilePath) throws {
    let file = try FileDescriptor.open(path, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
    defer { try? file.close() }
    try file.writeAll(bytes)
}
