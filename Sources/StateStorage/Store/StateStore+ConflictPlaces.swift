public import FolderSettings
import GRDB
import StateRows
public import SyncModel

extension StateStore {
    /// Where the file of each open conflict is by what both sides last agreed on, else by what the zone has, keyed by the path of
    /// the copy. Left out are conflicts whose record is not known any more, and those of a structured record's asset, whose
    /// path no row tells.
    /// - Parameter fileType: The record type of files that are no structured records.
    public func conflictPlaces(fileType: String) throws(StateError) -> [FolderPath: FolderPath] {
        try read { db in
            var places: [FolderPath: FolderPath] = [:]
            for conflict in try ConflictTable.all(db) {
                places[conflict.copy] = try ConflictTable.place(of: conflict, fileType: fileType, db)
            }
            return places
        }
    }
}

extension ConflictTable {
    /// `nil` where no row tells it.
    fileprivate static func place(
        of conflict: ConflictRow, fileType: String, _ db: Database
    ) throws -> FolderPath? {
        var agreed = try SQLStatement(db, "SELECT record_type, path, assets FROM base WHERE name = ?")
        agreed.bind(conflict.record)
        defer { agreed.rewind() }
        if try agreed.step() {
            guard let assets = LineList.agreedAssets(agreed.bytes(2)) else { throw agreed.damaged(2, "assets") }
            let isOwn = agreed.text(0) == fileType || isText(conflict.original, besides: assets.map(\.path))
            return isOwn ? try agreed.path(1) : nil
        }
        var remote = try SQLStatement(db, "SELECT record_type, path FROM remote WHERE name = ?")
        remote.bind(conflict.record)
        defer { remote.rewind() }
        guard try remote.step(), remote.text(0) == fileType else { return nil }
        return try remote.path(1)
    }

    /// Whether a conflict is one of a structured record's text, and surely not of one of its assets, which may have any name.
    private static func isText(_ path: FolderPath, besides assets: [FolderPath]) -> Bool {
        let isJSON = { (path: FolderPath) in path.bytes.suffix(5).elementsEqual(".json".utf8) }
        return isJSON(path) && !assets.contains(where: isJSON)
    }
}
