import CloudKitClient
import CloudKitWire
import FolderKnowledge
import FolderObserving
import FolderSettings
import Logging
import ProblemSentences
import RemoteZone
import SessionCore
import StateRows
import SyncModel
import SyncTiming

/// The change feeds: which zones changed, then page by page what changed in ours (S0.16 to S0.25, S2.1 to S2.10).
///
/// A page and the token that covers it are stored in one transaction; the database's token moves only together with the
/// fact that the zone is owed. A crash costs one page.
extension ZoneFetcher {
    /// Fetches what is owed; `false` where that failed and has to be tried again. The import that it begins goes on until its
    /// files are in the folder.
    package nonisolated(nonsending) func fetch() async throws -> Bool {
        guard try await fetchOwed() else {
            try events.end(.import)
            return false
        }
        events.succeeded(.import)
        return true
    }

    nonisolated(nonsending) private func fetchOwed() async throws -> Bool {
        var isPoll = false
        if fetches.isPollDue(at: now) {
            // One that was made for another folder since the last poll was due does as well.
            let newest = access.account.feed?.newest ?? (reading: 0, asked: now)
            isPoll = fetches.isEmpty
            let isDue = newest.asked.advanced(by: environment.configuration.pollingInterval) <= now
            access.oweDatabaseFetch(after: isDue ? newest.reading : fetches.lastReading)
            schedulePoll(after: now)
        }
        // How old the newest is of what was read, where anything was.
        var age: Duration?
        if fetches.isDatabaseOwed {
            guard setbacks.isDue(.databaseChanges) else { return false }
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
        if knowledge.zoneFacts.token == nil || knowledge.zoneFacts.owed || knowledge.zoneFacts.listing {
            fetches.oweZone()
        }
        if fetches.isZoneOwed {
            guard setbacks.isDue(.zoneChanges) else { return false }
            // A push that comes in while this fetch runs asks for one more.
            fetches.beginZone()
            do {
                guard try await fetchZoneChanges() else {
                    fetches.oweZone()
                    return false
                }
                age = .zero
                let counts = events.counts(of: .import)
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
        try observer.reform()
        fetches.noteFetched()
        if let age {
            lastTimes.noteFetch(at: environment.clock.milliseconds - Int64(age / .milliseconds(1)))
            knowledge.noteFetch()
        }
        return true
    }

    /// A poll found what others did, and no push had told of it though somebody listened: what pushes need is made anew, at the
    /// first time and then ever more seldom.
    private func noteUnannouncedChanges() {
        // The push may just be coming.
        guard environment.seat != nil, !inbox.news.hasPushes, let feed = access.account.feed,
            feed.pushes.areExpected(at: now)
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
    nonisolated(nonsending) private func fetchDatabaseChanges() async throws -> Duration? {
        // Without an account nothing is fetched.
        guard let feed = access.account.feed else { return nil }
        let outcome: DatabaseFeed.Outcome
        do {
            outcome = try await feed.changes(
                since: knowledge.facts.databaseToken, after: fetches.databaseReading, asking: environment.database,
                at: now)
        } catch {
            return nil  // Cancelled.
        }
        switch outcome {
        case .changes(let changes):
            setbacks.succeeded(.databaseChanges)
            setbacks.endHindrance(of: .databaseChanges)
            guard try take(changes) else { return nil }
            // The next poll wants a later one, and comes when that of the folder comes which this one was made for.
            fetches.noteReading(changes.reading)
            let asked = min(changes.asked, now)
            schedulePoll(after: asked)
            return asked.duration(to: now)
        case .failed(let error):
            access.oweDatabaseFetch()
            _ = access.wait(for: .databaseChanges, after: error)
            return nil
        case .standingStill:
            access.oweDatabaseFetch()
            logger.error("The server's database token stands still; waiting before the next try")
            setbacks.noteHindrance(of: .databaseChanges, .standingToken(of: "the database"))
            setbacks.failed(.databaseChanges, atLeast: .seconds(60))
            return nil
        }
    }

    /// Stores the token together with what it means for the zone; `false` where that is gone.
    private func take(_ changes: DatabaseFeed.Changes) throws -> Bool {
        let ours = changes.zones.filter { knowledge.zoneID.isSame(as: $0.zoneID) }
        let isLost = ours.last?.deleted == true
        let isChanged = changes.isGap || ours.contains { $0.deleted != true }
        guard !ours.isEmpty || changes.isGap || changes.token != knowledge.facts.databaseToken else { return true }
        let wasCreated = knowledge.zoneFacts.created
        let isOwed = isChanged && !isLost
        try knowledge.takeDatabaseChanges(
            isOwed: isOwed, isLost: isLost, token: changes.token,
            fetched: isOwed ? nil : environment.clock.milliseconds)
        if isLost, wasCreated { access.noteZoneIsGone() }
        return !isLost
    }

    nonisolated(nonsending) private func fetchZoneChanges() async throws -> Bool {
        if knowledge.zoneFacts.token == nil, !knowledge.zoneFacts.listing {
            try knowledge.beginListing()
        }
        events.begin(.import)
        var isRelisted = false
        while true {
            let token = knowledge.zoneFacts.token
            let answer: ItemResult<ZoneChanges>
            do {
                let query = ZoneChangesQuery(zoneID: knowledge.zoneID, syncToken: token, resultsLimit: 200)
                // Without an account nothing is fetched.
                guard let feed = access.account.feed else { return false }
                answer = try await feed.zones.page(for: query, asking: environment.database)
            } catch let error as CloudKitError {
                return access.wait(for: .zoneChanges, after: error)
            } catch {
                return false  // Cancelled.
            }
            let page: ZoneChanges
            switch answer {
            case .success(let got): page = got
            case .failure(let error):
                let reaction = error.reaction(of: .zoneChanges, hadToken: token != nil)
                guard reaction == .refetch, !isRelisted else {
                    return access.wait(for: .zoneChanges, after: reaction, refusing: error)
                }
                isRelisted = true
                let isOfItsPast = error.reason != ErrorDictionary.unknownPast
                if isOfItsPast {
                    logger.warning("The server no longer knows the zone's token; listing the zone from its beginning")
                } else {
                    logger.warning(
                        "The zone went back to what it was, as after the restore of a backup; what it lacks is sent again"
                    )
                }
                try knowledge.beginListing(isOfItsPast: isOfItsPast)
                continue
            }
            guard try take(page) else {
                return access.wait(for: .zoneChanges, after: .retry(after: nil, pausing: .item))
            }
            setbacks.succeeded(.zoneChanges)
            guard page.moreComing else { break }
            // The next page waits with its token.
            guard !knowledge.isPaused(at: environment.clock.milliseconds) else { return false }
            guard page.syncToken != token else {
                logger.error("The server's zone token stands still; waiting before the next try")
                setbacks.noteHindrance(of: .zoneChanges, .standingToken(of: "the zone '\(knowledge.zoneID.zoneName)'"))
                setbacks.failed(.zoneChanges, atLeast: .seconds(60))
                return false
            }
        }
        setbacks.endHindrance(of: .zoneChanges)
        if knowledge.zoneFacts.listing {
            let deleted = try endListing()
            if deleted > 0 { try events.stored(.import) }
            events.count(.import, deleted: deleted)
        }
        return true
    }

    /// Takes in a page; `false` for one that must not be consumed.
    private func take(_ answer: ZoneChanges) throws -> Bool {
        let page: Knowledge.Page
        switch try knowledge.read(answer) {
        case .page(let read): page = read
        case .unusable(let item):
            setbacks.noteHindrance(of: .zoneChanges, .erroredRecord(item))
            logger.warning("A page holds a record with an error, or without type or tag; it is fetched again")
            return false
        }
        let (changed, deleted) = knowledge.news(in: page)
        if changed + deleted.count > 0 { try events.stored(.import) }
        let before = knowledge.sharing
        try knowledge.take(page, at: environment.clock.milliseconds)
        events.count(.import, changed: changed, deleted: deleted.count)
        noteSharing(before: before)
        setbacks.release(awaiting: page.records.map(\.entry.name) + page.tombstones)
        if !page.records.isEmpty { try observer.lookForTargets() }
        return true
    }

    /// Notes what a page told of shares.
    private func noteSharing(before: ZoneSharing) {
        guard knowledge.isShared, knowledge.sharing != before else { return }
        logger.info("What is shared has changed", metadata: ["read-only": "\(knowledge.sharing.isReadOnly)"])
        // What was held or refused may be sent now; what was not may have to be held.
        setbacks.releaseAll()
        knowledge.markAll()
    }
}
