import FolderKnowledge
import FolderObserving
import RecordTrees
import StateRows
import SyncModel

/// What a person is asked of in a folder that was copied, or put back from a backup: the files that were deleted elsewhere
/// meanwhile. What of it cannot be looked at is in no plan, and is asked of once it can.
extension PlannedWork {
    /// Knows from the stored rows what could not be looked at before this process.
    package func readUnseenDeletions() {
        if knowledge.facts.hasUnseenDeletions { unseenDeletions = recordsGoneInZone() }
    }

    /// Notes that what the last plan has of it is asked for. In that question they are from now on.
    package func noteAsked() throws {
        let facts = knowledge.facts
        guard facts.isCopy || facts.hasUnseenDeletions else { return }
        if facts.isCopy { unseenDeletions = recordsGoneInZone() }
        let planned = Set((last.actions + last.awaitingApproval).lazy.compactMap(\.record))
        unseenDeletions = unseenDeletions.filter { name in
            isGoneInZone(name) && knowledge.trees.base.contains(name) && !planned.contains(name)
        }
        let isAnyUnseen = !unseenDeletions.isEmpty
        guard facts.isCopy || facts.hasUnseenDeletions != isAnyUnseen else { return }
        try knowledge.updateFacts { ($0.isCopy, $0.hasUnseenDeletions) = (false, isAnyUnseen) }
    }

    /// Whether any of them is to be planned now, and can be looked at.
    var hasSeenDeletions: Bool {
        guard !unseenDeletions.isEmpty else { return false }
        let isUnobserved = observer.unobserved.isUnobserved(by: observer.rules.current)
        return unseenDeletions.intersection(knowledge.trees.dirtyRecords).contains { name in
            isGoneInZone(name) && knowledge.trees.base[name].map { !isUnobserved($0.path) } ?? false
        }
    }

    private func recordsGoneInZone() -> Set<RecordName> {
        Set(knowledge.trees.base.keys.filter(isGoneInZone))
    }

    private func isGoneInZone(_ name: RecordName) -> Bool { !knowledge.trees.remote.contains(name) }
}
