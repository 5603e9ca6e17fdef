import CloudKitClient
import CloudKitWire
import GRDB
import StateStorage
import SyncModel
import SyncPlanning
import Synchronization
import SystemPackage
import Testing

@testable import FolderSettings
@testable import RecordTrees
@testable import RemoteZone
@testable import SessionCore
@testable import StateRows
@testable import SyncEngine

/// What a fetch asks for, and what it makes of what comes (seeds 000, 002 and 004).
@Suite("Fetching", .timeLimit(.minutes(30)))
struct FetchingTests {
    @Test("A zone is asked for page by page of at most 200 whole records, from the token on (S2.6)")
    func query() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(#"{"title": "one"}"#, to: "Note/one.json")
            try await converge(laptop, desk)
            let token = try #require(await desk.session.zoneFacts.token)
            _ = desk.network.takeBodies(of: "changes/zone")
            try laptop.write(#"{"title": "two"}"#, to: "Note/one.json")
            try await converge(laptop, desk)
            let body = try #require(desk.network.takeBodies(of: "changes/zone").first)
            #expect(body.contains(#""resultsLimit":200"#) && body.contains(#""syncToken":"\#(token)""#), "\(body)")
            #expect(!body.contains("desiredKeys") && !body.contains("desiredRecordTypes"), "\(body)")
            try laptop.close()
            try desk.close()
        }
    }

    @Test("What an app knows of a record and a file does not, comes and goes with it untouched (S2.6, S4.13)")
    func foreignFields() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try await laptop.sync()
            let database = await laptop.session.environment.database
            let zone = ZoneID(zoneName: "Notes")
            var record = Record(recordName: "Note/app", recordType: "Note")
            record.fields["title"] = Field(.string("from the app"))
            record.fields["rank"] = Field(.int64(7))
            _ = try await database.modifyRecords([RecordOperation(.create, record)], in: zone)
            try await laptop.sync()
            let text = try #require(laptop.read("Note/app.json"))
            try laptop.write(text.replacing("from the app", with: "from here"), to: "Note/app.json")
            try await laptop.sync()
            guard case .success(let saved)? = try await database.lookUpRecords(["Note/app"], in: zone).first else {
                Issue.record("the record is gone")
                return
            }
            #expect(saved.fields["title"]?.value == .string("from here"))
            #expect(saved.fields["rank"]?.value == .int64(7))
            try laptop.close()
        }
    }

    @Test("A record that comes pages before the one it refers to names its file all the same (S2.8)")
    func references() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try await laptop.sync()
            let database = await laptop.session.environment.database
            let zone = ZoneID(zoneName: "Notes")
            // The referring record is the oldest of 450, the one that it refers to the newest.
            var first = Record(recordName: "Note/first", recordType: "Note")
            first.fields["next"] = Field(.reference(Reference(recordName: "Note/last", action: .none)))
            var records = [first]
            for number in 0..<448 {
                var record = Record(recordName: "Note/\(number)", recordType: "Note")
                record.fields["number"] = Field(.int64(Int64(number)))
                records.append(record)
            }
            var last = Record(recordName: "Note/last", recordType: "Note")
            last.fields["path"] = Field(.string("Note/deep/end.json"))
            last.fields["number"] = Field(.int64(1))
            records.append(last)
            for start in stride(from: 0, to: records.count, by: 150) {
                let some = records[start..<min(start + 150, records.count)].map { RecordOperation(.create, $0) }
                for case .failure(let error) in try await database.modifyRecords(some, in: zone) {
                    Issue.record("\(error)")
                }
            }
            let desk = try world.device("desk")
            try await desk.sync()
            let path = try #require(
                try desk.files().keys.first { $0.hasSuffix("end.json") || $0.hasSuffix("last.json") })
            #expect(desk.read("Note/first.json")?.contains(path) == true, "\(desk.read("Note/first.json") ?? "")")
            #expect(try desk.files().count == 450)
            try laptop.close()
            try desk.close()
        }
    }

    @Test("A process that ends while a zone of five pages is fetched costs one page (S2.4, S4.11)", arguments: 1...4)
    func pageCost(pages: Int) async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            for number in 0..<900 { try laptop.write(#"{"number": \#(number)}"#, to: "Item/\(number).json") }
            try await laptop.sync()
            let desk = try world.device("desk")
            let fetched = Count()
            desk.network.decide { request in
                guard FaultyNetwork.operation(of: request) == "changes/zone" else { return .delivered }
                return fetched.next() <= pages ? .delivered : .lostOnTheWay
            }
            await desk.session.cycle()
            #expect(desk.network.takeOperations().count { $0 == "changes/zone" } == pages + 1)
            try desk.restart()
            desk.network.decide { _ in .delivered }
            try await desk.sync()
            #expect(desk.network.takeOperations().count { $0 == "changes/zone" } <= 5 - pages + 1)
            #expect(try desk.files().count == 900)
            try laptop.close()
            try desk.close()
        }
    }

    @Test("A push that comes while a fetch is under way asks for one more, and a dozen of them for no more (S0.15)")
    func pushes() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("one", to: "a.txt")
            try await converge(laptop, desk)
            try laptop.write("two", to: "a.txt")
            try await laptop.sync()
            let inbox = await desk.session.inbox
            let fetches = Count()
            desk.network.decide { request in
                guard FaultyNetwork.operation(of: request) == "changes/zone", fetches.next() == 1 else {
                    return .delivered
                }
                for _ in 0..<12 { inbox.news.receivePush() }
                return .delivered
            }
            _ = desk.network.takeOperations()
            inbox.news.receivePush()
            await desk.session.cycle()
            await desk.session.cycle()
            await desk.session.cycle()
            #expect(desk.network.takeOperations().count { $0 == "changes/zone" } == 2)
            #expect(desk.read("a.txt") == "two")
            try laptop.close()
            try desk.close()
        }
    }

    @Test("What the server deletes along with its target goes here when its own tombstone comes (S4.3)")
    func cascade() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(#"{"title": "album"}"#, to: "Album/a.json")
            try await laptop.sync()
            for number in 0..<3 {
                try laptop.write(
                    #"{"album": {"$ref": "Album/a.json", "action": "DELETE_SELF"}}"#, to: "Photo/\(number).json")
            }
            try await laptop.sync()
            try laptop.write(#"{"photo": {"$ref": "Photo/0.json", "action": "DELETE_SELF"}}"#, to: "Caption/c.json")
            try laptop.write(#"{"album": {"$ref": "Album/a.json", "action": "NONE"}}"#, to: "Review/r.json")
            try await converge(laptop, desk)
            #expect(try desk.files().count == 6)
            _ = laptop.network.takeBodies(of: "records/modify")
            try laptop.delete("Album/a.json")
            try await converge(laptop, desk)
            #expect(try laptop.files().keys.sorted() == ["Review/r.json"])
            #expect(try desk.files().keys.sorted() == ["Review/r.json"])
            // No victim is named: the server finds them.
            let bodies = laptop.network.takeBodies(of: "records/modify")
            #expect(bodies.count == 1 && !bodies[0].contains("Photo/"), "\(bodies)")
            try laptop.close()
            try desk.close()
        }
    }

    @Test("Fetched changes are known as those of another device, and never go back as edits (S1.13)")
    func noEcho() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(#"{"title": "one"}"#, to: "Note/one.json")
            try laptop.write("bytes", to: "a.bin")
            try await converge(laptop, desk)
            try desk.restart()
            try await desk.sync()
            #expect(!desk.network.takeOperations().contains("records/modify"))
            let changes = try await desk.session.environment.store.changes()
            #expect(changes.map(\.action) == ["receive", "receive"])
            for change in changes {
                guard case .device = change.author else {
                    Issue.record("\(change)")
                    continue
                }
            }
            #expect(try await laptop.session.environment.store.changes().map(\.author) == [.person, .person])
            try laptop.close()
            try desk.close()
        }
    }

    @Test("The system fields of each record are columns of the state, found by its name (S4.12)")
    func systemFields() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write(#"{"title": "one"}"#, to: "Note/one.json")
            try await laptop.sync()
            let user = try world.userRecordName()
            try laptop.close()
            let state = try DatabaseQueue(path: laptop.folder.appending(".zonefolder/state.sqlite").string)
            let (row, plan) = try await state.read { db in
                let row = try Row.fetchOne(
                    db,
                    sql:
                        "SELECT record_type, change_tag, created, created_user, modified_user FROM system_fields WHERE name = ?",
                    arguments: ["Note/one"])
                let plan = try Row.fetchAll(
                    db, sql: "EXPLAIN QUERY PLAN SELECT * FROM system_fields WHERE name = 'Note/one'")
                return (row.map { [$0["record_type"] as String, $0["created_user"], $0["modified_user"]] }, "\(plan)")
            }
            #expect(row == ["Note", user, user])
            #expect(plan.contains("USING INDEX"), "\(plan)")
            try state.close()
        }
    }

    @Test("The record type of plain files is what config.toml says (S4.12)")
    func fileType() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop") { $0.fileRecordType = "Document" }
            let desk = try world.device("desk") { $0.fileRecordType = "Document" }
            try laptop.write("bytes", to: "a.txt")
            try await converge(laptop, desk)
            #expect(await laptop.session.trees.remote[RecordName("a.txt")]?.recordType == "Document")
            try await expectInSync(laptop, desk, with: ["a.txt": "bytes"])
        }
    }

    /// Counts, from 1.
    private final class Count: Sendable {
        private let number = Mutex(0)

        func next() -> Int {
            number.withLock { number in
                number += 1
                return number
            }
        }
    }
}
