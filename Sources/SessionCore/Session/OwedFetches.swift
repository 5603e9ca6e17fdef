package import SyncModel
package import SyncTiming

/// What has to be asked of the server before the remote tree can be trusted, and when it is asked although no push came.
package final class OwedFetches {
    /// Whether the database is to be asked which zones changed.
    package private(set) var isDatabaseOwed = true
    /// Only a reading of the database's feed that is later than this one is new enough.
    package private(set) var databaseReading = 0
    /// Whether the zone is to be asked what changed, although the database did not name it.
    package private(set) var isZoneOwed = false
    /// Whether the server is to be asked whether it still has the subscription.
    package private(set) var isSubscriptionDoubted = false
    /// When to fetch although no push came: a while after the last reading, whoever it was made for.
    package private(set) var nextPoll: SteadyInstant?
    /// The reading that was taken in last.
    package private(set) var lastReading = 0
    /// Whether all that was owed was fetched once.
    package private(set) var hasFetched = false
    /// Records to be asked for anew after what the server said of them.
    private var lookUps: [RecordName] = []
    /// How often in a row a poll found what no push had announced.
    private var unannouncedChanges = 0

    /// All that a start owes.
    package init() {}

    /// Whether nothing is owed now.
    package var isEmpty: Bool { !isDatabaseOwed && !isZoneOwed }

    /// Whether pushes do not come: once, one may just have been lost.
    package var isUnannounced: Bool { unannouncedChanges > 1 }

    // MARK: The database and the zone

    /// Owes what a start owes.
    package func oweAll() {
        (isDatabaseOwed, databaseReading, isZoneOwed) = (true, 0, false)
        (isSubscriptionDoubted, nextPoll, lastReading, unannouncedChanges) = (false, nil, 0, 0)
    }

    /// Nothing was ever fetched: the zone is another one.
    package func beginAnew() {
        oweAll()
        (hasFetched, lookUps) = (false, [])
    }

    /// All that was owed is fetched.
    package func noteFetched() { hasFetched = true }

    /// Owes what a reading of the database's feed says that is later than this one.
    package func oweDatabase(after reading: Int) {
        databaseReading = isDatabaseOwed ? max(databaseReading, reading) : reading
        isDatabaseOwed = true
    }

    /// Owes what the reading says that was asked for, which failed.
    package func oweDatabaseAgain() { isDatabaseOwed = true }

    /// The database is asked now: a push that comes in meanwhile asks for one more.
    package func beginDatabase() { isDatabaseOwed = false }

    /// A reading of the database's feed was taken in.
    package func noteReading(_ reading: Int) { lastReading = reading }

    /// The database has another feed, to which the numbers of the former one's readings mean nothing.
    package func noteOtherFeed() { (databaseReading, lastReading) = (0, 0) }

    /// Owes what changed in the zone.
    package func oweZone() { isZoneOwed = true }

    /// The zone is asked now: a push that comes in meanwhile asks for one more.
    package func beginZone() { isZoneOwed = false }

    // MARK: Single records

    /// Owes a look at records of which the server said that they are others than was thought.
    package func oweLookUp(of names: some Sequence<RecordName>) { lookUps += names }

    /// Takes the records to look at.
    package func takeLookUps() -> [RecordName] {
        defer { lookUps = [] }
        return lookUps
    }

    // MARK: Polls

    /// Whether a poll is due.
    package func isPollDue(at now: SteadyInstant) -> Bool { nextPoll.map { $0 <= now } ?? false }

    /// Polls next at a moment.
    package func schedulePoll(at moment: SteadyInstant) { nextPoll = moment }

    /// Polls at a moment, if not before.
    package func schedulePoll(by moment: SteadyInstant) { nextPoll = min(nextPoll ?? moment, moment) }

    // MARK: Pushes

    /// A push came.
    package func notePush() { unannouncedChanges = 0 }

    /// A poll found what no push had announced; gives whether what pushes need is to be made anew, at the first time and then
    /// ever more seldom.
    package func noteUnannounced() -> Bool {
        unannouncedChanges += 1
        return unannouncedChanges & (unannouncedChanges - 1) == 0
    }

    /// The subscription may be lost.
    package func doubtSubscription() { isSubscriptionDoubted = true }

    /// The server was asked for the subscription, or cannot be.
    package func endDoubtOfSubscription() { isSubscriptionDoubted = false }
}
