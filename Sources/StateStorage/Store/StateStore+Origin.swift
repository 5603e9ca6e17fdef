import GRDB

/// Whose state it is.
extension StateStore {
    /// Says what the folder is synced with from now on; what was learnt of anything else is forgotten.
    ///
    /// A person edits `config.toml`, and perhaps back again: trees, tokens and facts of one zone would be taken for another
    /// one's. No file is touched; both sides are read anew, and where the folder was synced before, what would be sent waits
    /// for a person's word as after the loss of a zone (``ZoneLoss/reconfigured``). The conflict copies and the journal stay:
    /// they tell of the folder. A state that does not know its origin, as of an earlier version, is taken to be of this one.
    /// - Returns: Whether something was forgotten.
    @discardableResult
    public func setOrigin(_ origin: FolderOrigin) throws(StateError) -> Bool {
        try write(.durable) { db in
            let known = try FolderTable.facts(db)
            guard let former = known.origin else {
                try FolderTable.update(db) { $0.origin = origin }
                return false
            }
            guard former != origin else { return false }
            let wasSynced = try ZoneTable.all(db).contains { zone in
                zone.facts.created || zone.facts.loss != nil || zone.facts.incarnation > 0
            }
            for table in ["remote", "base", "tombstone", "sent", "share", "local", "zone", "problem", "batch"] {
                try db.execute(sql: "DELETE FROM \(table)")
            }
            try FolderTable.update(db) { facts in
                facts = FolderFacts()
                facts.origin = origin
                facts.marker = known.marker
                facts.device = known.device
                facts.paused = known.paused
                if former.hasAccounts(of: origin) { facts.account = known.account }
            }
            guard wasSynced else { return true }
            try ZoneTable.update(ZoneKey(name: origin.zone, owner: origin.owner), db) { zone in
                zone.loss = .reconfigured
                zone.incarnation = 1
            }
            return true
        }
    }
}
