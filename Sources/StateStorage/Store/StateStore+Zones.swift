public import FolderSettings
import GRDB
public import StateRows
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
    ///   - fetched: When the page came, in milliseconds since 1970, where it is the last one of a fetch.
    public func commitPage(
        records: [RemoteRow], known: [RecordName] = [], tombstones: [RecordName], shares: [ZoneShare] = [],
        token: String?, moreComing: Bool, zone key: ZoneKey, fetched: Int64? = nil
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
            if let fetched { try FolderTable.update(db) { $0.fetchedMilliseconds = fetched } }
        }
    }

    /// Takes over one page of `changes/database`: the token moves with the list of the zones still owed.
    ///
    /// A zone among the lost ones that the server had is lost with it, as by ``loseZone(_:_:)``.
    /// - Parameter fetched: When they came, in milliseconds since 1970, where nothing is owed after them.
    public func commitDatabaseChanges(
        owed: [ZoneKey], lost: [ZoneKey], token: String?, fetched: Int64? = nil
    ) throws(StateError) {
        try write(.ordered) { db in
            for key in owed { try ZoneTable.update(key, db) { $0.owed = true } }
            _ = try FolderTable.update(db) { facts in
                if let token, !token.isEmpty { facts.databaseToken = token }
                if let fetched { facts.fetchedMilliseconds = fetched }
            }
            for key in lost {
                if try ZoneTable.facts(key, db)?.created == true {
                    try Self.lose(key, .missing, db)
                } else {
                    try ZoneTable.update(key, db) { $0.owed = false }
                }
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
    /// `ZoneFacts.token`, so call this again only where the token of the listing itself is refused.
    /// - Parameter isOfItsPast: Whether the zone may still have all that was known of it; not after the restore of a backup.
    public func beginFullListing(zone key: ZoneKey, isOfItsPast: Bool = true) throws(StateError) {
        try write(.ordered) { db in
            try ShareTable.removeAll(db)
            try ZoneTable.update(key, db) { $0.beginListing(isOfItsPast: isOfItsPast) }
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
            try ZoneTable.update(key, db) { $0.endListing(isAnother: false) }
            return unseen + missing
        }
    }

    /// Ends a listing whose last page said that there is no more, and which showed that the zone is another one than that of the
    /// base (`ZoneFacts.isAnother(hasBase:)`): all that the listing did not name is forgotten with the base, and nothing of it
    /// is a tombstone. What this device itself has saved into the new zone stays agreed on.
    ///
    /// No file is touched: the local tree stays, and what waits for a person's word is `ZoneFacts.loss`.
    public func replaceZone(_ key: ZoneKey) throws(StateError) {
        try write(.durable) { db in
            guard let zone = try ZoneTable.facts(key, db), zone.listing else { return }
            try BaseTable.keepSaved(in: zone.listingNumber, db)
            try SentTable.keep(namedIn: zone.listingNumber, db)
            try RemoteTable.keep(namedIn: zone.listingNumber, db)
            // What came from that zone is in no zone now: whoever has it may be the only one.
            try ProvenanceTable.removeAll(db)
            try WrittenTable.removeAll(db)
            try ZoneTable.update(key, db) { $0.endListing(isAnother: true) }
            // A subscription to a zone goes with the zone.
            try FolderTable.update(db) { $0.subscription = nil }
        }
    }

    /// Remembers that the server has a zone no longer, where another answer than `changes/database` says so, and forgets its
    /// tokens and its subscription, so that it can be made anew.
    ///
    /// No file is touched, and what was agreed on stays until a listing shows whether it is that zone which comes back.
    public func loseZone(_ key: ZoneKey, _ loss: ZoneLoss = .missing) throws(StateError) {
        try write(.durable) { db in try Self.lose(key, loss, db) }
    }

    private static func lose(_ key: ZoneKey, _ loss: ZoneLoss, _ db: Database) throws {
        let hasBase = try BaseTable.hasRows(db)
        try ShareTable.removeAll(db)
        try ZoneTable.update(key, db) { $0.lose(loss, hasBase: hasBase) }
        try FolderTable.update(db) { facts in
            facts.subscription = nil
            facts.databaseToken = nil
        }
    }

    /// Ends the wait after a zone was lost: with a person's word, or since somebody else has filled it again.
    public func endLoss(of key: ZoneKey) throws(StateError) {
        try write(.durable) { db in try ZoneTable.update(key, db) { $0.loss = nil } }
    }
}
