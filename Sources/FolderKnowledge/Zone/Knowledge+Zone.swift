import RecordTrees
package import StateRows
import StateStorage
import SyncModel

/// What the zone's feeds tell, and what becomes of the zone as a whole.
extension Knowledge {
    /// Takes in a page with the token that covers it.
    /// - Parameter now: In milliseconds since 1970.
    /// - Throws: `StateError`.
    package func take(_ page: Page, at now: Int64) throws {
        try learn(from: page.learnt)
        try store.commitPage(
            records: page.records, known: page.known, tombstones: page.tombstones, shares: page.shares,
            token: page.token, moreComing: page.moreComing, zone: zone, fetched: page.moreComing ? nil : now)
        zoneFacts = try store.zone(zone)
        let keptRulesHere = keepsRulesHere
        sharing.put(page.shares)
        sharing.remove(page.tombstones)
        if keepsRulesHere != keptRulesHere { trees.markAllDirty() }
        let deleted = news(in: page).deleted
        for row in page.records { trees.setRemote(row.entry, named: row.entry.name) }
        for name in deleted {
            trees.setRemote(nil, named: name)
            trees.markDirty(record: name)
        }
    }

    /// Takes in what the database's feed says of the zone, with its token.
    /// - Parameters:
    ///   - isOwed: Whether the zone's changes are to be fetched.
    ///   - isLost: Whether the zone is gone.
    ///   - fetched: When that was, in milliseconds since 1970, where nothing is owed after it.
    /// - Throws: `StateError`.
    package func takeDatabaseChanges(isOwed: Bool, isLost: Bool, token: String, fetched: Int64?) throws {
        let wasCreated = zoneFacts.created
        try store.commitDatabaseChanges(
            owed: isOwed ? [zone] : [], lost: isLost ? [zone] : [], token: token, fetched: fetched)
        try readFacts()
        if isLost, wasCreated { sharing = ZoneSharing() }
    }

    /// Stores where the assets of records can be read: a link is good for a while only (S3.19). That is no news for the trees.
    package func renewLinks(_ rows: [RemoteRow]) throws {
        let changed = try rows.filter { try store.remoteRecord($0.entry.name) != $0.record }
        try store.commitOutcomes(changed.map { Outcome(remote: .saved($0)) })
    }

    // MARK: Listings

    /// Begins to list the zone from its beginning; shares are learnt anew.
    /// - Parameter isOfItsPast: Whether the zone may still have all that was known of it; not after the restore of a backup.
    package func beginListing(isOfItsPast: Bool = true) throws {
        try store.beginFullListing(zone: zone, isOfItsPast: isOfItsPast)
        sharing = ZoneSharing()
        zoneFacts = try store.zone(zone)
    }

    /// Whether the listing that has just come to its end showed another zone than the one that the folder was synced with.
    package var isAnotherZone: Bool { zoneFacts.isAnother(hasBase: !trees.base.isEmpty) }

    /// Ends a whole listing: what it did not name was deleted on the server.
    /// - Returns: How many records are known to be deleted by it.
    /// - Throws: `StateError`.
    package func endListing() throws -> Int {
        let deleted = try store.finishFullListing(zone: zone)
        for name in deleted { trees.setRemote(nil, named: name) }
        try readFacts()
        return deleted.count
    }

    /// Ends a whole listing of another zone: what was agreed on with the former one is forgotten, but for what this device saved
    /// into the new one.
    /// - Throws: `StateError`.
    package func endListingOfAnotherZone() throws {
        try store.replaceZone(zone)
        let stored = try store.loadTrees()
        let (base, remote) = (Set(stored.base.map(\.name)), Set(stored.remote.map(\.name)))
        for name in Array(trees.base.keys) where !base.contains(name) { trees.setBase(nil, named: name) }
        for name in Array(trees.remote.keys) where !remote.contains(name) { trees.setRemote(nil, named: name) }
        unanswered.keep(only: remote)
        trees.forgetProvenance()
        trees.markAllDirty()
        try readFacts()
    }

    // MARK: The zone

    /// Notes that the server has the zone.
    package func noteCreated() throws {
        try store.setCreated(true, zone: zone)
        zoneFacts.created = true
    }

    /// Notes that the server has the zone no longer. Every row stays.
    package func lose(_ loss: ZoneLoss) throws {
        try store.loseZone(zone, loss)
        sharing = ZoneSharing()
        try readFacts()
    }

    /// Ends the wait after the zone was lost.
    package func endLoss() throws {
        try store.endLoss(of: zone)
        try readFacts()
        trees.markAllDirty()
    }

    // MARK: The server

    /// Notes that the server has another name and is the one of before.
    package func confirmServer() throws {
        try store.confirmServer(FolderOrigin(configuration))
        try readFacts()
    }

    /// Notes that the server is another one: all that was known of the former one's zone is forgotten.
    package func moveToOtherServer() throws {
        try store.moveOrigin(to: FolderOrigin(configuration))
        try forgetAll()
    }
}
