package import FolderControl
import FolderKnowledge
import Logging
import SessionCore
import StateRows
import SyncActions
package import SyncModel
import SyncTiming
import ZoneFetching

/// What a person says to a folder.
extension FolderSession {
    /// Lets a batch pass and goes on; `false` where no such batch waits.
    package func approved(_ batch: String) -> Bool {
        do {
            guard try inside.attention.approve(batch) else { return false }
        } catch {
            inside.logger.error("The approval could not be stored", metadata: ["error": "\(error)"])
            return false
        }
        inside.inbox.doorbell.ring()
        return true
    }

    /// Puts back what a batch of deletions would take, and goes on (``Attention/reject(_:)``).
    package func rejected(_ batch: String) throws -> Bool {
        guard try inside.attention.reject(batch) else { return false }
        inside.inbox.doorbell.ring()
        return true
    }

    /// Begins a pause, or gives the one that goes on another end. What is under way comes to a safe state first.
    /// - Parameters:
    ///   - length: `nil`: only a person ends it.
    ///   - patience: How long that is waited for.
    package func pause(for length: Duration?, patience: Duration = .seconds(10)) async throws -> PauseOutcome {
        let pause = try inside.pause.begin(for: length)
        let isAtRest = await inside.answers.isAtRest(within: patience, self)
        return PauseOutcome(
            sinceMilliseconds: pause.sinceMilliseconds, untilMilliseconds: pause.untilMilliseconds, isAtRest: isAtRest)
    }

    /// Ends a pause; `false` where none went on.
    package func resume() throws -> Bool { try inside.pause.resume() }

    /// Notes that the account left what was shared with it. The files stay, and who takes part again goes on from here.
    package func noteLeft() {
        guard inside.knowledge.isShared else { return }
        inside.access.zoneIsGone(.left)
        inside.inbox.doorbell.ring()
    }

    /// Has assets come from the zone once more that are gone here, and that notes here name (``Attention/fetchAgain(_:)``). What was
    /// saved before this call is looked at first, for some seconds.
    package func fetchAgain(_ paths: [FolderPath]) async throws -> [FolderPath] {
        _ = await currentPlan()
        let coming = try inside.attention.fetchAgain(paths)
        inside.inbox.doorbell.ring()
        return coming
    }
}
