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

    /// Notes that what the last plan has of it is asked for. Until the answer is carried out it may get out of sight again.
    package func noteAsked() throws {
        let facts = knowledge.facts
        guard facts.isCopy || facts.hasUnseenDeletions else { return }
        if facts.isCopy { unseenDeletions = recordsGoneInZone() }
        let planned = (last.actions + last.awaitingApproval).lazy.filter { $0.kind == .deleteFile }
        let deleted = Set(planned.compactMap(\.record))
        unseenDeletions = unseenDeletions.filter { name in
            guard isGoneInZone(name), let base = knowledge.trees.base[name] else { return false }
            return deleted.contains(name) || !isSeen(base.path)
        }
        let isAnyUnseen = !unseenDeletions.isEmpty
        guard facts.isCopy || facts.hasUnseenDeletions != isAnyUnseen else { return }
        try knowledge.updateFacts { ($0.isCopy, $0.hasUnseenDeletions) = (false, isAnyUnseen) }
    }

    /// Whether any of them is to be planned now, and can be looked at.
    var hasSeenDeletions: Bool {
        guard !unseenDeletions.isEmpty else { return false }
        return unseenDeletions.intersection(knowledge.trees.dirtyRecords).contains { name in
            isGoneInZone(name) && knowledge.trees.base[name].map { isSeen($0.path) } ?? false
        }
    }

    private func isSeen(_ path: FolderPath) -> Bool {
        !observer.unobserved.isUnobserved(by: observer.rules.current)(path) && !observer.unobserved.isUnseen(path)
    }

    private func recordsGoneInZone() -> Set<RecordName> {
        Set(knowledge.trees.base.keys.filter(isGoneInZone))
    }

    private func isGoneInZone(_ name: RecordName) -> Bool { !knowledge.trees.remote.contains(name) }
}
