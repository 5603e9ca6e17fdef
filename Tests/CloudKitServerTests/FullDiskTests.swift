import CloudKitWire
import GRDB
import Logging
import Synchronization
import SystemPackage
import Testing

@testable import CloudKitServer

/// The protocol's record; GRDB has a class of the same name.
private typealias Record = CloudKitWire.Record

@Suite("A full disk (protocol §5)")
struct FullDiskTests {
    /// Counts down.
    private final class Countdown: Sendable {
        private let left: Mutex<Int>
        init(_ count: Int) { left = Mutex(count) }

        func next() -> Bool {
            left.withLock { left in
                defer { left -= 1 }
                return left > 0
            }
        }
    }

    /// Lets the database have no room for some statements, such as `INSERT ON records`.
    /// - Parameter times: How often; then there is some.
    private func fill(
        _ server: TestServer, for statements: [String], times: Int = 1_000_000, saying code: ResultCode = .SQLITE_FULL
    ) throws {
        let countdown = Countdown(times)
        try server.server.store.writer.writeWithoutTransaction { db in
            db.add(
                function: DatabaseFunction("no_room", argumentCount: 0) { _ in
                    guard countdown.next() else { return nil }
                    throw DatabaseError(resultCode: code, message: "database or disk is full")
                })
            for (index, statement) in statements.enumerated() {
                try db.execute(
                    sql: "CREATE TEMP TRIGGER no_room_\(index) BEFORE \(statement) BEGIN SELECT no_room(); END")
            }
        }
    }

    private func makeRoom(_ server: TestServer) throws {
        try server.server.store.writer.writeWithoutTransaction { try $0.execute(sql: "DROP TRIGGER no_room_0") }
    }

    private static func create(_ name: String) -> String {
        #"{"operationType":"create","record":{"recordType":"Note","recordName":"\#(name)","fields":{"t":{"value":"x"}}}}"#
    }

    private static func delete(_ name: String) -> String {
        #"{"operationType":"forceDelete","record":{"recordName":"\#(name)"}}"#
    }

    private func withRecords(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        try await withServer { server in
            try await server.makeZone()
            let saved = try await server.modify([Self.create("a"), Self.create("b")].joined(separator: ","))
            #expect(saved["records"].items.allSatisfy { $0["serverErrorCode"].isAbsent })
            try await body(server)
        }
    }

    @Test("Saves are out of quota, and deletions of the same request go on")
    func mixedRequest() async throws {
        try await withRecords { server in
            try fill(server, for: ["INSERT ON records"])
            let reply = try await server.modify(
                [Self.create("c"), Self.delete("a"), Self.create("d")].joined(separator: ","))
            #expect(reply.status == 200)
            let codes = reply["records"].items.map { $0["serverErrorCode"].string }
            #expect(codes == ["QUOTA_EXCEEDED", nil, "QUOTA_EXCEEDED"])
            #expect(reply["records"].items.map { $0["recordName"].string } == ["c", "a", "d"])
            #expect(reply["records"][1]["deleted"].bool == true)
            let left = try await server.changes()["records"].items.filter { $0["deleted"].bool != true }
            #expect(left.map { $0["recordName"].string } == ["b"])
        }
    }

    @Test("A request that only saves, and one that is done in full or not at all, are out of quota as a whole")
    func saves() async throws {
        try await withRecords { server in
            try fill(server, for: ["INSERT ON records"])
            let save = try await server.modify(Self.create("c"))
            let both = [Self.delete("a"), Self.create("c")].joined(separator: ",")
            let atomic = try await server.modify(both, atomic: "")
            for reply in [save, atomic] {
                #expect(reply.status == 413 && reply.code == "QUOTA_EXCEEDED")
            }
            #expect(try await server.changes()["records"].count == 2)
        }
    }

    @Test("What finds no room to be deleted is not out of quota: it is to be tried again, and reading goes on")
    func deletions() async throws {
        try await withRecords { server in
            try fill(server, for: ["UPDATE ON records", "INSERT ON records", "UPDATE ON zones"])
            let reply = try await server.modify([Self.delete("a"), Self.create("c")].joined(separator: ","))
            #expect(reply.status == 200)
            #expect(
                reply["records"].items.map { $0["serverErrorCode"].string } == ["TRY_AGAIN_LATER", "QUOTA_EXCEEDED"])
            #expect(reply["records"][0]["retryAfter"].int == 60)
            let zone = try await server.post(
                "zones/modify", #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"Folder"}}}]}"#)
            let atomic = try await server.modify(Self.delete("a"), atomic: "")
            for reply in [zone, atomic] {
                #expect(reply.status == 503 && reply.code == "TRY_AGAIN_LATER")
                #expect(reply.header("Retry-After") == "60")
            }
            #expect(try await server.changes()["records"].count == 2)
        }
    }

    /// How often the database's log has begun anew: the fourth number of its head, as SQLite's format of it says.
    private func logNumber(_ server: TestServer) throws -> [UInt8] {
        let log = try readFile(server.server.configuration.dataDirectory.appending("server.sqlite-wal"))
        return Array(log[12..<16])
    }

    private static let zone = #""zoneID":{"zoneName":"Folder"}"#

    @Test(
        "Before anything is refused for want of room, what deletes has the room of the log that begins anew",
        arguments: [
            ("records/modify", #"{\#(zone),"operations":[\#(delete("a"))]}"#),
            ("records/modify", #"{\#(zone),"operations":[\#(create("c")),\#(delete("a"))]}"#),
            ("records/modify", #"{\#(zone),"atomic":false,"operations":[\#(delete("a"))]}"#),
            ("records/modify", #"{\#(zone),"atomic":false,"operations":[\#(create("c")),\#(delete("a"))]}"#),
            ("zones/modify", #"{"operations":[{"operationType":"delete","zone":{\#(zone)}}]}"#),
        ])
    func rewoundLog(operation: String, body: String) async throws {
        try await withRecords { server in
            try fill(server, for: ["UPDATE ON records", "INSERT ON records", "UPDATE ON zones"], times: 1)
            let before = try logNumber(server)
            let reply = try await server.post(operation, body)
            #expect(reply.status == 200 && !reply.text.contains("serverErrorCode"))
            #expect(try logNumber(server) != before)
        }
    }

    @Test(
        "Tokens that cannot be written down keep nobody from reading, and are written once there is room",
        arguments: [ResultCode.SQLITE_FULL, .SQLITE_IOERR_WRITE, .SQLITE_IOERR])
    func tokens(code: ResultCode) async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            func voidUpTo() throws -> Int64 {
                // Behind all that is written at leisure.
                try server.server.store.writer.writeWithoutTransaction {
                    try Int64.fetchOne($0, sql: "SELECT max(void_up_to) FROM sessions")!
                }
            }
            try fill(server, for: ["UPDATE ON sessions"], saying: code)
            let before = try voidUpTo()
            for _ in 0..<4 {
                clock.advance(seconds: 70)
                #expect(try await server.get("zones/list").status == 200)
            }
            #expect(try voidUpTo() == before)
            try makeRoom(server)
            clock.advance(seconds: 70)
            #expect(try await server.get("zones/list").status == 200)
            #expect(try voidUpTo() > before)
        }
    }

    @Test("Where tokens must be written down before the answer, that they cannot be is no matter of quota")
    func singleUse() async throws {
        try await withServer {
            $0.store.webAuthTokenGrace = .zero
        } _: { server in
            _ = try await server.get("zones/list")
            try fill(server, for: ["UPDATE ON sessions"])
            let reply = try await server.get("zones/list")
            #expect(reply.status == 503 && reply.code == "TRY_AGAIN_LATER")
        }
    }

    @Test(
        "Of a request, saves are refused first, and deletions where they too have no room",
        arguments: [
            // `s` saves, `d` deletes; capitals are refused already. Then what is refused now.
            ("", nil), ("s", nil), ("ss", nil), ("sd", "s-"), ("dsds", "-s-s"), ("Sd", "-d"), ("SdD", "-d-"),
            ("d", "d"), ("dd", "dd"), ("SD", nil), ("sD", nil),
        ] as [(String, String?)])
    func refusals(operations: String, expected: String?) {
        let kinds = operations.map { letter in
            RecordOperation(letter.lowercased() == "s" ? .create : .forceDelete, Record(recordName: "r"))
        }
        let refused = Set(operations.enumerated().filter { $0.element.isUppercase }.map(\.offset))
        let refusals = FullDisk.refusals(of: kinds, refused: refused).map { refusals in
            kinds.indices.map { index -> String in
                switch refusals[index]?.serverErrorCode {
                case .quotaExceeded?: "s"
                case .tryAgainLater?: "d"
                default: "-"
                }
            }.joined()
        }
        #expect(refusals == expected)
    }

    @Test(
        "A browser and a client of the protocol are told the same",
        arguments: [
            Errno.noSpace, Errno.diskQuotaExceeded, DatabaseError(resultCode: .SQLITE_FULL),
            ServerError.file("fsync", "/a", .noSpace),
            ServerError.file("fsync", "/a", .diskQuotaExceeded),
        ] as [any Error])
    func words(error: any Error) {
        let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        #expect(Answer.plainFailure(error, silent).status == 507)
        #expect(Answer.failure(error, isSaving: true, uuid: "u", silent).status == 413)
        #expect(Answer.failure(error, isSaving: false, uuid: "u", silent).status == 503)
    }
}
