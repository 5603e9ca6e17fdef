import GRDB
import SyncModel
import Testing

@testable import StateRows
@testable import StateStorage

@Suite("A zone that is lost (S0.30)")
struct ZoneLossTests {
    // MARK: The decision

    /// What a loss becomes, by the table of ``ZoneFacts``.
    struct Row: Sendable {
        var before: ZoneLoss?
        var gone: ZoneLoss?
        var same: ZoneLoss?
        var another: ZoneLoss?
    }

    @Test(
        "Where the server has the zone no longer, a whole listing says what came back: the same zone ends the loss, another one makes it certain",
        arguments: [
            Row(before: nil, gone: .missing, same: nil, another: .replaced),
            Row(before: .missing, gone: .missing, same: nil, another: .replaced),
            Row(before: .left, gone: .left, same: nil, another: .replaced),
            Row(before: .replaced, gone: .replaced, same: .replaced, another: .replaced),
            Row(before: .reconfigured, gone: .reconfigured, same: .reconfigured, another: .reconfigured),
        ])
    func decisions(row: Row) {
        var facts = ZoneFacts()
        facts.loss = row.before
        var gone = facts
        gone.lose(.missing, hasBase: true)
        #expect(gone.loss == row.gone)
        for (isAnother, loss) in [(false, row.same), (true, row.another)] {
            var listed = facts
            listed.beginListing()
            listed.endListing(isAnother: isAnother)
            #expect(listed.loss == loss)
            #expect(listed.complete && !listed.listing)
        }
    }

    @Test("Where nothing was agreed on, nothing is sent again: the loss holds nothing, unless the account wished it")
    func nothingAgreed() {
        var facts = ZoneFacts()
        facts.created = true
        facts.token = "1"
        facts.lose(.missing, hasBase: false)
        #expect(facts.loss == nil && !facts.created && facts.token == nil && facts.incarnation == 1)
        facts.lose(.left, hasBase: false)
        #expect(facts.loss == .left)
    }

    @Test("Who left after the loss was noticed has left")
    func leftLate() {
        var facts = ZoneFacts()
        facts.lose(.missing, hasBase: true)
        facts.lose(.left, hasBase: true)
        #expect(facts.loss == .left)
        facts.lose(.missing, hasBase: true)
        #expect(facts.loss == .left)
    }

    @Test("A zone is another one where a listing named none of the records of the base")
    func another() {
        for (recognition, isAnother) in [
            (ZoneFacts.Recognition.open, true), (.impossible, true), (.done, false),
        ] {
            var facts = ZoneFacts()
            facts.recognition = recognition
            #expect(facts.isAnother(hasBase: true) == isAnother)
            #expect(!facts.isAnother(hasBase: false))
        }
    }

    @Test("A listing that broke off leaves no way to tell, also where the zone was lost in between")
    func brokenOff() {
        for isDone in [false, true] {
            var facts = ZoneFacts()
            facts.beginListing()
            #expect(facts.recognition == .open)
            facts.token = "1"
            if isDone { facts.recognition = .done }
            facts.lose(.missing, hasBase: true)
            for _ in 0..<2 {
                facts.beginListing()
                #expect(facts.recognition == (isDone ? .open : .impossible))
            }
            facts.endListing(isAnother: true)
            facts.beginListing()
            #expect(facts.recognition == .open)
        }
    }

    // MARK: In the store

    /// A folder that is in sync with its zone.
    private func synced(_ folder: TemporaryFolder) throws -> StateStore {
        let store = try folder.store()
        try store.setCreated(true, zone: notes)
        try store.updateFacts {
            $0.subscription = "private-changes"; $0.account = "_me"
        }
        try store.beginFullListing(zone: notes)
        try store.commitPage(
            records: [remote("a"), remote("b")], tombstones: [], token: "1", moreComing: false, zone: notes)
        _ = try store.finishFullListing(zone: notes)
        try store.commitOutcomes([agreed("a"), agreed("b")])
        return store
    }

    @Test(
        "It takes the tokens and the subscription along, and neither the files nor what was agreed on",
        arguments: [true, false])
    func lost(isNamed: Bool) throws {
        let folder = try TemporaryFolder()
        let store = try synced(folder)
        if isNamed {
            try store.commitDatabaseChanges(owed: [], lost: [notes], token: "d")
        } else {
            try store.loseZone(notes)
        }
        let facts = try store.zone(notes)
        #expect(facts.token == nil && !facts.created && !facts.complete && facts.incarnation == 1)
        #expect(facts.loss == .missing)
        #expect(try store.facts().subscription == nil)
        #expect(try store.facts().databaseToken == nil)
        #expect(try store.facts().account == "_me")
        let trees = try store.loadTrees()
        #expect(trees.local.count == 2 && trees.remote.count == 2 && trees.base.count == 2)
        try store.endLoss(of: notes)
        #expect(try store.zone(notes).loss == nil)
    }

    @Test("One that the server never had here is not lost")
    func neverHere() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try store.commitDatabaseChanges(owed: [notes], lost: [], token: "d")
        try store.commitDatabaseChanges(owed: [], lost: [notes], token: "e")
        let facts = try store.zone(notes)
        #expect(facts.loss == nil && !facts.owed && facts.incarnation == 0)
        #expect(try store.facts().databaseToken == "e")
    }

    @Test("Where the same one comes back, the base stands, and what is missing in it was deleted")
    func sameAgain() throws {
        let folder = try TemporaryFolder()
        let store = try synced(folder)
        try store.loseZone(notes)
        try store.beginFullListing(zone: notes)
        try store.commitPage(
            records: [remote("a", tag: "2")], tombstones: [], token: "2", moreComing: false, zone: notes)
        #expect(try !store.zone(notes).isAnother(hasBase: true))
        #expect(try store.finishFullListing(zone: notes) == [RecordName("b")])
        #expect(try store.zone(notes).loss == nil)
        let trees = try store.loadTrees()
        #expect(trees.base.count == 2 && trees.tombstones == [RecordName("b")])
    }

    @Test(
        "Where another one comes back, only what this device saved into that is agreed on, and nothing is a tombstone")
    func replaced() throws {
        let folder = try TemporaryFolder()
        let store = try synced(folder)
        var saved = agreed("mine", tag: "9")
        if case .agreed(var entry, _) = saved.base {
            entry.createdMilliseconds = 50
            saved.base = .agreed(entry, document: nil)
        }
        try store.commitOutcomes([saved])
        var (other, mine) = (remote("a", tag: "1"), remote("mine", tag: "9"))
        other.entry.createdMilliseconds = 40
        mine.entry.createdMilliseconds = 50
        try store.beginFullListing(zone: notes)
        try store.commitPage(
            records: [other, mine], tombstones: [RecordName("b")], token: "2", moreComing: false, zone: notes)
        #expect(try store.zone(notes).isAnother(hasBase: true))
        try store.replaceZone(notes)
        let facts = try store.zone(notes)
        #expect(facts.loss == .replaced && facts.complete && facts.token == "2" && facts.incarnation == 1)
        #expect(try store.facts().subscription == nil)
        let trees = try store.loadTrees()
        #expect(trees.base.map(\.name) == [RecordName("mine")])
        #expect(Set(trees.remote.map(\.name)) == [RecordName("a"), RecordName("mine")])
        #expect(trees.tombstones.isEmpty && trees.local.count == 3)
    }

    @Test("A loss that an earlier version stored waits for the same as one of another zone (invariant 25)")
    func earlierWords() throws {
        let folder = try TemporaryFolder()
        let store = try synced(folder)
        for word in ["deleted", "purged", "encryptedDataReset", "unknown"] {
            try store.write(.durable) { db in
                try db.execute(sql: "UPDATE zone SET loss = ?", arguments: [word])
            }
            #expect(try store.zone(notes).loss == .replaced)
        }
    }
}
