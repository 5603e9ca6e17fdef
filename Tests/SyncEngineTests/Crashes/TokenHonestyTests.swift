import CloudKitClient
import CloudKitWire
import FolderControl
import GRDB
import StateRows
import StateStorage
import SyncModel
import Testing

/// Invariant 5: a stored token implies that every change up to it is in the remote tree.
@Suite("The token and its rows", .timeLimit(.minutes(30)))
struct TokenHonestyTests {
    private static let files = 450

    /// Where the state's disk fails: at a record of the first, the second or the last page, or at the token itself.
    private static let failures = [
        "BEFORE INSERT ON remote WHEN NEW.name = 'Item/7'",
        "AFTER INSERT ON remote WHEN (SELECT count(*) FROM remote) = 201",
        "AFTER INSERT ON remote WHEN (SELECT count(*) FROM remote) = 399",
        "AFTER INSERT ON remote WHEN (SELECT count(*) FROM remote) = 450",
        "BEFORE INSERT ON zone WHEN NEW.token IS NOT NULL AND (SELECT count(*) FROM remote) = 400",
        "AFTER INSERT ON zone WHEN NEW.token IS NOT NULL AND (SELECT count(*) FROM remote) >= 200",
    ]

    @Test("A page that could not be stored is fetched again; the token is never ahead of the rows (S2.4)")
    func failingPage() async throws {
        try await CrashWorld.run { world in
            let laptop = try world.device("laptop")
            for number in 0..<Self.files { try laptop.write(#"{"number": \#(number)}"#, to: "Item/\(number).json") }
            #expect(try await laptop.sync().verdict == .inSync)

            for (number, failure) in Self.failures.enumerated() {
                let desk = try world.device("desk-\(number)")
                try StateStore(of: desk.state).close()
                try desk.inState { db in
                    try db.execute(sql: "CREATE TRIGGER broken \(failure) BEGIN SELECT RAISE(ABORT, 'disk'); END")
                }
                #expect(try await desk.sync().verdict != .inSync, "\(failure)")
                let stored = try await Self.rowsAndWhatFollows(desk)
                #expect(stored.rows < Self.files, "\(failure)")
                #expect(
                    stored.known == stored.all, "\(failure): \(stored.all.count - stored.known.count) behind the token")

                try desk.inState { try $0.execute(sql: "DROP TRIGGER broken") }
                #expect(try await desk.sync().verdict == .inSync, "\(failure)")
                #expect(desk.files() == laptop.files(), "\(failure)")
            }
        }
    }

    /// The tags of the stored rows with what the server tells from the stored token on, and those of the whole zone.
    private static func rowsAndWhatFollows(
        _ device: CrashDevice
    ) async throws -> (rows: Int, known: [String: String], all: [String: String]) {
        let store = try StateStore(of: device.state)
        let token = try store.zone(ZoneKey(name: "Notes")).token
        let rows = try store.loadTrees().remote
        try store.close()
        var known = Dictionary(uniqueKeysWithValues: rows.map { ($0.name.rawValue, $0.changeTag) })
        known.merge(try await changes(since: token, device)) { _, new in new }
        return (rows.count, known, try await changes(since: nil, device))
    }

    private static func changes(since token: String?, _ device: CrashDevice) async throws -> [String: String] {
        var tags: [String: String] = [:]
        var token = token
        while true {
            let query = ZoneChangesQuery(zoneID: device.zoneID, syncToken: token, resultsLimit: 200)
            guard case .success(let page)? = try await device.database.zoneChanges([query]).first else { break }
            for case .success(let record) in page.records { tags[record.recordName ?? ""] = record.recordChangeTag }
            token = page.syncToken
            guard page.moreComing else { break }
        }
        return tags
    }
}
