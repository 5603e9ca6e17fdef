import GRDB
import StateRows
import SyncModel

/// The rows of `written`.
enum WrittenTable {
    static func all(_ db: Database) throws -> [WrittenVersion] {
        var rows = try SQLStatement(
            db,
            """
            SELECT name, path, hash, former_tag, record_type, agreed_path, agreed_hash, executable, change_tag, created,
                assets, standing, renewal, document, left_over
            FROM written ORDER BY name
            """)
        var versions: [WrittenVersion] = []
        while try rows.step() {
            guard let assets = LineList.agreedAssets(rows.bytes(10)) else { throw rows.damaged(10, "assets") }
            guard let leftOvers = LineList.agreedAssets(rows.bytes(14)) else { throw rows.damaged(14, "left_over") }
            guard let standing = BaseEntry.Standing(rawValue: rows.int64(11)) else {
                throw rows.damaged(11, "standing")
            }
            versions.append(
                WrittenVersion(
                    entry: BaseEntry(
                        name: rows.name(0), recordType: rows.text(4), path: try rows.path(5), hash: try rows.hash(6),
                        executable: rows.bool(7), changeTag: rows.text(8), createdMilliseconds: rows.int64(9),
                        assets: assets, file: .unknown, standing: standing, renewal: rows.text(12)),
                    document: try rows.unpackedOrNil(13), path: try rows.path(1), hash: try rows.hash(2),
                    formerTag: rows.textOrNil(3), leftOvers: leftOvers))
        }
        return versions
    }

    static func put(_ versions: [WrittenVersion], _ db: Database) throws {
        var insert = try SQLStatement(
            db, "INSERT OR REPLACE INTO written VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        for version in versions {
            let entry = version.entry
            insert.bind(entry.name)
            insert.bind(version.path)
            insert.bind(version.hash)
            insert.bind(version.formerTag)
            insert.bind(entry.recordType)
            insert.bind(entry.path)
            insert.bind(entry.hash)
            insert.bind(entry.executable)
            insert.bind(entry.changeTag)
            insert.bind(entry.createdMilliseconds)
            insert.bind(LineList.text(entry.assets))
            insert.bind(entry.standing.rawValue)
            insert.bind(entry.renewal)
            insert.bind(packing: version.document)
            insert.bind(LineList.text(version.leftOvers))
            try insert.run()
        }
    }

    static func removeAll(_ db: Database) throws {
        let delete = try db.cachedStatement(sql: "DELETE FROM written")
        try delete.execute()
    }
}
