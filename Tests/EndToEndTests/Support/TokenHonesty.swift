import Foundation
import GRDB
import Testing

/// Whether the token that a killed daemon left behind is ahead of the rows that it left.
///
/// Reads both databases as they are: the token names a position in the server's change counter, and every record whose
/// last change is not after that position must be among the daemon's rows as the server has it.
enum TokenHonesty {
    static func check(_ folder: RealFolder, against world: RealWorld) throws {
        // A copy, log included: the original is left for the daemon to recover.
        let copy = world.place.appending(path: "state-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: copy) }
        for name in ["state.sqlite", "state.sqlite-wal"] {
            let file = folder.url.appending(path: ".zonefolder/" + name)
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            try FileManager.default.copyItem(at: file, to: copy.appending(path: name))
        }
        let state = try DatabaseQueue(path: copy.appending(path: "state.sqlite").path)
        defer { try? state.close() }
        guard
            let token = try state.read({
                try String.fetchOne($0, sql: "SELECT token FROM zone WHERE token IS NOT NULL")
            })
        else { return }
        let rows = try state.read { db in
            try Row.fetchAll(db, sql: "SELECT name, change_tag FROM remote").map { ($0[0] as String, $0[1] as String) }
        }
        let known = Dictionary(uniqueKeysWithValues: rows)
        let (zone, position) = try place(of: token)
        let records = try DatabaseQueue(path: world.place.appending(path: "server/server.sqlite").path)
        defer { try? records.close() }
        let behind = try records.read { db in
            try Row.fetchAll(
                db, sql: "SELECT name, change, fields IS NULL FROM records WHERE zone_id = ? AND change <= ?",
                arguments: [zone, position])
        }
        for row in behind {
            let (name, change, isDeleted) = (row[0] as String, row[1] as Int64, row[2] as Bool)
            let tag = isDeleted ? nil : String(change, radix: 36)
            #expect(known[name] == tag, "\(name) is behind the token at \(position)")
        }
    }

    /// `Z`, the kind, the zone's row (8 bytes), the change counter (8), a code.
    private static func place(of token: String) throws -> (zone: Int64, position: Int64) {
        let bytes = try #require(Data(base64Encoded: token).map { Array($0) })
        guard bytes.count == 24, bytes[0] == UInt8(ascii: "Z"), bytes[1] == 1 else {
            throw TestFailure("no token of a zone: \(token)")
        }
        func number(_ range: Range<Int>) -> Int64 { bytes[range].reduce(0) { $0 << 8 | Int64($1) } }
        return (number(2..<10), number(10..<18))
    }
}
