import CloudKitClient
import FolderHistory
import FolderKnowledge
import LocalFolder
import StateStorage
import SyncModel
import SyncPlanning
import SyncTiming

/// When there is something to do next.
extension FolderSession {
    /// How long the session may sleep; `nil` for ever.
    ///
    /// Only moments count at which a cycle would do something: anything else would keep it awake for nothing.
    func timeUntilNextWork() -> Duration? {
        if let next = retry.ownNext(for: .state), next > now { return now.duration(to: next) }
        var moments = [inbox.nextDue()].compactMap(\.self)
        if !isRootSafe {
            moments.append(now.advanced(by: .seconds(5)))
        } else {
            if !looks.isEmpty { moments.append(now) }
            if !isPaused { moments += momentsOfRequests() + momentsOfActions() }
        }
        if isRootSafe { moments += looks.moments }
        moments += history.moments(now: now)
        if let end = pauseEnd { moments.append(end) }
        return moments.min().map { max(.zero, now.duration(to: $0)) }
    }

    private func momentsOfRequests() -> [SteadyInstant] {
        // Whoever finds that it is back rings.
        guard !isServerAway else { return [] }
        guard account.isUsable else { return [retry.next(for: .account) ?? now] }
        guard knowledge.zoneFacts.created else { return [retry.next(for: .zone) ?? now] }
        var moments: [SteadyInstant] = []
        if knowledge.facts.subscription == nil || fetches.isSubscriptionDoubted {
            moments.append(retry.next(for: .subscription) ?? now)
        }
        if fetches.isDatabaseOwed {
            moments.append(retry.next(for: .databaseChanges) ?? now)
        } else if fetches.isZoneOwed {
            moments.append(retry.next(for: .zoneChanges) ?? now)
        } else if let poll = fetches.nextPoll {
            moments.append(poll)
        }
        return moments
    }

    private func momentsOfActions() -> [SteadyInstant] {
        guard !isServerAway, account.isUsable, fetches.hasFetched, fetches.isEmpty else {
            return []
        }
        return lastPlan.actions.compactMap { action in
            if isSendingHeld, action.isSending { return nil }
            // What could be done now was just left undone: not at once again.
            let moment = [
                RetryKey(action).flatMap { retry.next(for: $0) }, refusals[action]?.expires,
                due(action),
            ].compactMap(\.self).max()
            return max(moment ?? now, now.advanced(by: .milliseconds(50)))
        }
    }
}
