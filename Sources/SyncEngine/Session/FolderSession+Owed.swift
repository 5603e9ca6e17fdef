import FolderKnowledge
import FolderObserving
import SessionCore
import StateRows
import SyncTiming
import ZoneFetching

/// What is still to be looked at, and to be asked of the server.
extension FolderSession {
    /// Looks at both sides as a whole, as at the start.
    func oweEverything() {
        observer.looks.oweAll()
        fetches.oweAll()
    }

    /// Notes that the account left what was shared with it. The files stay, and who takes part again goes on from here.
    package func noteLeft() {
        guard knowledge.isShared else { return }
        access.zoneIsGone(.left)
        inbox.doorbell.ring()
    }
}
