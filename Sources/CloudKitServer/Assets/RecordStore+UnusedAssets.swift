import GRDB

extension RecordStore {
    /// Those of some assets that no record names, by SHA-256.
    func unused(among assets: [[UInt8]]) throws -> [[UInt8]] {
        try read { db in try assets.filter { try !isUsed($0, db) } }
    }

    /// Forgets those of some assets that no record names by now.
    ///
    /// No record can come to name one between that look and its removal: whoever saves one waits for this transaction, and
    /// then asks whether the asset is still stored.
    /// - Parameter remove: Removes an asset's bytes, unless they are promised to a client; says whether they are gone.
    /// - Returns: Which are gone.
    func forgetUnused(among assets: [[UInt8]], removing remove: ([UInt8]) throws -> Bool) throws -> [[UInt8]] {
        try change { db in
            let gone = try assets.filter { asset in try !isUsed(asset, db) && remove(asset) }
            // After the bytes: on a full disk there is room for this only then. A row that stays goes at the next start.
            let deletion = try db.cachedStatement(sql: "DELETE FROM assets WHERE checksum = ?")
            for asset in gone { try deletion.execute(arguments: [blob(checksum(of: asset))]) }
            return gone
        }
    }

    private func isUsed(_ asset: [UInt8], _ db: Database) throws -> Bool {
        let uses = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM asset_uses WHERE checksum = ?)")
        return try Bool.fetchOne(uses, arguments: [blob(checksum(of: asset))]) ?? false
    }
}
