package import CloudKitClient
import Synchronization

/// A database as one account sees it: folders for which this is equal share its change feed and its courier.
package struct DatabaseIdentity: Hashable, Sendable {
    let address: DatabaseAddress
    let userRecordName: String

    /// The database at an address as an account sees it.
    package init(address: DatabaseAddress, userRecordName: String) {
        self.address = address
        self.userRecordName = userRecordName
    }
}

/// The change feeds of the databases that one process syncs, one for each.
public final class DatabaseFeeds: Sendable {
    private let feeds = Mutex<[DatabaseIdentity: DatabaseFeed]>([:])

    /// No feed yet; sessions that are given the same value share theirs.
    public init() {}

    /// The one feed of a database.
    package func feed(of identity: DatabaseIdentity) -> DatabaseFeed {
        feeds.withLock { feeds in
            if let feed = feeds[identity] { return feed }
            let feed = DatabaseFeed()
            feeds[identity] = feed
            return feed
        }
    }
}
