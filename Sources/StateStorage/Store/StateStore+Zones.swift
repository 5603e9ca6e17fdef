import GRDB
public import SyncModel

/// Fetched pages and their tokens: a page and the token that covers it are one transaction, so that a stored token is
/// never ahead of the rows, and a crash costs one page.
///
/// An empty token never replaces a good one. The server sends one where it refuses a token; the rows of such an answer
/// are taken and come again with the next page.
extension StateStore {
    /// What is known of a zone.
    public func zone(_ key: ZoneKey) throws(StateError) -> ZoneFacts {
        try read { db in try ZoneTable.facts(key, db) ?? ZoneFacts() }
    }

    /// Every zone that was heard of.
    public func zones() throws(StateError) -> [(key: ZoneKey, facts: ZoneFacts)] {
        try read { db in try ZoneTable.all(db) }
    }

    /// The shares that the zone's feed has named.
    public func shares() throws(StateError) -> [ZoneShare] {
        try read { db in try ShareTable.all(db) }
    }

    /// Remembers that the server has the zone, or that it has not.
    public func setCreated(_ created: Bool, zone key: ZoneKey) throws(StateError) {
        try write(.durable) { db in try ZoneTable.update(key, db) { $0.created = created } }
    }

    /// Takes over one page of `changes/zone`: records, deletions and the token that covers both.
    ///
    /// - Parameters:
    ///   - tombstones: Records that the server said are deleted. A record is in one of both lists only: its latest state.
    ///   - shares: What the page tells of shares, which are no records here; one that is among the tombstones goes.
    ///   - known: Records that the page names as they are known already.
    ///   - moreComing: `false` settles what the zone was owed.
    public func commitPage(
        records: [RemoteRow], known: [RecordName] = [], tombstones: [RecordName], shares: [ZoneShare] = [],
        token: String?, moreComing: Bool, zone key: ZoneKey
    ) throws(StateError) {
        try write(.ordered) { db in
            let facts = try ZoneTable.facts(key, db)
            let listing = facts?.listingNumber ?? 0
            let recognizes =
                if let facts, facts.listing, facts.recognition == .open {
                    try RemoteTable.knows(anyOf: records, before: listing, db)
                } else {
                    false
                }
            try RemoteTable.bury(tombstones, db)
            try RemoteTable.put(records, listing: listing, confirmed: true, db)
            try RemoteTable.confirm(known, db)
            try ShareTable.remove(tombstones, db)
            try ShareTable.put(shares, db)
            try ZoneTable.update(key, db) { zone in
                if let token, !token.isEmpty { zone.token = token }
                if !moreComing { zone.owed = false }
                if recognizes, zone.recognition == .open { zone.recognition = .done }
            }
        }
    }

    /// Takes over one page of `changes/database`: the token moves with the list of the zones still owed.
    ///
    /// A lost zone that the server had is forgotten with it, as by ``loseZone(_:_:)``.
    public func commitDatabaseChanges(
        owed: [ZoneKey], lost: [(zone: ZoneKey, loss: ZoneLoss)], token: String?
    ) throws(StateError) {
        try write(.ordered) { db in
            for (key, loss) in lost {
                try ZoneTable.update(key, db) { zone in
                    zone.owed = false
                    zone.loss = loss
                }
            }
            for key in owed { try ZoneTable.update(key, db) { $0.owed = true } }
            _ = try FolderTable.update(db) { facts in
                if let token, !token.isEmpty { facts.databaseToken = token }
            }
            for (key, _) in lost {
                if try ZoneTable.facts(key, db)?.created == true { try Self.forget(key, db) }
            }
        }
    }

    /// Remembers that a zone's changes wait on the server, as a push says.
    public func setOwed(zone key: ZoneKey) throws(StateError) {
        try write(.ordered) { db in try ZoneTable.update(key, db) { $0.owed = true } }
    }

    /// Drops the database's token, since the server no longer knows it.
    public func forgetDatabaseToken() throws(StateError) {
        _ = try write(.ordered) { db in try FolderTable.update(db) { $0.databaseToken = nil } }
    }

    /// Begins to list a zone from its beginning: for the first time, or since the server no longer knows the token.
    ///
    /// The remote tree stays as it is; pages mark what they name. Shares are learnt anew. After a crash the listing goes on with
    /// ``ZoneFacts/token``, so call this again only where the token of the listing itself is refused.
    public func beginFullListing(zone key: ZoneKey) throws(StateError) {
        try write(.ordered) { db in
            try ShareTable.removeAll(db)
            try ZoneTable.update(key, db) { zone in
                // Rows of a listing that breaks off have replaced those that a record could be compared with.
                let hasPages = zone.listing && zone.token != nil
                zone.recognition = hasPages && zone.recognition != .done ? .impossible : .open
                zone.token = nil
                zone.listing = true
                zone.complete = false
                zone.listingNumber += 1
            }
        }
    }

    /// Ends a listing whose last page said that there is no more: what it did not name was deleted on the server.
    /// - Returns: The records that became tombstones just now.
    @discardableResult
    public func finishFullListing(zone key: ZoneKey) throws(StateError) -> [RecordName] {
        try write(.ordered) { db in
            guard let zone = try ZoneTable.facts(key, db), zone.listing else { return [] }
            let unseen = try RemoteTable.unseen(listing: zone.listingNumber, db)
            try RemoteTable.bury(unseen, db)
            let missing = try RemoteTable.missing(db)
            try RemoteTable.bury(missing, db)
            try ZoneTable.update(key, db) { zone in
                zone.listing = false
                zone.complete = true
            }
            return unseen + missing
        }
    }

    /// Remembers how a zone vanished, where another answer than `changes/database` says so, and forgets its records, tokens
    /// and subscription, so that it can be made anew.
    ///
    /// No file is touched: the local tree stays, the base goes, and what waits for a person's word is ``ZoneFacts/loss``.
    public func loseZone(_ key: ZoneKey, _ loss: ZoneLoss) throws(StateError) {
        try write(.durable) { db in
            try ZoneTable.update(key, db) { $0.loss = loss }
            try Self.forget(key, db)
        }
    }

    private static func forget(_ key: ZoneKey, _ db: Database) throws {
        for table in ["remote", "base", "tombstone", "sent", "share"] {
            try db.execute(sql: "DELETE FROM \(table)")
        }
        try ZoneTable.update(key, db) { zone in
            zone.token = nil
            zone.created = false
            zone.owed = false
            zone.listing = false
            zone.complete = false
            zone.incarnation += 1
        }
        try FolderTable.update(db) { facts in
            facts.subscription = nil
            facts.databaseToken = nil
        }
    }

    /// Ends the wait for a person's word after a zone vanished.
    public func settleLoss(of key: ZoneKey) throws(StateError) {
        try write(.durable) { db in try ZoneTable.update(key, db) { $0.loss = nil } }
    }
}
