import Foundation
import GRDB

/// Whether what a killed daemon left in its database is true (invariants 4 and 5).
///
/// Reads it and the server's as they are. The tokens name positions in the server's change counter; the change tag of a
/// record is the counter at its last change.
struct StateHonesty {
    private let state: DatabaseQueue
    private let records: DatabaseQueue
    private let copy: URL

    /// Sentences that say what is not true.
    static func violations(_ folder: RealFolder, against world: RealWorld) throws -> [String] {
        guard let both = try StateHonesty(folder, world) else { return [] }
        defer { both.close() }
        return try both.tokens() + both.base()
    }

    /// The change counter of the server's database, without what each start leaves out: it moves with everything that a client
    /// changes.
    static func changes(of world: RealWorld) throws -> Int64 {
        let records = try DatabaseQueue(path: world.place.appending(path: "server/server.sqlite").path)
        defer { try? records.close() }
        return try records.read { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT max(last_change - (SELECT ifnull(sum(until - after), 0) FROM gaps WHERE database_id = id))
                    FROM databases
                    """)
        } ?? 0
    }

    /// How many living records the server has.
    static func living(in world: RealWorld) throws -> Int {
        let records = try DatabaseQueue(path: world.place.appending(path: "server/server.sqlite").path)
        defer { try? records.close() }
        return try records.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM records WHERE fields IS NOT NULL") }
            ?? 0
    }

    /// Opens a copy of the state, log included: the original is left for the daemon to recover. `nil` where the state has
    /// no tables yet.
    private init?(_ folder: RealFolder, _ world: RealWorld) throws {
        copy = world.place.appending(path: "state-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        for name in ["state.sqlite", "state.sqlite-wal"] {
            let file = folder.url.appending(path: ".zonefolder/" + name)
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            try FileManager.default.copyItem(at: file, to: copy.appending(path: name))
        }
        state = try DatabaseQueue(path: copy.appending(path: "state.sqlite").path)
        records = try DatabaseQueue(path: world.place.appending(path: "server/server.sqlite").path)
        guard try state.read({ try $0.tableExists("zone") }) else {
            close()
            return nil
        }
    }

    private func close() {
        try? state.close()
        try? records.close()
        try? FileManager.default.removeItem(at: copy)
    }

    /// Every record whose last change is not after the zone's token is among the daemon's rows as the server has it; the
    /// database's token is not ahead of the zone's, unless the zone is owed.
    private func tokens() throws -> [String] {
        let row = try state.read { db in
            try Row.fetchOne(
                db, sql: "SELECT token, (SELECT database_token FROM folder), owed FROM zone WHERE name = 'Notes'")
        }
        guard let row, let token = row[0] as String? else { return [] }
        let rows = try state.read { db in
            try Row.fetchAll(db, sql: "SELECT name, change_tag FROM remote").map { ($0[0] as String, $0[1] as String) }
        }
        let known = Dictionary(uniqueKeysWithValues: rows)
        let (zone, position) = try Self.place(of: token)
        var violations = try server(
            "SELECT name, change, fields IS NULL FROM records WHERE zone_id = ? AND change <= ?", [zone, position]
        ).compactMap { row -> String? in
            let (name, change, isDeleted) = (row[0] as String, row[1] as Int64, row[2] as Bool)
            let tag = isDeleted ? nil : String(change, radix: 36)
            return known[name] == tag ? nil : "\(name) is behind the token at \(position)"
        }
        if let database = row[1] as String?, row[2] as Int == 0 {
            let seen = try Self.place(of: database).position
            let missed = try server(
                "SELECT count(*) FROM records WHERE zone_id = ? AND change > ? AND change <= ?", [zone, position, seen])
            if missed[0][0] as Int > 0 {
                violations.append("the database's token is at \(seen), the zone's at \(position), and nothing is owed")
            }
        }
        return violations
    }

    /// What is taken for agreed was accepted by the server, and with the bytes of which that is said.
    private func base() throws -> [String] {
        let rows = try state.read { db in
            try Row.fetchAll(db, sql: "SELECT name, change_tag, lower(hex(hash)), record_type FROM base")
        }
        return try rows.compactMap { row in
            let (name, tag, hash, type) = (row[0] as String, row[1] as String, row[2] as String, row[3] as String)
            let found = try server("SELECT change, fields FROM records WHERE name = ?", [name])
            guard let change = found.first?[0] as Int64?, let agreed = Int64(tag, radix: 36), agreed <= change else {
                return "\(name) is agreed on at \(tag), which the server never had"
            }
            guard agreed == change, type == "File", let fields = found[0][1] as String? else { return nil }
            return fields.contains(hash) ? nil : "\(name) is agreed on at \(tag) with other bytes than the server's"
        }
    }

    private func server(_ query: String, _ arguments: StatementArguments) throws -> [Row] {
        try records.read { try Row.fetchAll($0, sql: query, arguments: arguments) }
    }

    /// `Z`, the kind, the zone's or database's row (8 bytes), the change counter (8), a code.
    private static func place(of token: String) throws -> (feed: Int64, position: Int64) {
        guard let bytes = Data(base64Encoded: token).map({ Array($0) }), bytes.count == 24,
            bytes[0] == UInt8(ascii: "Z")
        else { throw TestFailure("no token: \(token)") }
        func number(_ range: Range<Int>) -> Int64 { bytes[range].reduce(0) { $0 << 8 | Int64($1) } }
        return (number(2..<10), number(10..<18))
    }
}
