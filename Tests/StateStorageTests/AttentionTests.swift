import SyncModel
import Testing

@testable import FolderSettings
@testable import StateRows
@testable import StateStorage

@Suite("What waits for a person, and what happened")
struct AttentionTests {
    @Test("A problem keeps its time while it lasts, even in other words; another problem begins anew")
    func problems() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let path = HeldProblem.Subject.path(FolderPath("a.json")!)
        try store.updateProblems(set: [path: Problem(.brokenJSON, message: "1", remedy: "r", line: 3)], now: 10)
        try store.updateProblems(set: [path: Problem(.brokenJSON, message: "2", remedy: "r", line: 4)], now: 20)
        #expect(try store.problems().map(\.sinceMilliseconds) == [10])
        #expect(try store.problems().map(\.problem.line) == [4])
        try store.updateProblems(set: [path: Problem(.tooLarge, message: "3", remedy: "r")], now: 30)
        #expect(
            try store.problems() == [
                HeldProblem(
                    subject: path, problem: Problem(.tooLarge, message: "3", remedy: "r"), sinceMilliseconds: 30)
            ])
        try store.replaceProblems(
            with: [
                .folder: Problem(.quotaExceeded, message: "m", remedy: "r"),
                .record(RecordName("a.json")): Problem(.wrongType, message: "m", remedy: "r"),
            ],
            now: 40)
        #expect(try store.problems().map(\.subject) == [.folder, .record(RecordName("a.json"))])
        try store.updateProblems(clear: [.folder, .record(RecordName("a.json"))], now: 50)
        #expect(try store.problems().isEmpty)
    }

    @Test("A conflict copy with the same bytes is found, so that none is made twice")
    func conflicts() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let row = ConflictRow(
            copy: FolderPath("a.conflict-1-oak.json")!, original: FolderPath("a.json")!, record: RecordName("a"),
            fields: ["ti\ttle", "body"], hash: hash(1), atMilliseconds: 5,
            zone: ConflictRow.SavedVersion(user: "_bob", milliseconds: 4))
        try store.addConflict(row)
        #expect(try store.conflicts() == [row])
        #expect(try store.conflict(of: row.original, hash: hash(1)) == row)
        #expect(try store.conflict(of: row.original, hash: hash(2)) == nil)
        #expect(try store.conflict(of: row.copy, hash: hash(1)) == nil)
        try store.removeConflict(copy: row.copy)
        #expect(try store.conflicts().isEmpty)
    }

    @Test("An approval is of exactly one batch, and a batch that changed needs another (invariant 17)")
    func approvals() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        func batch(_ id: String) -> BatchAwaitingApproval {
            BatchAwaitingApproval(id: id, code: "massDeletion", message: "m", count: 30, sinceMilliseconds: 1)
        }
        try store.replaceBatchesAwaitingApproval(with: [batch("one")])
        try store.approve(ApprovedDeletions(inZone: [RecordName("b")]), asBatch: "two", now: 5)
        let approved = ApprovedDeletions(inZone: [RecordName("a")], inFolder: [RecordName("a")])
        for moment in [5, 6] as [Int64] { try store.approve(approved, asBatch: "one", now: moment) }
        try store.replaceBatchesAwaitingApproval(with: [batch("one")])
        #expect(try store.batchesAwaitingApproval().map(\.approvedMilliseconds) == [5])
        try store.replaceBatchesAwaitingApproval(with: [batch("two")])
        #expect(try store.batchesAwaitingApproval() == [batch("two")])
        try store.replaceBatchesAwaitingApproval(with: [])
        #expect(try store.batchesAwaitingApproval().isEmpty)
        // What was approved outlasts its batch, until it is done.
        #expect(try store.approvedDeletions().inZone == [RecordName("a"), RecordName("b")])
        try store.forgetApprovals(of: ApprovedDeletions(inZone: [RecordName("a"), RecordName("b")]))
        #expect(try store.approvedDeletions() == ApprovedDeletions(inFolder: [RecordName("a")]))
    }

    @Test("A batch that others of its kind come to has waited as long as before; one after a word begins anew")
    func waitingSince() throws {
        let store = try TemporaryFolder().store()
        func wait(_ id: String, code: String = "zone", since: Int64) throws -> [Int64] {
            try store.replaceBatchesAwaitingApproval(with: [
                BatchAwaitingApproval(id: id, code: code, message: "m", count: 30, sinceMilliseconds: since)
            ])
            return try store.batchesAwaitingApproval().map(\.sinceMilliseconds)
        }
        #expect(try wait("one", since: 5) == [5])
        #expect(try wait("one and more", since: 90) == [5])
        #expect(try wait("of the other side", code: "folder", since: 95) == [95])
        #expect(try wait("two", since: 100) == [100])
        try store.approve(ApprovedDeletions(), asBatch: "two", now: 101)
        #expect(try wait("three", since: 102) == [102])
    }

    @Test("An event has a begin, an end, an author, an outcome and counts (S1.13, S1.16, S1.17)")
    func events() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let authors: [Author] = [
            .person, .device("elm"), .device(nil), .other(user: "_ann", device: "elm"), .unknown, .merge, .restore,
        ]
        var events = authors.map { SyncEvent(kind: .import, author: $0, beganMilliseconds: 1) }
        for index in events.indices {
            events[index].id = try store.beginEvent(events[index])
        }
        events[1].endedMilliseconds = 2
        events[1].outcome = .success
        events[1].counts = SyncEvent.Counts(changed: 3, deleted: 1)
        events[2].endedMilliseconds = 3
        events[2].outcome = .error(code: "noAccount", message: "Sign in.")
        try store.endEvent(events[1])
        try store.endEvent(events[2])
        #expect(try store.events() == events)
        #expect(try store.events(after: events[3].id) == Array(events[4...]))
        #expect(try store.events(limit: 2) == Array(events.suffix(2)))
    }

    @Test("Of events and changes, the newest are kept")
    func retention() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        for number in 0..<(StateStore.keptEvents + 10) {
            try store.beginEvent(SyncEvent(kind: .export, author: .person, beganMilliseconds: Int64(number)))
        }
        let events = try store.events(limit: .max)
        #expect(events.count == StateStore.keptEvents)
        #expect(events.last?.beganMilliseconds == Int64(StateStore.keptEvents + 9))

        let changes = (0..<(StateStore.keptChanges + 5)).map {
            JournalEntry(
                event: 7, atMilliseconds: Int64($0), action: "update", author: .device("elm"),
                path: FolderPath("a"), record: RecordName("r"))
        }
        try store.commitOutcomes(changes.map { Outcome(change: $0) })
        let kept = try store.changes(limit: .max)
        #expect(kept.count == StateStore.keptChanges)
        var last = try #require(kept.last)
        last.id = 0
        #expect(last == changes.last)
        #expect(try store.changes(after: kept[kept.count - 2].id).count == 1)
    }

    @Test("Facts come back as they were stored, and the database's token is not theirs to change")
    func facts() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        #expect(try store.facts() == FolderFacts())
        let stored = try store.updateFacts {
            $0.marker = "m"
            $0.device = "d"
            $0.origin = FolderOrigin(FolderConfiguration(container: "iCloud.c", zone: "z", device: "d"))
            $0.account = "a"
            $0.subscription = "u"
            $0.courierURL = "https://example.com"
            $0.courierExpiresMilliseconds = 1
            $0.pushToken = "p"
            $0.fetchedMilliseconds = 2
            $0.pushedMilliseconds = 3
            $0.pause = FolderPause(sinceMilliseconds: 5, untilMilliseconds: 6)
            $0.schema = [0, 1, 255]
        }
        #expect(try store.facts() == stored)
        try store.commitDatabaseChanges(owed: [], lost: [], token: "d")
        try store.updateFacts { $0.pause = nil }
        #expect(try store.facts().databaseToken == "d")
        try store.forgetDatabaseToken()
        #expect(try store.facts().databaseToken == nil)
    }
}
