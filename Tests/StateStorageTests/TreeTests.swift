import GRDB
import SyncModel
import Testing

@testable import FolderSettings
@testable import StateRows
@testable import StateStorage

@Suite("The three trees")
struct TreeTests {
    @Test("How many records there are, and which files fit none, is told without the trees")
    func questions() throws {
        let store = try TemporaryFolder().store()
        #expect(try store.recordCount() == 0)
        #expect(try store.unfitFiles().isEmpty)
        let unfit = FileForm.unfit(Problem(.duplicateKey, message: "n", remedy: "s", line: 3))
        try store.commitLocal(upserts: [
            local("Note/b.json", form: unfit), local("Note/a.json", 2, form: unfit),
            local("Note/picture.json", 3, form: unfit),
            local("plain", 4), local("held.json", 5, form: .held(Problem(.brokenJSON, message: "m", remedy: "r"))),
            local(
                "Note/n.json", 6,
                form: .structured(
                    recordType: "Note",
                    attachments: [Attachment(field: "picture", path: FolderPath("Note/picture.json")!)])),
        ])
        try store.commitPage(
            records: [remote("a", path: "a"), remote("b", path: "b")], tombstones: [], token: "1", moreComing: false,
            zone: notes)
        #expect(try store.recordCount() == 2)
        let found = try store.unfitFiles()
        #expect(found.map { "\($0.path)" } == ["Note/a.json", "Note/b.json"])
        #expect(found.allSatisfy { $0.problem.code == .duplicateKey && $0.problem.line == 3 })
    }

    @Test("Every kind of entry comes back as it was stored")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let odd = FolderPath(bytes: [0xFF, 0x25, 0x09, 0x0A, 0x2F, 0xC3, 0xA9])!
        var locals = [
            local("a"), local("Note/n.json", 2, form: .structured(recordType: "Note", attachments: [])),
            local(
                "Note/o.json", 3,
                form: .structured(
                    recordType: "Note",
                    attachments: [
                        Attachment(field: "photo", path: odd),
                        Attachment(field: "list", index: 3, path: FolderPath("%41")!),
                    ])),
            local("x.json", 4, form: .held(Problem(.brokenJSON, message: "m", remedy: "r", line: 7))),
            local("x/u.json", 7, form: .unfit(Problem(.duplicateKey, message: "n", remedy: "s", line: nil))),
            local("y", 5, form: .held(Problem(.unreadable, message: "", remedy: ""))),
        ]
        var strange = local("z", 6)
        strange.path = odd
        strange.stamp = FileStamp(
            device: .max, inode: .max, size: .max, modified: .min, changed: -1, mode: 0o7777, born: -1)
        locals.append(strange)
        try store.commitLocal(upserts: locals)

        var row = remote("r/é\u{0}x", path: "p")
        row.entry.path = odd
        row.entry.assets = [
            AssetVersion(field: "a", checksum: "", size: 0),
            AssetVersion(field: "b", index: 0, checksum: "x y", size: .max),
        ]
        row.createdBy = RemoteRow.Origin(user: "_u", device: nil)
        row.modifiedMilliseconds = 9
        row.modifiedBy = RemoteRow.Origin(user: nil, device: "oak")
        row.parent = "p"
        row.share = "s"
        try store.commitPage(records: [row], tombstones: [], token: "1", moreComing: true, zone: notes)

        var entry = base("b")
        entry.path = odd
        entry.executable = true
        entry.assets.append(
            AgreedAsset(
                field: "f", index: 2, path: odd, hash: hash(9), checksum: "c",
                file: FileIdentity(device: 0, inode: .max, born: .min)))
        try store.commitOutcomes([Outcome(base: .agreed(entry, document: []))])

        let trees = try store.loadTrees()
        #expect(Set(trees.local) == Set(locals))
        #expect(trees.local.map(\.path) == locals.map(\.path).sorted())
        #expect(trees.remote == [row.entry])
        #expect(trees.base == [entry])
        #expect(try store.remoteRow(row.entry.name) == row)
        #expect(try store.remoteRecord(row.entry.name) == row.record)
        #expect(try store.remoteRecord(RecordName("none")) == nil)
        #expect(try store.baseDocument(entry.name) == [])
        #expect(try store.baseDocument(RecordName("none")) == nil)

        try store.commitOutcomes([Outcome(base: .partial(entry.name))])
        entry.isPartial = true
        #expect(try store.loadTrees().base == [entry])
        entry.isPartial = false
        try store.commitOutcomes([Outcome(base: .agreed(entry, document: []))])
        #expect(try store.loadTrees().base == [entry])
    }

    @Test("Names that differ only in Unicode normal form are two records and two files")
    func normalForms() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try store.commitOutcomes([agreed("\u{e9}", document: [1]), agreed("e\u{301}", document: [2])])
        let trees = try store.loadTrees()
        #expect((trees.local.count, trees.remote.count, trees.base.count) == (2, 2, 2))
        #expect(try store.baseDocument(RecordName("\u{e9}")) == [1])
        #expect(try store.baseDocument(RecordName("e\u{301}")) == [2])
    }

    @Test("Row by row they are the same, also while somebody only looks, and on two threads at a time")
    func rowByRow() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try store.commitOutcomes((0..<500).map { agreed("note \($0)", document: [1]) })
        let trees = try store.loadTrees()
        #expect(trees.base.count == 500)
        @Sendable func check(_ store: StateStore) throws {
            var read = StoredTrees()
            try store.eachFile { read.local.append($0) }
            try store.eachRecord { read.remote.append($0) }
            try store.eachAgreed { read.base.append($0) }
            #expect(read.local == trees.local)
            #expect(read.remote == trees.remote)
            #expect(read.base == trees.base)
        }
        try folder.look { try check($0) }
        try await withThrowingTaskGroup { group in
            for _ in 0..<2 { group.addTask { try check(store) } }
            try await group.waitForAll()
        }
        // What was read aside keeps nobody from writing.
        try store.commitOutcomes([agreed("one more")])
        #expect(try store.loadTrees().base.count == 501)
    }

    @Test("An outcome moves all three trees at once, or, where one part cannot be stored, none")
    func allOrNothing() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try store.commitOutcomes([agreed("a")])
        // A trigger stands for a disk that fails in the middle of the transaction.
        try store.write(.durable) { db in
            try db.execute(
                sql: "CREATE TRIGGER fail BEFORE INSERT ON local WHEN NEW.path = CAST('c' AS BLOB) "
                    + "BEGIN SELECT RAISE(ABORT, 'disk'); END")
        }
        #expect(throws: StateError.self) { try store.commitOutcomes([agreed("b"), agreed("c")]) }
        let trees = try store.loadTrees()
        #expect(trees.base.map(\.name.rawValue) == ["a"])
        #expect(trees.remote.map(\.name.rawValue) == ["a"])
        #expect(trees.local.map(\.path) == [FolderPath("a")!])
    }

    @Test("A rename, then a removal: each tree follows, and the tombstone is settled with the base")
    func outcomes() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try store.commitOutcomes([agreed("a", document: [1])])
        var moved = base("a", tag: "2")
        moved.path = FolderPath("b")!
        try store.commitOutcomes([
            Outcome(
                base: .agreed(moved, document: [2]), remote: .saved(remote("a", tag: "2", path: "b")),
                local: [local("b")], removedLocal: [FolderPath("a")!])
        ])
        var trees = try store.loadTrees()
        #expect(trees.local.map(\.path) == [FolderPath("b")!])
        #expect(trees.remote.map(\.path) == [FolderPath("b")!])
        #expect(trees.base == [moved])
        #expect(try store.baseDocument(RecordName("a")) == [2])

        try store.commitOutcomes([Outcome(remote: .deleted(RecordName("a")))])
        #expect(try store.loadTrees().tombstones == [RecordName("a")])
        try store.commitOutcomes([Outcome(base: .removed(RecordName("a")), removedLocal: [FolderPath("b")!])])
        trees = try store.loadTrees()
        #expect(trees.local.isEmpty && trees.remote.isEmpty && trees.base.isEmpty && trees.tombstones.isEmpty)
    }

    @Test("Storing what is already known writes nothing (invariant 12)")
    func quiet() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let zone = ZoneKey(name: "Other", owner: "_them")
        let problem = Problem(.tooLarge, message: "m", remedy: "r")
        func everything() throws {
            try store.commitPage(
                records: [remote("a"), remote("b")], tombstones: [RecordName("gone")], token: "1", moreComing: false,
                zone: notes)
            try store.commitDatabaseChanges(owed: [zone], lost: [], token: "d")
            try store.commitLocal(upserts: [local("a"), local("b", 2)], removals: [FolderPath("none")!])
            try store.commitOutcomes([agreed("a", document: [1])])
            try store.updateFacts {
                $0.account = "_me"; $0.schema = [1]
            }
            try store.setCreated(true, zone: notes)
            try store.replaceProblems(with: [.folder: problem, .record(RecordName("a")): problem], now: 1)
            try store.updateProblems(set: [.path(FolderPath("a")!): problem], clear: [.path(FolderPath("b")!)], now: 1)
            try store.replaceProblems(
                with: [.folder: problem, .record(RecordName("a")): problem, .path(FolderPath("a")!): problem], now: 2)
            try store.addConflict(
                ConflictRow(
                    copy: FolderPath("c")!, original: FolderPath("a")!, record: RecordName("a"), fields: ["x"],
                    hash: hash(1), atMilliseconds: 1))
            try store.replaceBatchesAwaitingApproval(with: [
                BatchAwaitingApproval(id: "1", code: "massDeletion", message: "m", count: 30, sinceMilliseconds: 1)
            ])
            try store.endLoss(of: notes)
            try store.finishFullListing(zone: notes)
        }
        try everything()
        // The first round has a problem set that differs between its own steps; from here on nothing does.
        try store.updateProblems(set: [.path(FolderPath("a")!): problem], now: 3)
        let written = try store.rowsWritten
        try store.commitPage(
            records: [remote("a"), remote("b")], tombstones: [RecordName("gone")], token: "1", moreComing: false,
            zone: notes)
        try store.commitDatabaseChanges(owed: [zone], lost: [], token: "d")
        try store.commitLocal(upserts: [local("a"), local("b", 2)], removals: [FolderPath("none")!])
        try store.commitOutcomes([agreed("a", document: [1])])
        try store.updateFacts {
            $0.account = "_me"; $0.schema = [1]
        }
        try store.setCreated(true, zone: notes)
        try store.replaceProblems(
            with: [.folder: problem, .record(RecordName("a")): problem, .path(FolderPath("a")!): problem], now: 4)
        try store.endLoss(of: notes)
        try store.finishFullListing(zone: notes)
        #expect(try store.rowsWritten == written)
    }

    @Test("Many files load from the store")
    func manyRows() throws {
        let count = _isDebugAssertConfiguration() ? 10_000 : 100_000
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let clock = ContinuousClock()
        let outcomes = (0..<count).map { agreed("folder-\($0 % 100)/file-\($0).txt", document: nil) }
        let stored = try clock.measure {
            for start in stride(from: 0, to: outcomes.count, by: 1000) {
                try store.commitOutcomes(Array(outcomes[start..<(start + 1000)]))
            }
        }
        var trees: StoredTrees?
        let loaded = try clock.measure { trees = try store.loadTrees() }
        #expect(trees?.local.count == count && trees?.remote.count == count && trees?.base.count == count)
        print("\(count) files: stored in \(stored), loaded in \(loaded)")
    }
}
