import CloudKitWire
import GRDB
import Testing

@testable import CloudKitServer

/// The command and the server have a store each on one database, as two processes have.
@Suite("Numbers after a backup was restored, where the server found no room to leave some out")
struct RestoredNumbersTests {
    private static let (container, environment) = ("iCloud.example", "development")
    private static let statements = ["UPDATE ON server", "INSERT ON gaps"]

    private let clock = ManualClock()

    /// A server's database in which bob sees a zone of ada's.
    private func sharedZone() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        let store = try RecordStore(writer: queue, surroundings: clock.surroundings)
        for name in ["ada", "bob"] {
            _ = try store.addUser(name: name, container: Self.container, environment: Self.environment)
        }
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO zones (database_id, name, deleted, last_change)
                    SELECT d.id, 'Notes', 0, 1 FROM databases d JOIN users u ON u.id = d.owner_id
                    WHERE u.name = 'ada' AND d.scope = 'private';
                    INSERT INTO shared_zones (database_id, zone_id, name, owner_record_name, shares, deleted, last_change)
                    SELECT d.id, z.id, 'Notes', '_ada', '1', 0, 1 FROM zones z, databases d JOIN users u ON u.id = d.owner_id
                    WHERE z.name = 'Notes' AND u.name = 'bob' AND d.scope = 'shared'
                    """)
        }
        return queue
    }

    private func fill(_ queue: DatabaseQueue) throws {
        try queue.writeWithoutTransaction { db in
            db.add(
                function: DatabaseFunction("no_room", argumentCount: 0) { _ in
                    throw DatabaseError(resultCode: .SQLITE_FULL)
                })
            for (index, statement) in Self.statements.enumerated() {
                try db.execute(
                    sql: "CREATE TEMP TRIGGER no_room_\(index) BEFORE \(statement) BEGIN SELECT no_room(); END")
            }
        }
    }

    private func makeRoom(_ queue: DatabaseQueue) throws {
        try queue.writeWithoutTransaction { db in
            for index in Self.statements.indices { try db.execute(sql: "DROP TRIGGER no_room_\(index)") }
        }
    }

    private func bob(_ store: RecordStore) throws -> Caller {
        let name = try #require(try store.summary(ofUser: "bob", container: Self.container)).userRecordName
        return try #require(
            try store.caller(
                userRecordName: name, container: Self.container, environment: Self.environment, scope: .shared))
    }

    private func changes(_ store: RecordStore, since token: String? = nil) throws -> DatabaseChangesResponse {
        try store.databaseChanges(DatabaseChangesRequest(syncToken: token), as: bob(store))
    }

    private func gaps(_ queue: DatabaseQueue) throws -> Int {
        try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM gaps")! }
    }

    @Test("A command that takes some first leaves others out: a token of the lost past stays one, and a good one good")
    func removal() throws {
        let live = try sharedZone()
        let restored = try DatabaseQueue()
        try live.backup(to: restored)
        // What bob was told after the backup, and was lost with the server's disk.
        try live.write { db in
            try db.execute(sql: "UPDATE databases SET last_change = last_change + 1 WHERE scope = 'shared'")
        }
        let lost = try changes(RecordStore(writer: live, surroundings: clock.surroundings)).syncToken

        try fill(restored)
        let server = try RecordStore(writer: restored, surroundings: clock.surroundings)
        #expect(try server.beginRun() != nil)
        let good = try changes(server)
        #expect(good.zones.map(\.zoneID.zoneName) == ["Notes"])
        try makeRoom(restored)

        let command = try RecordStore(writer: restored, surroundings: clock.surroundings)
        #expect(try command.removeUser("ada", container: Self.container))
        let refusal = #expect(throws: ErrorDictionary.self) { try changes(server, since: lost) }
        #expect(refusal?.reason == ErrorDictionary.unknownPast)
        let told = try changes(server, since: good.syncToken)
        #expect(told.zones.map(\.zoneID.zoneName) == ["Notes"] && told.zones.map(\.deleted) == [true])

        // The server leaves its own out all the same, and takes back nothing of what was told.
        _ = try server.addUser(name: "cy", container: Self.container, environment: Self.environment)
        #expect(throws: ErrorDictionary.self) { try changes(server, since: lost) }
        #expect(try changes(server, since: told.syncToken).zones.isEmpty)
    }

    @Test("A command that takes no number leaves none out, nor does one for a database in which it takes none")
    func others() throws {
        let queue = try sharedZone()
        let store = try RecordStore(writer: queue, surroundings: clock.surroundings)
        let offer = InvitationOffer(userName: "cy", zone: "Notes", validity: .seconds(60))
        _ = try store.invite(offer, container: Self.container, environment: Self.environment)
        _ = try store.addAPIToken(container: Self.container, environment: Self.environment)
        _ = try store.addUser(name: "dan", container: Self.container, environment: Self.environment)
        #expect(try store.removeUser("dan", container: Self.container))
        #expect(try gaps(queue) == 0)
        #expect(try store.removeUser("ada", container: Self.container))
        #expect(try gaps(queue) == 1)
    }
}
