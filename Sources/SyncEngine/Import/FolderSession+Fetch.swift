import CloudKitClient
import CloudKitWire
import Logging
import RemoteZone
import StateStorage
import SyncModel
import SyncPlanning
import SyncTiming

/// The change feeds: which zones changed, then page by page what changed in ours (S0.16 to S0.25, S2.1 to S2.10).
///
/// A page and the token that covers it are stored in one transaction; the database's token moves only together with the
/// fact that the zone is owed. A crash costs one page.
extension FolderSession {
    /// Fetches what is owed; `false` where that failed and has to be tried again. The import that it begins goes on until its
    /// files are in the folder.
    func fetch() async throws -> Bool {
        guard try await fetchOwed() else {
            try endEvent(.import)
            return false
        }
        eventLog.succeeded(.import)
        return true
    }

    private func fetchOwed() async throws -> Bool {
        var isPoll = false
        if fetches.isPollDue(at: now) {
            // One that was made for another folder since the last poll was due does as well.
            let newest = account.feed?.newest ?? (reading: 0, asked: now)
            isPoll = fetches.isEmpty
            let isDue = newest.asked.advanced(by: environment.configuration.pollingInterval) <= now
            oweDatabaseFetch(after: isDue ? newest.reading : fetches.lastReading)
            schedulePoll(after: now)
        }
        // How old the newest is of what was read, where anything was.
        var age: Duration?
        if fetches.isDatabaseOwed {
            guard retry.isDue(.databaseChanges, at: now) else { return false }
            // A push that comes in while this is read asks for one more.
            fetches.beginDatabase()
            do {
                age = try await fetchDatabaseChanges()
                guard age != nil else {
                    fetches.oweDatabaseAgain()
                    return false
                }
            } catch {
                fetches.oweDatabaseAgain()
                throw error
            }
        }
        if zoneFacts.token == nil || zoneFacts.owed || zoneFacts.listing { fetches.oweZone() }
        if fetches.isZoneOwed {
            guard retry.isDue(.zoneChanges, at: now) else { return false }
            // A push that comes in while this fetch runs asks for one more.
            fetches.beginZone()
            do {
                guard try await fetchZoneChanges() else {
                    fetches.oweZone()
                    return false
                }
                age = .zero
                let counts = eventLog.current(.import)?.counts ?? SyncEvent.Counts()
                if isPoll, counts != SyncEvent.Counts() { noteUnannouncedChanges() }
                try recognizeSent()
            } catch {
                fetches.oweZone()
                throw error
            }
        } else if !fetches.hasFetched {
            try recognizeSent()
        }
        try endHoldOfFilledZone()
        try reform()
        fetches.noteFetched()
        if let age {
            lastTimes.noteFetch(at: environment.clock.milliseconds - Int64(age / .milliseconds(1)))
            trees.noteFetch()
        }
        return true
    }

    /// A poll found what others did, and no push had told of it though somebody listened: what pushes need is made anew, at the
    /// first time and then ever more seldom.
    private func noteUnannouncedChanges() {
        // The push may just be coming.
        guard environment.seat != nil, !inbox.news.hasPushes, let feed = account.feed, feed.pushes.areExpected(at: now)
        else { return }
        guard fetches.noteUnannounced() else { return }
        logger.info("A poll found changes that no push announced; subscription and courier are looked after")
        fetches.doubtSubscription()
        feed.renewCourier()
    }

    private func schedulePoll(after reading: SteadyInstant) {
        fetches.schedulePoll(at: reading.advanced(by: environment.configuration.pollingInterval))
    }

    /// Gives the age of the reading, which may have been made a while ago for another folder; `nil` where it failed or the
    /// zone is gone.
    private func fetchDatabaseChanges() async throws -> Duration? {
        // Without an account nothing is fetched.
        guard let feed = account.feed else { return nil }
        let outcome: DatabaseFeed.Outcome
        do {
            outcome = try await feed.changes(
                since: facts.databaseToken, after: fetches.databaseReading, asking: environment.database,
                at: now)
        } catch {
            return nil  // Cancelled.
        }
        switch outcome {
        case .changes(let changes):
            succeeded(.databaseChanges)
            trouble.endHindrance(of: .databaseChanges)
            guard try take(changes) else { return nil }
            // The next poll wants a later one, and comes when that of the folder comes which this one was made for.
            fetches.noteReading(changes.reading)
            let asked = min(changes.asked, now)
            schedulePoll(after: asked)
            return asked.duration(to: now)
        case .failed(let error):
            oweDatabaseFetch()
            _ = wait(for: .databaseChanges, after: error)
            return nil
        case .standingStill:
            oweDatabaseFetch()
            logger.error("The server's database token stands still; waiting before the next try")
            trouble.noteHindrance(of: .databaseChanges, .standingToken(of: "the database"))
            waitAfterFailure(.databaseChanges, after: nil, atLeast: .seconds(60), pausing: .item)
            return nil
        }
    }

    /// Stores the token together with what it means for the zone; `false` where that is gone.
    private func take(_ changes: DatabaseFeed.Changes) throws -> Bool {
        let ours = changes.zones.filter { zoneID.isSame(as: $0.zoneID) }
        let isLost = ours.last?.deleted == true
        let isChanged = changes.isGap || ours.contains { $0.deleted != true }
        guard !ours.isEmpty || changes.isGap || changes.token != facts.databaseToken else { return true }
        let wasCreated = zoneFacts.created
        let isOwed = isChanged && !isLost
        try environment.store.commitDatabaseChanges(
            owed: isOwed ? [zoneKey] : [], lost: isLost ? [zoneKey] : [], token: changes.token,
            fetched: isOwed ? nil : environment.clock.milliseconds)
        facts = try environment.store.facts()
        zoneFacts = try environment.store.zone(zoneKey)
        if isLost, wasCreated { noteZoneIsGone() }
        return !isLost
    }

    private func fetchZoneChanges() async throws -> Bool {
        if zoneFacts.token == nil, !zoneFacts.listing {
            try environment.store.beginFullListing(zone: zoneKey)
            sharing = ZoneSharing()
            zoneFacts = try environment.store.zone(zoneKey)
        }
        beginEvent(.import)
        var isRelisted = false
        while true {
            let token = zoneFacts.token
            let answer: ItemResult<ZoneChanges>
            do {
                let query = ZoneChangesQuery(zoneID: zoneID, syncToken: token, resultsLimit: 200)
                // Without an account nothing is fetched.
                guard let feed = account.feed else { return false }
                answer = try await feed.zones.page(for: query, asking: environment.database)
            } catch let error as CloudKitError {
                return wait(for: .zoneChanges, after: error)
            } catch {
                return false  // Cancelled.
            }
            let page: ZoneChanges
            switch answer {
            case .success(let got): page = got
            case .failure(let error):
                let reaction = error.reaction(of: .zoneChanges, hadToken: token != nil)
                guard reaction == .refetch, !isRelisted else {
                    return wait(for: .zoneChanges, after: reaction, refusing: error)
                }
                isRelisted = true
                logger.warning("The server no longer knows the zone's token; listing the zone from its beginning")
                try environment.store.beginFullListing(zone: zoneKey)
                sharing = ZoneSharing()
                zoneFacts = try environment.store.zone(zoneKey)
                continue
            }
            guard try take(page) else {
                return wait(for: .zoneChanges, after: .retry(after: nil, pausing: .item))
            }
            succeeded(.zoneChanges)
            guard page.moreComing else { break }
            // The next page waits with its token.
            guard !isPaused else { return false }
            guard page.syncToken != token else {
                logger.error("The server's zone token stands still; waiting before the next try")
                trouble.noteHindrance(of: .zoneChanges, .standingToken(of: "the zone '\(zoneID.zoneName)'"))
                waitAfterFailure(.zoneChanges, after: nil, atLeast: .seconds(60), pausing: .item)
                return false
            }
        }
        trouble.endHindrance(of: .zoneChanges)
        if zoneFacts.listing {
            let deleted = try endListing()
            if deleted > 0 { try storedEvent(.import) }
            eventLog.count(.import, deleted: deleted)
        }
        return true
    }

    /// Stores a page with its token and takes it into the remote tree; `false` for a page that must not be consumed.
    private func take(_ page: ZoneChanges) throws -> Bool {
        var rows: [RowOrTombstone] = []
        var records: [Record] = []
        var shares: [ZoneShare] = []
        for item in page.records {
            guard case .success(let record) = item, let text = record.recordName else {
                trouble.noteHindrance(of: .zoneChanges, .erroredRecord(item))
                logger.warning("A page holds a record with an error; it is fetched again")
                return false
            }
            let name = RecordName(text)
            if record.deleted != true, let share = ZoneShare(learntFrom: record) { shares.append(share) }
            if record.deleted == true {
                rows.append(.tombstone(name))
            } else if record.isShare {
                continue
            } else if trees.remote[name]?.changeTag != record.recordChangeTag {
                guard let row = row(for: record) else {
                    trouble.noteHindrance(of: .zoneChanges, .erroredRecord(item))
                    logger.warning("A page holds a record without type or tag; it is fetched again")
                    return false
                }
                rows.append(.row(row))
                records.append(record)
            } else {
                rows.append(.known(name, record))
            }
        }
        try learn(from: records)
        var upserts: [RemoteRow] = []
        var known: [RecordName] = []
        var tombstones: [RecordName] = []
        for item in rows {
            switch item {
            case .row(let row): upserts.append(row)
            case .tombstone(let name): tombstones.append(name)
            case .known(let name, let record):
                // Nothing new, but a listing has to mark what it names, and the links to assets are good for a while only.
                guard zoneFacts.listing else {
                    known.append(name)
                    continue
                }
                let stored = try environment.store.remoteRow(name)
                if let row = row(for: record) ?? stored { upserts.append(row) }
            }
        }
        let changed = upserts.count { trees.remote[$0.entry.name]?.changeTag != $0.entry.changeTag }
        let deleted = tombstones.filter { trees.remote[$0] != nil || trees.base[$0] != nil }
        if changed + deleted.count > 0 { try storedEvent(.import) }
        try environment.store.commitPage(
            records: upserts, known: known, tombstones: tombstones, shares: shares, token: page.syncToken,
            moreComing: page.moreComing, zone: zoneKey,
            fetched: page.moreComing ? nil : environment.clock.milliseconds)
        eventLog.count(.import, changed: changed, deleted: deleted.count)
        zoneFacts = try environment.store.zone(zoneKey)
        take(shares, removed: tombstones)
        for row in upserts { trees.setRemote(row.entry, named: row.entry.name) }
        refusals.release(awaiting: upserts.map(\.entry.name) + tombstones)
        if !upserts.isEmpty { try lookForTargets() }
        for name in deleted {
            trees.setRemote(nil, named: name)
            trees.markDirty(record: name)
        }
        return true
    }

    private enum RowOrTombstone {
        case row(RemoteRow)
        case tombstone(RecordName)
        case known(RecordName, Record)
    }
}
