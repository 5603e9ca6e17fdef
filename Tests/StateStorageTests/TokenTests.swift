import GRDB
import SyncModel
import Testing

@testable import FolderSettings
@testable import StateRows
@testable import StateStorage

@Suite("Pages and tokens")
struct TokenTests {
    @Test("A page's records, deletions and token come together or not at all (S0.24, S2.10, invariant 5)")
    func oneTransaction() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try store.commitOutcomes([agreed("old")])
        try store.commitPage(records: [], tombstones: [], token: "1", moreComing: true, zone: notes)
        try store.write(.durable) { db in
            try db.execute(
                sql: "CREATE TRIGGER fail BEFORE INSERT ON remote WHEN NEW.name = 'bad' "
                    + "BEGIN SELECT RAISE(ABORT, 'disk'); END")
        }
        #expect(throws: StateError.self) {
            try store.commitPage(
                records: [remote("good"), remote("bad")], tombstones: [RecordName("old")], token: "2",
                moreComing: false, zone: notes)
        }
        #expect(try store.zone(notes).token == "1")
        #expect(try store.loadTrees().remote.map(\.name.rawValue) == ["old"])
        #expect(try store.loadTrees().tombstones.isEmpty)
    }

    @Test("No token and an empty token never replace a good one (S2.3)", arguments: [nil, ""] as [String?])
    func emptyToken(token: String?) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try store.commitPage(records: [], tombstones: [], token: "good", moreComing: true, zone: notes)
        try store.commitPage(records: [remote("a")], tombstones: [], token: token, moreComing: true, zone: notes)
        #expect(try store.zone(notes).token == "good")
        #expect(try store.loadTrees().remote.count == 1)
        try store.commitDatabaseChanges(owed: [], lost: [], token: "good")
        try store.commitDatabaseChanges(owed: [notes], lost: [], token: token)
        #expect(try store.facts().databaseToken == "good")
        #expect(try store.zone(notes).owed)
    }

    @Test("The database's token moves only with the list of the zones still owed (S0.17, S0.21)")
    func owedZones() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try store.write(.durable) { db in
            try db.execute(
                sql: "CREATE TRIGGER fail BEFORE INSERT ON zone WHEN NEW.name = 'bad' "
                    + "BEGIN SELECT RAISE(ABORT, 'disk'); END")
        }
        #expect(throws: StateError.self) {
            try store.commitDatabaseChanges(owed: [notes, ZoneKey(name: "bad")], lost: [], token: "d1")
        }
        #expect(try store.facts().databaseToken == nil)
        #expect(try store.zones().isEmpty)

        let theirs = ZoneKey(name: "Notes", owner: "_them")
        try store.commitDatabaseChanges(owed: [notes, theirs], lost: [], token: "d1")
        #expect(try store.facts().databaseToken == "d1")
        #expect(try store.zones().map(\.key) == [notes, theirs])
        try store.commitPage(records: [], tombstones: [], token: "1", moreComing: true, zone: notes)
        #expect(try store.zone(notes).owed)
        try store.commitPage(records: [], tombstones: [], token: "2", moreComing: false, zone: notes)
        #expect(try !store.zone(notes).owed)
        #expect(try store.zone(theirs).owed)
        try store.setOwed(zone: notes)
        #expect(try store.zone(notes).owed)
    }

    @Test("A record that comes back is no tombstone, and a deletion of what nobody agreed on leaves none")
    func tombstones() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try store.commitOutcomes([agreed("a")])
        try store.commitPage(
            records: [], tombstones: [RecordName("a"), RecordName("never")], token: "1", moreComing: false, zone: notes)
        #expect(try store.loadTrees().tombstones == [RecordName("a")])
        #expect(try store.loadTrees().remote.isEmpty)
        #expect(try store.remoteRecord(RecordName("a")) == nil)
        try store.commitPage(records: [remote("a")], tombstones: [], token: "2", moreComing: false, zone: notes)
        #expect(try store.loadTrees().tombstones.isEmpty)
    }

    @Test("A complete listing makes tombstones of what it lacks; a crash in its middle loses none of its marks")
    func fullListing() throws {
        let folder = try TemporaryFolder()
        do {
            let store = try folder.store()
            try store.beginFullListing(zone: notes)
            try store.commitPage(
                records: ["a", "b", "c", "d"].map { remote($0) }, tombstones: [], token: "1", moreComing: false,
                zone: notes)
            #expect(try store.finishFullListing(zone: notes) == [])
            try store.commitOutcomes([agreed("a"), agreed("b"), agreed("c"), agreed("d")])
            #expect(try store.zone(notes).complete)

            // The token expired: all is listed again, and `c` is no longer there.
            try store.beginFullListing(zone: notes)
            #expect(try store.zone(notes).token == nil)
            try store.commitPage(records: [remote("a")], tombstones: [], token: "2", moreComing: true, zone: notes)
            let facts = try store.zone(notes)
            #expect(facts.listing && !facts.complete)
            #expect(try store.loadTrees().remote.count == 4)
            try store.close()
        }
        let store = try folder.store()
        #expect(try store.zone(notes).listing)
        #expect(try store.zone(notes).token == "2")
        // A save in the middle of the listing counts as seen.
        try store.commitOutcomes([agreed("d", tag: "9")])
        try store.commitPage(records: [remote("b")], tombstones: [], token: "3", moreComing: false, zone: notes)
        #expect(try store.finishFullListing(zone: notes) == [RecordName("c")])
        #expect(try store.loadTrees().tombstones == [RecordName("c")])
        #expect(try Set(store.loadTrees().remote.map(\.name.rawValue)) == ["a", "b", "d"])
        let facts = try store.zone(notes)
        #expect(!facts.listing && facts.complete && facts.token == "3")
        #expect(try store.finishFullListing(zone: notes) == [])
    }

    @Test("A listing that never ended deletes nothing, whatever comes after it (invariant 6)")
    func partialListing() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try store.commitOutcomes([agreed("a"), agreed("b")])
        try store.beginFullListing(zone: notes)
        try store.commitPage(records: [remote("a")], tombstones: [], token: "2", moreComing: true, zone: notes)
        // The token of the listing itself expired: it begins again, and the marks of the first try do not count.
        try store.beginFullListing(zone: notes)
        try store.commitPage(records: [remote("b")], tombstones: [], token: "3", moreComing: true, zone: notes)
        #expect(try store.loadTrees().tombstones.isEmpty)
        #expect(try store.finishFullListing(zone: notes) == [RecordName("a")])
    }

    @Test(
        "A listing tells whether the zone is the one of the base; one that broke off before it did leaves no way to tell"
    )
    func recognition() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        func page(_ token: String, _ records: RemoteRow...) throws {
            try store.commitPage(records: records, tombstones: [], token: token, moreComing: true, zone: notes)
        }
        try store.beginFullListing(zone: notes)
        try page("0", remote("a"))
        _ = try store.finishFullListing(zone: notes)
        try store.commitOutcomes([agreed("a")])

        try store.beginFullListing(zone: notes)
        #expect(try store.zone(notes).recognition == .open)
        // Nothing of it was stored when it began again.
        try store.beginFullListing(zone: notes)
        try page("1", remote("stranger"))
        #expect(try store.zone(notes).recognition == .open)
        try page("2", remote("a", tag: "2"))
        try page("3")
        #expect(try store.zone(notes).recognition == .done)
        _ = try store.finishFullListing(zone: notes)

        try store.beginFullListing(zone: notes)
        #expect(try store.zone(notes).recognition == .open)
        try page("4", remote("stranger"))
        try store.beginFullListing(zone: notes)
        try page("5", remote("a", tag: "2"))
        #expect(try store.zone(notes).recognition == .impossible)
    }

    @Test("A record of another time of creation, or one that only an answer to a save named, does not prove the zone")
    func confirmation() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        func listing(_ records: RemoteRow...) throws -> ZoneFacts.Recognition {
            try store.beginFullListing(zone: notes)
            try store.commitPage(records: records, tombstones: [], token: "1", moreComing: true, zone: notes)
            return try store.zone(notes).recognition
        }
        try store.commitOutcomes([agreed("saved")])
        #expect(try listing(remote("saved")) == .open)
        // Named twice by one listing: what the first page said is no proof for the second.
        try store.commitPage(
            records: [remote("saved", tag: "2")], tombstones: [], token: "2", moreComing: false, zone: notes)
        #expect(try store.zone(notes).recognition == .open)
        _ = try store.finishFullListing(zone: notes)
        // The feed has named it by now.
        #expect(try listing(remote("saved", tag: "2")) == .done)
        _ = try store.finishFullListing(zone: notes)

        var again = agreed("saved", tag: "3")
        try store.commitOutcomes([again])
        #expect(try listing(remote("saved", tag: "3")) == .done)
        _ = try store.finishFullListing(zone: notes)
        var anew = remote("saved", tag: "4")
        anew.entry.createdMilliseconds = 8
        again.remote = .saved(anew)
        try store.commitOutcomes([again])
        #expect(try listing(anew) == .open)
        _ = try store.finishFullListing(zone: notes)

        try store.commitOutcomes([agreed("echoed")])
        try store.commitPage(
            records: [], known: [RecordName("echoed")], tombstones: [], token: "5", moreComing: false, zone: notes)
        #expect(try listing(remote("echoed")) == .done)
    }

    @Test("What the base has and the first listing lacks becomes a tombstone, too")
    func baseWithoutRemote() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try store.commitOutcomes([Outcome(base: .agreed(base("kept"), document: nil))])
        try store.beginFullListing(zone: notes)
        #expect(try store.finishFullListing(zone: notes) == [RecordName("kept")])
        #expect(try store.loadTrees().tombstones == [RecordName("kept")])
    }
}
