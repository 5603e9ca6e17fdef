package import FolderKnowledge
package import FolderObserving
import FolderSettings
package import Logging
package import SessionCore
import StateRows
package import SyncModel
package import SyncPlanning
package import SyncTiming

/// What is to be done by the last plan, and when each of it may be.
package final class PlannedWork {
    let environment: SessionEnvironment
    let logger: Logger
    let knowledge: Knowledge
    let setbacks: Setbacks
    let observer: FolderObserver
    let fetches: OwedFetches
    let committer: Committer
    package let deletions: DeletionMemory
    package let arrivals = SharedArrivals()
    /// Records that the zone had no more when the folder was copied, and whose files could not be looked at since.
    var unseenDeletions: Set<RecordName> = []
    let random: SharedRandomness
    package private(set) var last = Plan()
    /// Whether any plan was made since the start.
    package private(set) var hasPlanned = false

    /// Nothing is planned yet; what a person let pass is known from the store.
    /// - Throws: `StateError`.
    package init(
        _ environment: SessionEnvironment, knowledge: Knowledge, setbacks: Setbacks, observer: FolderObserver,
        fetches: OwedFetches, committer: Committer, random: SharedRandomness, logger: Logger
    ) throws {
        (self.environment, self.knowledge, self.setbacks) = (environment, knowledge, setbacks)
        (self.observer, self.fetches, self.committer) = (observer, fetches, committer)
        (self.random, self.logger) = (random, logger)
        deletions = DeletionMemory(
            approved: try knowledge.approvedDeletions(), recent: try knowledge.recentDeletions(),
            waiting: try knowledge.askedDeletions(), clock: environment.clock)
        last.asked = try knowledge.askedDeletions()
    }

    var now: SteadyInstant { environment.clock.now }

    // MARK: Plans

    /// Makes the plan from the trees as they are.
    /// - Throws: `StateError`.
    package func plan() throws {
        try knowledge.storeProvenance()
        try storeDeletions()
        let planner = planner()
        environment.willPlan?(planner, knowledge.trees)
        last = knowledge.plan(planner)
        hasPlanned = true
        noteWaiting()
        try storeDeletions()
        try knowledge.storeProvenance()
        try committer.note(last.renewed)
        try committer.agree(on: last.yielded.values.sorted { $0.name < $1.name })
        let forgotten = deletions.keepApprovals(of: last.actions + last.awaitingApproval)
        if !forgotten.isEmpty { try knowledge.forgetApprovals(of: forgotten) }
        for action in last.actions {
            logger.trace(
                "Planned",
                metadata: [
                    "action": "\(action.kind)", "path": "\(action.path)",
                    "record": "\(action.record?.rawValue ?? "none")",
                ])
        }
        let leaving = last.actions.flatMap(leaving) + last.awaitingApproval.flatMap(leaving)
        deletions.noteMissing(leaving, now: now)
        // Refusals and counts of what the plan no longer has are dropped.
        setbacks.keep(only: last.actions)
    }

    private func noteWaiting() { deletions.noteWaiting(Set(last.awaitingApproval.map(\.kind)), now: now) }

    /// What was deleted since the last plan counts with what another process deletes.
    private func storeDeletions() throws {
        guard let recent = deletions.unstored(by: environment.clock) else { return }
        try knowledge.note(recent)
        deletions.noteStored()
    }

    /// Makes a plan of what a look at the folder alone shows; nothing of it is to be done.
    package func planAfterLook() {
        last = knowledge.plan(planner())
        hasPlanned = true
        noteWaiting()
    }

    /// Nothing is planned: what was, was for another zone.
    package func forgetPlan() {
        last = Plan()
        unseenDeletions = []
        deletions.forgetApprovals()
    }

    /// Deletions of a kind are not wanted.
    package func withdraw(_ kind: Action.Kind) {
        last.awaitingApproval.removeAll { $0.kind == kind }
        last.asked.remove(kind)
    }

    /// What makes the plan, by what is known of the folder now.
    package func planner() -> Planner {
        let configuration = environment.configuration
        let (isUnobserved, isUnseen) = (
            observer.unobserved.isUnobserved(by: observer.rules.current), observer.unobserved.isUnseen
        )
        // Rules that are this device's own are neither read as a record's file nor written as one.
        let keepsRules = knowledge.keepsRulesHere
        var planner = Planner(
            limit: MassDeletionLimit(
                count: configuration.deletionLimit, part: Double(configuration.deletionShare) / 100),
            approved: deletions.approved,
            isUnobserved: { isUnobserved($0) || keepsRules && $0 == .ignoreFile },
            isUnreadable: { isUnseen($0) || keepsRules && $0 == .ignoreFile },
            isObstructed: observer.unobserved.isObstructed(by: observer.rules.current))
        planner.recentDeletions = deletions.recentCounts(now: now)
        planner.asked = last.asked
        // What was deleted elsewhere since a folder was copied or backed up may be what somebody wants back.
        if knowledge.facts.isCopy { planner.asked.insert(.deleteFile) }
        if hasSeenDeletions { planner.asked.insert(.deleteFile) }
        planner.doubtedRecords = observer.unobserved.doubtedRecords
        planner.unanswered = knowledge.unansweredEntries
        return planner
    }

    // MARK: What can be done

    /// What of the last plan neither waits for a retry nor was refused as it is.
    package func runnable() -> [Action] {
        guard knowledge.zoneFacts.created else { return [] }
        let now = now
        return last.actions.only { action in
            if knowledge.isSendingHeld, action.isSending { return false }
            if let due = due(action), due > now { return false }
            return setbacks.allow(action, at: now)
        }
    }

    /// Whether nothing is left that can be done now, or will be by itself.
    package var isDone: Bool {
        let now = now
        return runnable().isEmpty
            && !last.actions.contains { action in
                !(knowledge.isSendingHeld && action.isSending) && due(action).map { $0 > now } ?? false
            }
    }

    /// The bytes of assets that are not received yet because the disk has too little room.
    var bytesAwaitingRoom: Int64 {
        knowledge.trees.plannedBytes(
            of: last.actions.lazy.filter { [setbacks] in setbacks.refusal(of: $0)?.problem.code == .diskFull })
    }

    /// When something of it can be done.
    package func moments() -> [SteadyInstant] {
        return last.actions.compactMap { action in
            if knowledge.isSendingHeld, action.isSending { return nil }
            // What could be done now was just left undone: not at once again.
            let moment = [setbacks.next(for: action), due(action)].compactMap(\.self).max()
            return max(moment ?? now, now.advanced(by: .milliseconds(50)))
        }
    }
}
