import GRDB
import SyncModel
import SystemPackage
import Testing

@testable import FolderSettings
@testable import StateRows
@testable import StateStorage

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Opening the store")
struct StoreOpeningTests {
    @Test("What was committed is there after a death without a close (invariant 19)")
    func deathWithoutClose() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try store.commitPage(
            records: [remote("a")], tombstones: [], token: "t1", moreComing: false, zone: notes)
        try store.commitOutcomes([agreed("b", document: [1, 2])])
        // A copy of the files as they are now, WAL and all, is what a killed process leaves.
        let after = try TemporaryFolder()
        for name in ["state.sqlite", "state.sqlite-wal"] {
            try copy(folder.state.path.appending(name), to: after.state.path.appending(name))
        }
        let reopened = try after.store()
        #expect(try reopened.zone(notes).token == "t1")
        #expect(try Set(reopened.loadTrees().remote.map(\.name.rawValue)) == ["a", "b"])
        #expect(try reopened.loadTrees().base.map(\.name.rawValue) == ["b"])
        try reopened.verify()
    }

    @Test("A torn end of the log loses whole transactions from the end, never a row without its token")
    func tornLog() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        for page in 1...20 {
            try store.commitPage(
                records: (0..<20).map { remote("\(page)-\($0)") }, tombstones: [], token: "\(page)", moreComing: true,
                zone: notes)
        }
        let wal = try #require(try bytes(of: folder.state.path.appending("state.sqlite-wal")))
        var seen: Set<Int> = []
        for cut in stride(from: wal.count, through: 0, by: -9_001) {
            let after = try TemporaryFolder()
            try copy(folder.state.database, to: after.state.database)
            try write(Array(wal[..<cut]), to: after.state.path.appending("state.sqlite-wal"))
            let reopened = try after.store()
            let page = try reopened.zone(notes).token.flatMap { Int($0) } ?? 0
            #expect(try reopened.loadTrees().remote.count == page * 20)
            seen.insert(page)
        }
        #expect(seen.contains(20) && seen.count > 10)
    }

    @Test("A state of a newer version is refused, and not touched (invariant 25)")
    func newerSchema() throws {
        let folder = try TemporaryFolder()
        try folder.store().close()
        try execute("INSERT INTO grdb_migrations VALUES ('9: later')", in: folder)
        for open in [{ _ = try folder.store() }, { try folder.look { _ in } }] {
            let error = #expect(throws: StateError.self) { try open() }
            #expect(error?.code == .newerSchema)
            #expect(error?.message.contains("9: later") == true)
        }
    }

    @Test("A state that knows no files of assets yet is brought up to date, and has all else of them")
    func assetsWithoutFiles() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        var entry = base("b")
        entry.assets.append(AgreedAsset(field: "f", index: 2, path: entry.path, hash: hash(9), checksum: "c"))
        try store.commitOutcomes([Outcome(base: .agreed(entry, document: []))])
        try store.close()
        try execute(
            """
            UPDATE base SET assets = replace(assets, char(9, 45, 9, 45, 9, 9, 45), '');
            ALTER TABLE base DROP COLUMN born_ns;
            ALTER TABLE local DROP COLUMN born_ns;
            ALTER TABLE sent DROP COLUMN born_ns;
            ALTER TABLE folder DROP COLUMN ignore_rules;
            ALTER TABLE base DROP COLUMN renewal;
            ALTER TABLE base DROP COLUMN partial;
            DELETE FROM grdb_migrations WHERE identifier GLOB '1[1-7]:*' OR identifier GLOB '26:*';
            """, in: folder)
        entry.file.born = 0
        #expect(try folder.store().loadTrees().base == [entry])
    }

    @Test("A file that was put over an equal one counts as put there, as any other")
    func onePutOverAnEqualOne() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        var entry = base("b")
        try store.commitOutcomes([Outcome(base: .agreed(entry, document: []))])
        try store.close()
        try execute(
            "UPDATE base SET standing = 5; DELETE FROM grdb_migrations WHERE identifier GLOB '17:*';", in: folder)
        entry.standing = .renewed
        #expect(try folder.store().loadTrees().base == [entry])
    }

    @Test("A file of which more than half is free gives that back when it is opened, and keeps all else")
    func room() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let all = (0..<30_000).map { local("Note/a long name of the file \($0)", $0) }
        try store.commitLocal(upserts: all)
        try store.commitLocal(upserts: [], removals: all.dropFirst(1000).map(\.path))
        try store.close()
        let before = try #require(try bytes(of: folder.state.database)).count
        let again = try folder.store()
        #expect(Set(try again.loadTrees().local) == Set(all.prefix(1000)))
        try again.verify()
        try again.close()
        let after = try #require(try bytes(of: folder.state.database)).count
        #expect(after * 5 < before, "\(before), then \(after)")
    }

    @Test("A file that is no database is damage with a remedy, and stays as it is (S1.12)")
    func corrupt() throws {
        let folder = try TemporaryFolder()
        let rubbish = Array(repeating: UInt8(ascii: "x"), count: 5000)
        try write(rubbish, to: folder.state.database)
        let error = #expect(throws: StateError.self) { try folder.store() }
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains("zonefolder reset --local") == true)
        #expect(try bytes(of: folder.state.database) == rubbish)
    }

    @Test("Damage inside the file is found by the check")
    func damagedPages() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try store.commitLocal(upserts: (0..<2000).map { local("file-\($0)", $0) })
        try store.verify()
        try store.close()
        var content = try #require(try bytes(of: folder.state.database))
        for offset in stride(from: content.count / 2, to: content.count / 2 + 20_000, by: 1) { content[offset] = 0xFF }
        try write(content, to: folder.state.database)
        let error = #expect(throws: StateError.self) { try folder.store().verify() }
        #expect(error?.code == .corrupt)
    }

    @Test("A reader sees what is committed while a writer has the store, and cannot write")
    func readerBesideWriter() throws {
        let folder = try TemporaryFolder()
        let missing = #expect(throws: StateError.self) { try folder.look { _ in } }
        #expect(missing?.code == .missing)
        let writer = try folder.store()
        try writer.updateFacts { $0.account = "_me" }
        try folder.look { reader in
            #expect(try reader.facts().account == "_me")
            try writer.updateFacts { $0.account = "_you" }
            #expect(try reader.facts().account == "_you")
            let error = #expect(throws: StateError.self) {
                try reader.updateFacts { $0.pause = FolderPause(sinceMilliseconds: 5) }
            }
            #expect(error?.code == .permissionDenied)
        }
        try writer.close()
        #expect(try folder.look { try $0.facts().account } == "_you")
    }

    @Test("Others cannot read the database")
    func permissions() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try store.updateFacts { $0.pause = FolderPause(sinceMilliseconds: 5) }
        for name in ["state.sqlite", "state.sqlite-wal", "state.sqlite-shm"] {
            #expect(try folder.mode(of: folder.state.path.appending(name)).map { $0 & 0o077 } == 0)
        }
    }

    @Test("Every table is strict, and every column that needs one has a comment in the file")
    func selfDescribing() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let tables = try store.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT sql FROM sqlite_schema
                    WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%'
                    """)
        }
        #expect(tables.count == 19)
        #expect(tables.allSatisfy { $0.contains("STRICT") && $0.contains("--") })
    }

    private func bytes(of path: FilePath) throws -> [UInt8]? {
        let file = try FileDescriptor.open(path, .readOnly)
        defer { try? file.close() }
        let size = Int(try file.seek(offset: 0, from: .end))
        return try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = try file.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    private func write(_ bytes: [UInt8], to path: FilePath) throws {
        let file = try FileDescriptor.open(
            path, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
        defer { try? file.close() }
        try file.writeAll(bytes)
    }

    private func copy(_ from: FilePath, to: FilePath) throws {
        try write(try bytes(of: from) ?? [], to: to)
    }

    /// Makes a database into what another version of the program left.
    private func execute(_ sql: String, in folder: TemporaryFolder) throws {
        let queue = try DatabaseQueue(path: folder.state.database.string)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }
}
