import GRDB
import SyncModel
import Testing

@testable import StateRows
@testable import StateStorage

@Suite("Shares in the store")
struct ShareTests {
    private static let share = RecordName("Share-1")

    private static func commit(
        _ store: StateStore, shares: [ZoneShare] = [], tombstones: [RecordName] = [], token: String
    ) throws {
        try store.commitPage(
            records: [], tombstones: tombstones, shares: shares, token: token, moreComing: false, zone: notes)
    }

    @Test("What is learnt of a share in parts comes together, and goes with its tombstone")
    func parts() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        #expect(try store.shares().isEmpty)
        let root = ZoneShare(name: Self.share, permission: nil, root: RecordName("List/a"))
        try Self.commit(store, shares: [root], token: "1")
        #expect(try store.shares() == [root])
        try Self.commit(store, shares: [ZoneShare(name: Self.share, permission: .readOnly, root: nil)], token: "2")
        #expect(try store.shares() == [ZoneShare(name: Self.share, permission: .readOnly, root: root.root)])
        try Self.commit(store, shares: [ZoneShare(name: Self.share, permission: .readWrite, root: nil)], token: "3")
        #expect(try store.shares().map(\.permission) == [.readWrite])
        try Self.commit(store, tombstones: [RecordName("List/b")], token: "4")
        #expect(try store.shares().count == 1)
        try Self.commit(store, tombstones: [Self.share], token: "5")
        #expect(try store.shares().isEmpty)
    }

    @Test("A listing from the beginning learns shares anew, and a zone that is gone has none")
    func forgotten() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let share = ZoneShare(name: Self.share, permission: .readOnly, root: nil)
        for forget in [{ try store.beginFullListing(zone: notes) }, { try store.loseZone(notes) }] {
            try Self.commit(store, shares: [share], token: "1")
            #expect(try store.shares() == [share])
            try forget()
            #expect(try store.shares().isEmpty)
        }
    }
}
