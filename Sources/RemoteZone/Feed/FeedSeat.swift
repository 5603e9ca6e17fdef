import SyncTiming
import Synchronization

/// A folder's place at the feed of its database: its session takes it as soon as the account is known, and from then on
/// the folder gets the database's pushes, whoever listens for them.
///
/// Empty while the account cannot be used: its credentials must make no courier for the folders of another one.
package final class FeedSeat: Sendable {
    private let state = Mutex<DatabaseFeed?>(nil)
    private let doorbell = Doorbell()
    private let listener: PushListener

    /// A place of a folder that is at no feed yet.
    package init(of listener: PushListener) {
        self.listener = listener
    }

    /// The feed, if the account is known and can be used.
    package var feed: DatabaseFeed? { state.withLock(\.self) }

    /// Goes over to a feed, or leaves the one that it was at.
    package func take(_ feed: DatabaseFeed?) {
        state.withLock { state in
            guard state !== feed else { return }
            state?.remove(listener)
            feed?.add(listener)
            state = feed
        }
        doorbell.ring()
    }

    /// Waits for a feed; `nil` where the task was cancelled. For one task at a time.
    package func occupied() async -> DatabaseFeed? {
        while !Task.isCancelled {
            if let feed { return feed }
            await doorbell.wait()
        }
        return nil
    }
}
