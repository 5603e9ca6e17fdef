import GRDB
import SystemPackage
import Testing

@testable import FolderSettings
@testable import StateRows
@testable import StateStorage

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Looking at the store")
struct LookingTests {
    /// Every file of the state directory with its bytes and times, and the directory's own time.
    private func trace(_ folder: TemporaryFolder) throws -> [String: [String]] {
        var trace: [String: [String]] = [:]
        for name in ["", "state.sqlite", "state.sqlite-wal", "state.sqlite-shm", "state.sqlite-journal"] {
            let path = folder.state.path.string + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            let times = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_ino) \(status.st_mode)"
            let bytes = try name.isEmpty ? [] : DurableFile.read(FilePath(path)) ?? []
            trace[name] = [times, bytes.map { String($0, radix: 16) }.joined()]
        }
        return trace
    }

    @Test("No file is made beside the database and none changes, whether it was closed or its process was killed")
    func noTrace() throws {
        let folder = try TemporaryFolder()
        try folder.store().close()
        let closed = try trace(folder)
        #expect(Set(closed.keys) == ["", "state.sqlite"])
        #expect(try folder.look { try $0.facts().account } == nil)
        #expect(try trace(folder) == closed)

        let store = try folder.store()
        try store.updateFacts { $0.account = "_me" }
        // A copy of all files is what a killed process leaves.
        let killed = try TemporaryFolder()
        for name in ["state.sqlite", "state.sqlite-wal", "state.sqlite-shm"] {
            let bytes = try #require(try DurableFile.read(folder.state.path.appending(name)))
            try DurableFile.write(bytes, to: killed.state.path.appending(name))
        }
        let left = try trace(killed)
        #expect(try killed.look { try $0.facts().account } == "_me")
        #expect(try trace(killed) == left)
    }

    @Test("What is opened and changed meanwhile is looked at again")
    func again() throws {
        let folder = try TemporaryFolder()
        try folder.store().close()
        var looks = 0
        let account = try folder.look { reader in
            looks += 1
            let account = try reader.facts().account
            if looks == 1 {
                let writer = try folder.store()
                try writer.updateFacts { $0.account = "_me" }
                try writer.close()
            }
            return account
        }
        #expect(account == "_me")
        #expect(looks == 2)
    }

    @Test("A path with any characters is found")
    func oddPath() throws {
        let outer = try TemporaryFolder()
        let inner = outer.path.appending("a b?c%41#d=&é")
        mkdir(inner.string, 0o755)
        let state = try StateDirectory.create(in: inner)
        let store = try StateStore(of: state)
        try store.updateFacts { $0.account = "_me" }
        #expect(try StateStore.look(at: state) { try $0.facts().account } == "_me")
        try store.close()
        #expect(try StateStore.look(at: state) { try $0.facts().account } == "_me")
    }

    @Test("A state of an earlier version is named as such, and not brought up to date by looking")
    func older() throws {
        let folder = try TemporaryFolder()
        try DatabaseQueue(path: folder.state.database.string).close()
        let before = try trace(folder)
        let error = #expect(throws: StateError.self) { try folder.look { _ in } }
        #expect(error?.code == .missing)
        #expect(error?.message.contains("earlier version") == true)
        #expect(try trace(folder) == before)
    }
}
