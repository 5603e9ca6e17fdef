import CloudKitWire
import GRDB
import SystemPackage
import Testing

@testable import CloudKitServer

@Suite("A start on a full disk")
struct FullDiskStartTests {
    private static let container = "iCloud.example"
    private static let statements = ["UPDATE ON server", "INSERT ON gaps", "INSERT ON records"]

    /// Lets the database have no room for what a start and a save write.
    private func fill(
        _ queue: DatabaseQueue, for statements: [String] = statements, saying code: ResultCode = .SQLITE_FULL
    ) throws {
        try queue.writeWithoutTransaction { db in
            db.add(
                function: DatabaseFunction("no_room", argumentCount: 0) { _ in
                    throw DatabaseError(resultCode: code, message: "database or disk is full")
                })
            for (index, statement) in statements.enumerated() {
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

    private func number(_ queue: DatabaseQueue, _ sql: String) throws -> Int64 {
        try queue.inDatabase { try Int64.fetchOne($0, sql: sql)! }
    }

    private func starts(_ queue: DatabaseQueue) throws -> Int64 {
        try number(queue, "SELECT value FROM server WHERE name = 'starts'")
    }

    private func gaps(_ queue: DatabaseQueue) throws -> Int64 { try number(queue, "SELECT count(*) FROM gaps") }

    @Test(
        "It reads, saves nothing, and writes down with the first change that it was",
        arguments: [
            (ResultCode.SQLITE_FULL, nil), (.SQLITE_IOERR_WRITE, .diskQuotaExceeded), (.SQLITE_IOERR_SHMSIZE, .noSpace),
            (.SQLITE_IOERR_WRITE, .ioError), (.SQLITE_IOERR_WRITE, nil),
        ] as [(ResultCode, Errno?)])
    func missedStart(code: ResultCode, cause: Errno?) throws {
        let clock = ManualClock(seed: 1)
        var surroundings = clock.surroundings
        surroundings.writingError = { _ in cause }
        let queue = try DatabaseQueue()
        let first = try RecordStore(writer: queue, surroundings: surroundings)
        #expect(try first.beginRun() == nil)
        let ada = try first.addUser(name: "ada", container: Self.container, environment: "development")
        let (before, gapsBefore) = (try starts(queue), try gaps(queue))

        try fill(queue, saying: code)
        let store = try RecordStore(writer: queue, surroundings: surroundings)
        let kept = try #require(try store.beginRun())
        #expect(kept.isOfWriting && kept.isOfFullDisk == (code == .SQLITE_FULL || cause?.isOfFullDisk == true))
        let caller = try #require(
            try store.caller(
                userRecordName: ada.userRecordName, container: Self.container, environment: "development"))
        #expect(try store.identity(of: caller).givenName == "ada")
        let signedIn = try store.authenticate(
            Credentials(apiToken: ada.apiToken, webAuthToken: ada.webAuthToken), container: Self.container,
            environment: "development", scope: .private, baseURL: "http://localhost")
        #expect(signedIn.nextWebAuthToken != nil)
        let refusal = #expect(throws: DatabaseError.self) {
            try store.addUser(name: "bob", container: Self.container, environment: "development")
        }
        #expect(refusal?.isOfFullDisk == kept.isOfFullDisk)
        try store.setServerURL("http://127.0.0.1:1")
        #expect(try starts(queue) == before)
        #expect(try gaps(queue) == gapsBefore)

        try makeRoom(queue)
        _ = try store.addUser(name: "bob", container: Self.container, environment: "development")
        _ = try store.addUser(name: "cy", container: Self.container, environment: "development")
        #expect(try starts(queue) == before + 1)
        let gapsAfter = try gaps(queue)
        #expect(gapsAfter > gapsBefore)
        _ = try store.addUser(name: "dan", container: Self.container, environment: "development")
        #expect(try starts(queue) == before + 1)
        #expect(try gaps(queue) == gapsAfter)
    }

    @Test("An empty database has to be written first")
    func newDatabase() throws {
        let queue = try DatabaseQueue()
        try Migrations.migrate(queue)
        try fill(queue, for: ["INSERT ON server"])
        let failure = #expect(throws: DatabaseError.self) { try RecordStore(writer: queue) }
        #expect(failure?.isOfFullDisk == true)
    }

    @Test(
        "That there is no room is a sentence, which names the place and the way out",
        arguments: [
            DatabaseError(resultCode: .SQLITE_FULL, message: "database or disk is full"),
            DatabaseError(resultCode: .SQLITE_IOERR_WRITE), DatabaseError(resultCode: .SQLITE_IOERR_SHMSIZE),
            Errno.noSpace, Errno.diskQuotaExceeded, ServerError.file("mkdir", "/a/uploads", .noSpace),
        ] as [any Error])
    func sentence(error: any Error) {
        let said = #expect(throws: ServerError.self) {
            try DataDirectory.writing("/a", asking: { _ in .diskQuotaExceeded }) { throw error }
        }
        #expect(said?.code == .diskFull)
        #expect(said?.message.contains("The disk of /a is full") == true)
        #expect(said?.message.contains("Make room") == true)
        #expect(said?.message.contains("SQLite") == false)
    }
}
