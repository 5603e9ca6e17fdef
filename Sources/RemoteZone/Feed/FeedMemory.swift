import CloudKitClient
import CloudKitWire
import SyncTiming

/// What the feed of a database said lately, by pages, and which reading said it.
struct FeedMemory {
    private struct Page {
        var since: String?
        var zones: [ChangedZone]
        var token: String
        /// Which reading it is of.
        var reading: Int
    }

    /// Pages kept for folders that are slower than others. One that is slower still fetches its zone.
    private static let keptPages = 64

    /// How many readings have begun.
    private(set) var begun = 0
    /// The last reading that came to its end.
    private(set) var finished = 0
    /// When that one was asked for.
    private(set) var asked = SteadyInstant(offset: .zero)
    /// Where the last page ended; `nil` before the first one.
    private(set) var token: String?
    private var failed = (number: 0, outcome: DatabaseFeed.Outcome.standingStill)
    /// The last pages, each beginning where the one before it ended.
    private var pages: [Page] = []

    /// Numbers a new reading.
    mutating func begin() -> Int {
        begun += 1
        return begun
    }

    /// Keeps a page; one that moves no token and names no zone says nothing.
    mutating func add(_ page: DatabaseChangesResponse, since token: String?, of reading: Int) {
        self.token = page.syncToken
        guard !Self.equal(token, page.syncToken) || !page.zones.isEmpty else { return }
        pages.append(Page(since: token, zones: page.zones, token: page.syncToken, reading: reading))
        pages.removeFirst(max(0, pages.count - Self.keptPages))
    }

    /// The server knows the token no more: the feed is read from its beginning.
    mutating func forgetToken() {
        token = nil
        pages = []
    }

    mutating func finish(_ reading: Int, asked: SteadyInstant) {
        finished = reading
        self.asked = asked
    }

    mutating func fail(_ reading: Int, _ outcome: DatabaseFeed.Outcome) { failed = (reading, outcome) }

    /// What a reading later than `number` said of what follows a token; `nil` where no such reading has ended.
    func outcome(since token: String?, after number: Int) -> DatabaseFeed.Outcome? {
        if failed.number > max(number, finished) { return failed.outcome }
        guard finished > number, let newest = self.token else { return nil }
        var changes = DatabaseFeed.Changes(zones: [], token: newest, reading: finished, asked: asked)
        // A folder without a token has not seen its zone, or has just lost it: that it was lost is no news.
        guard let token else {
            changes.isGap = true
            return .changes(changes)
        }
        // A page that moves no token is news only to those who asked before it.
        let first = pages.firstIndex { page in
            Self.equal(page.since, token) && (page.reading > number || !Self.equal(page.token, token))
        }
        if let first {
            changes.zones = pages[first...].flatMap(\.zones)
        } else {
            changes.isGap = !Self.equal(newest, token)
        }
        return .changes(changes)
    }

    private static func equal(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.utf8.elementsEqual(right.utf8)
    }
}
