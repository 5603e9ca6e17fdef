import FolderHistory
import FolderKnowledge
import FolderObserving
import SessionCore
import StateRows
import SyncActions
import SyncTiming
import ZoneFetching

/// When there is something to do next.
struct NextWork {
    private let environment: SessionEnvironment
    private let inbox: Inbox
    private let knowledge: Knowledge
    private let setbacks: Setbacks
    private let observer: FolderObserver
    private let fetches: OwedFetches
    private let access: ZoneAccess
    private let work: PlannedWork
    private let history: HistoryCare
    private let pause: SessionPause

    init(
        _ environment: SessionEnvironment, inbox: Inbox, knowledge: Knowledge, setbacks: Setbacks,
        observer: FolderObserver, fetches: OwedFetches, access: ZoneAccess, work: PlannedWork, history: HistoryCare,
        pause: SessionPause
    ) {
        (self.environment, self.inbox, self.knowledge, self.setbacks) = (environment, inbox, knowledge, setbacks)
        (self.observer, self.fetches, self.access) = (observer, fetches, access)
        (self.work, self.history, self.pause) = (work, history, pause)
    }

    private var now: SteadyInstant { environment.clock.now }

    /// Whether nothing is owed, and nothing was left undone that could be done.
    var isQuiet: Bool {
        observer.looks.isEmpty && fetches.isEmpty && !inbox.hasDue(at: now) && work.isDone
    }

    /// How long the session may sleep; `nil` for ever.
    func wait() -> Duration? { moment().map { max(.zero, now.duration(to: $0)) } }

    /// Until when the session may sleep; `nil` for ever.
    ///
    /// Only moments count at which a cycle would do something: anything else would keep it awake for nothing.
    func moment() -> SteadyInstant? {
        if let next = setbacks.ownNext(for: .state), next > now { return next }
        var moments = [inbox.nextDue()].compactMap(\.self)
        if !observer.isRootSafe {
            moments.append(now.advanced(by: .seconds(5)))
        } else {
            if !observer.looks.isEmpty { moments.append(now) }
            if !pause.isOn { moments += momentsOfRequests() + momentsOfActions() }
        }
        if observer.isRootSafe { moments += observer.looks.moments }
        moments += history.moments(now: now)
        if let end = pause.end { moments.append(end) }
        return moments.min()
    }

    private func momentsOfRequests() -> [SteadyInstant] {
        // Whoever finds that it is back rings.
        guard !setbacks.isServerAway else { return [] }
        guard access.account.isUsable else { return [setbacks.next(for: .account) ?? now] }
        guard knowledge.zoneFacts.created else { return [setbacks.next(for: .zone) ?? now] }
        var moments: [SteadyInstant] = []
        if knowledge.facts.subscription == nil || fetches.isSubscriptionDoubted {
            moments.append(setbacks.next(for: .subscription) ?? now)
        }
        if fetches.isDatabaseOwed {
            moments.append(setbacks.next(for: .databaseChanges) ?? now)
        } else if fetches.isZoneOwed {
            moments.append(setbacks.next(for: .zoneChanges) ?? now)
        } else if let poll = fetches.nextPoll {
            moments.append(poll)
        }
        return moments
    }

    private func momentsOfActions() -> [SteadyInstant] {
        guard !setbacks.isServerAway, access.account.isUsable, fetches.hasFetched, fetches.isEmpty else {
            return []
        }
        return work.moments()
    }
}
