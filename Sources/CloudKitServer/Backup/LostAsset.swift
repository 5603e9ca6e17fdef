import Foundation
import GRDB

/// An asset that a record names and that the server does not have whole.
public struct LostAsset: Hashable, Sendable {
    /// What is wrong with the file.
    public enum Reason: Hashable, Sendable {
        /// There is none.
        case absent
        /// It ends too early.
        case cutShort
        /// Its bytes are not those that were stored.
        case damaged
        /// It could not be opened or read, in the system's words.
        case unreadable(String)
    }

    /// In the data directory, such as `assets/3f/3f0c…`.
    public var file: String
    public var reason: Reason
    /// One of the records that name it. Empty, as is all below, where the database is too damaged to tell.
    public var record: String
    public var field: String
    public var zone: String
    public var container: String
    public var environment: String
}

extension LostAsset {
    /// One of which nobody can tell who names it.
    init(_ asset: [UInt8], _ reason: Reason) {
        self.init(
            file: AssetCopier.name(of: asset), reason: reason, record: "", field: "", zone: "", container: "",
            environment: "")
    }

    /// Who names some assets: of each the oldest record. What no record names is left out.
    /// - Parameter reasons: What is wrong with each, by SHA-256.
    static func find(
        _ reasons: [[UInt8]: Reason], in db: Database, _ part: AssetPart = .all
    ) throws -> [[UInt8]: LostAsset] {
        // All rows are passed once, as there is no index by SHA-256: a disk can lose all assets.
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT a.sha256, r.id, r.name, u.field, z.name, d.container, d.environment FROM assets a
                JOIN asset_uses u ON u.checksum = a.checksum JOIN records r ON r.id = u.record_id
                JOIN zones z ON z.id = r.zone_id JOIN databases d ON d.id = z.database_id
                WHERE a.checksum >= ? AND a.checksum < ?
                """, arguments: part.bounds)
        var found: [[UInt8]: (record: Int64, lost: LostAsset)] = [:]
        while let row = try rows.next() {
            guard let asset = Data.fromDatabaseValue(row[0]).map({ Array($0) }), let reason = reasons[asset] else {
                continue
            }
            let record = Int64.fromDatabaseValue(row[1]) ?? .max
            guard record < found[asset]?.record ?? .max else { continue }
            // Of a damaged database a check wants to know what can be told.
            func text(_ column: Int) -> String { String.fromDatabaseValue(row[column]) ?? "" }
            found[asset] = (
                record,
                LostAsset(
                    file: AssetCopier.name(of: asset), reason: reason, record: text(2), field: text(3), zone: text(4),
                    container: text(5), environment: text(6))
            )
        }
        return found.mapValues(\.lost)
    }
}
