import Foundation
import GRDB
import StateDatabase
import SyncModel
import SystemPackage
import Testing

@testable import FolderSettings
@testable import StateRows
@testable import StateStorage

@Suite("The state before texts were packed")
struct PackingMigrationTests {
    /// Records by name, whether each has a parent, and its dictionary.
    private static let records: [(name: String, parent: String?, record: String)] = [
        ("plain", nil, #"{"fields":{}}"#),
        ("child", "p", #"{"parent":{"recordName":"p"}}"#),
        ("referring", nil, #"{"fields":{"r":{"value":{"recordName":"p","action":"NONE"},"type":"REFERENCE"}}}"#),
        ("validating", nil, #"{"fields":{"r":{"value":{"recordName":"p","action":"VALIDATE"},"type":"REFERENCE"}}}"#),
    ]

    @Test("Is brought up to date with all that it said, and answers as one that was written today")
    func migration() throws {
        let old = try TemporaryFolder()
        let queue = try DatabaseQueue(path: old.state.database.string)
        try Schema.migrator.migrate(queue, upTo: "24: provenance")
        let document = Array("{\"title\": \"One\"}\n".utf8)
        try queue.write { db in
            for (name, parent, record) in Self.records {
                try db.execute(
                    sql: """
                        INSERT INTO remote VALUES (?, 'Note', 't', CAST(? AS BLOB), 5, '_ada', '2', 6, '_bob', NULL, ?, 's',
                            '', 1, CAST(? AS BLOB), 1)
                        """, arguments: [name, name, parent, record])
            }
            try db.execute(
                sql: """
                    INSERT INTO base (name, record_type, path, hash, executable, change_tag, assets, device, inode, document)
                        VALUES ('plain', 'Note', CAST('plain' AS BLOB), zeroblob(32), 0, 't', '', 1, 2, ?1);
                    """, arguments: [Data(document)])
            try db.execute(
                sql: """
                    INSERT INTO version (path, at, written, reason, executable, document)
                        VALUES (CAST('plain' AS BLOB), 1, 2, ?1, 0, ?2);
                    """, arguments: [KeptReason.changedHere.rawValue, Data(document)])
        }
        try queue.close()

        let migrated = try old.store()
        let new = try TemporaryFolder()
        let today = try new.store()
        let rows = Self.records.map { name, parent, record in
            var row = RemoteRow(
                entry: RemoteEntry(
                    name: RecordName(name), recordType: "Note", changeTag: "t", path: FolderPath(name)!,
                    createdMilliseconds: 5),
                record: Array(record.utf8))
            row.createdBy = RemoteRow.Origin(user: "_ada", device: "2")
            row.modifiedMilliseconds = 6
            row.modifiedBy = RemoteRow.Origin(user: "_bob", device: nil)
            row.parent = parent
            row.share = "s"
            return row
        }
        try today.commitPage(records: rows, tombstones: [], token: "1", moreComing: false, zone: notes)
        for store in [migrated, today] {
            for row in rows { #expect(try store.remoteRow(row.entry.name) == row) }
            #expect(try Set(store.recordsThatMayRefer().map(\.name.rawValue)) == ["referring", "validating"])
            #expect(try Set(store.recordsThatMayKeepOthers(nil).map(\.name.rawValue)) == ["child", "validating"])
            #expect(
                try store.recordsThatMayKeepOthers(rows.map(\.entry.name)).map(\.record)
                    == [rows[1].record, rows[3].record])
        }
        #expect(try migrated.baseDocument(RecordName("plain")) == document)
        #expect(try migrated.agreedDocuments().map(\.size) == [Int64(document.count)])
        let kept = try #require(try migrated.keptDocuments().first)
        #expect(kept.size == Int64(document.count))
        #expect(try migrated.keptDocument(kept.id) == document)
    }

    @Test("Who saved many records is stored once, and forgotten with the trees")
    func authors() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let rows = (0..<5).map { number in
            var row = remote("\(number)")
            row.createdBy = RemoteRow.Origin(user: "_ada", device: "2")
            row.modifiedBy = row.createdBy
            return row
        }
        try store.commitPage(records: rows, tombstones: [], token: "1", moreComing: true, zone: notes)
        try store.commitPage(records: rows, tombstones: [], token: "2", moreComing: false, zone: notes)
        #expect(try count(in: store) == 1)
        try store.forgetTrees()
        #expect(try count(in: store) == 0)
    }

    private func count(in store: StateStore) throws -> Int? {
        try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM author") }
    }
}
