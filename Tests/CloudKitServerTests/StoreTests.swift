import CloudKitWire
import GRDB
import SeededRandomness
import SystemPackage
import Testing

@testable import CloudKitServer

/// The protocol's record; GRDB has a class of the same name.
private typealias Record = CloudKitWire.Record

@Suite("The store by itself, without a server around it")
struct StoreTests {
    private func store(_ clock: ManualClock) throws -> (RecordStore, Caller) {
        let store = try RecordStore(writer: DatabaseQueue(), surroundings: clock.surroundings)
        let user = try store.addUser(name: "ada", container: "iCloud.example", environment: "development")
        let caller = try store.caller(
            userRecordName: user.userRecordName, container: "iCloud.example", environment: "development")
        _ = try store.modifyZones(
            ZonesModifyRequest(operations: [ZoneOperation(.create, ZoneID(zoneName: "Folder"))]), as: caller!)
        return (store, caller!)
    }

    private let zone = ZoneID(zoneName: "Folder")

    /// Follows the feed from a token to its end, and applies it to what is known.
    private func follow(
        _ store: RecordStore, _ caller: Caller, _ token: inout String?, limit: Int, into known: inout [String: Record]
    ) throws {
        while true {
            let query = ZoneChangesQuery(zoneID: zone, syncToken: token, resultsLimit: limit)
            guard
                case .success(let page) = try store.zoneChanges(ZoneChangesRequest(zones: [query]), as: caller).zones[0]
            else { return #expect(Bool(false), "the feed failed") }
            for case .success(let record) in page.records {
                known[record.recordName!] = record.deleted == true ? nil : record
            }
            #expect(!page.moreComing || page.syncToken != token)
            token = page.syncToken
            if !page.moreComing { return }
        }
    }

    @Test(
        "Whoever follows the feed, in pages of any size, knows what lookups tell; no tag comes twice",
        arguments: 0..<UInt64(20))
    func feedIsTheTruth(seed: UInt64) throws {
        let (store, caller) = try store(ManualClock(seed: seed))
        var generator = SeededGenerator(seed: seed)
        var followed: [String: Record] = [:]
        var token: String?
        var tags: Set<String> = []
        var saves = 0
        let names = (0..<12).map { "n\($0)" }
        for _ in 0..<40 {
            let operations = names.shuffled(using: &generator).prefix(Int.random(in: 1...6, using: &generator)).map {
                name in
                var record = Record(recordName: name, recordType: "Note")
                let kinds: [RecordOperation.Kind] = [
                    .create, .update, .forceUpdate, .forceReplace, .delete, .forceDelete,
                ]
                let kind = kinds.randomElement(using: &generator)!
                // Half of the tags are right, as far as the follower knows.
                record.recordChangeTag = Bool.random(using: &generator) ? followed[name]?.recordChangeTag ?? "1" : "0"
                record.fields["f"] = Field(.int64(Int64.random(in: 0...9, using: &generator)))
                return RecordOperation(kind, record)
            }
            let reply = try store.modify(
                RecordsModifyRequest(operations: operations, zoneID: zone, atomic: Bool.random(using: &generator)),
                as: caller)
            for case .success(let record) in reply.records where record.deleted != true {
                saves += 1
                tags.insert(record.recordChangeTag!)
            }
            if Bool.random(using: &generator) {
                try follow(store, caller, &token, limit: Int.random(in: 1...5, using: &generator), into: &followed)
            }
        }
        try follow(store, caller, &token, limit: 3, into: &followed)
        #expect(tags.count == saves)
        let looked = try store.lookup(RecordsLookupRequest(recordNames: names, zoneID: zone), as: caller)
        var truth: [String: Record] = [:]
        for case .success(let record) in looked.records { truth[record.recordName!] = record }
        #expect(truth == followed)
        var fresh: [String: Record] = [:]
        var start: String?
        try follow(store, caller, &start, limit: 200, into: &fresh)
        #expect(fresh == truth && start == token)
    }

    @Test("A commit on disk survives a power cut: SQLite syncs its log at each")
    func synchronous() async throws {
        try await withTemporaryDirectory { directory in
            try DataDirectory.make(directory)
            let path = directory.appending("server.sqlite").string
            let pool = try RecordStore.openPool(at: path)
            let modes = try await pool.writeWithoutTransaction { db in
                (try Int.fetchOne(db, sql: "PRAGMA synchronous"), try String.fetchOne(db, sql: "PRAGMA journal_mode"))
            }
            #expect(modes == (2, "wal"))
            for name in ["server.sqlite", "server.sqlite-wal"] {
                #expect(try permissions(directory.appending(name)) == 0o600)
            }
            try pool.close()
        }
    }

    @Test("An asset that is no longer stored is refused, and so is a receipt for another record")
    func lostAsset() throws {
        let clock = ManualClock()
        let store = try RecordStore(
            writer: DatabaseQueue(), surroundings: clock.surroundings, holdsAsset: { sha256, _ in sha256 == [1] })
        let user = try store.addUser(name: "ada", container: "iCloud.example", environment: "development")
        let caller = try #require(
            try store.caller(
                userRecordName: user.userRecordName, container: "iCloud.example", environment: "development"))
        let tokens = try store.assetUploads(
            AssetsUploadRequest(
                zoneID: nil, tokens: [AssetToken(recordType: "File", recordName: "a", fieldName: "content")]),
            as: caller)
        let upload = try #require(store.assetUpload(at: tokens.tokens[0].url!))
        for (sha256, name, isFine) in [([UInt8(1)], "a", true), ([1], "b", false), ([2], "a", false)] {
            let file = store.receive(upload, sha256: sha256, size: 5).singleFile
            let record = Record(recordName: name, recordType: "File", fields: ["content": Field(.asset(file))])
            let reply = try store.modify(
                RecordsModifyRequest(operations: [RecordOperation(.forceUpdate, record)], zoneID: nil), as: caller)
            guard case .success(let saved) = reply.records[0] else {
                #expect(!isFine)
                continue
            }
            guard case .asset(let asset) = saved.fields["content"]?.value else { return #expect(Bool(false)) }
            let stored = try store.asset(at: asset.downloadURL!.replacing("${f}", with: "x"))
            #expect(isFine && stored?.sha256 == sha256 && stored?.size == 5)
        }
    }
}
