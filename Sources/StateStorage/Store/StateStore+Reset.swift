public import FolderSettings
import GRDB
import StateRows

/// Beginning anew.
extension StateStore {
    /// Forgets all that was learnt of both sides: the trees, the tokens, the subscription, what waits for a person.
    ///
    /// It stays whose folder it is, and what tells of the folder: conflict copies and the journal. A zone that nothing may be
    /// sent to before a person's word is still one: its loss is no less true, and by a listing alone it could not be told any more.
    public func forgetTrees() throws(StateError) {
        try write(.durable) { db in
            let known = try FolderTable.facts(db)
            let lost = try ZoneTable.all(db).filter { $0.facts.loss != nil }
            try Self.deleteTrees(db)
            try FolderTable.update(db) { facts in
                facts = FolderFacts()
                facts.origin = known.origin
                facts.marker = known.marker
                facts.device = known.device
                facts.home = known.home
                facts.account = known.account
                facts.pause = known.pause
            }
            for (key, former) in lost {
                try ZoneTable.update(key, db) { zone in
                    zone.loss = former.loss == .missing ? .replaced : former.loss
                    zone.incarnation = former.incarnation + 1
                }
            }
        }
    }

    /// Empties every table that says something of either side.
    static func deleteTrees(_ db: Database) throws {
        for table in [
            "remote", "author", "base", "tombstone", "sent", "share", "local", "provenance", "zone", "problem", "batch",
            "approval", "written", "deletion",
        ] {
            try db.execute(sql: "DELETE FROM \(table)")
        }
    }
}
