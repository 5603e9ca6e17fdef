import CloudKitWire
import FolderControl
import FolderKnowledge
import LocalFolder
import Logging
import RemoteZone
import SessionCore
import StateRows
import SyncActions
import SyncModel

/// Saying no to a large deletion.
extension Attention {
    /// Puts back what a batch of deletions would take, and goes on; `false` where no such batch waits.
    ///
    /// Files that were deleted here come back from the zone; records that were deleted there are made again from the files here.
    /// - Throws: `ControlError` where the zone may not be written to, and `StateError`.
    func reject(_ batch: String) throws -> Bool {
        guard let held = waitingBatches.first(where: { $0.id == batch }) else { return false }
        let kind = held.deletionKind
        let deletions = work.last.awaitingApproval.filter { $0.kind == kind }
        let names = deletions.compactMap(\.record)
        if kind == .deleteFile {
            guard !knowledge.isReadOnly else {
                throw ControlError.refused(Self.cannotPutBack(knowledge.zoneID.zoneName))
            }
            // As if a person had just saved them: an edit outlives a deletion.
            try committer.note(Dictionary(names.map { ($0, .renewed) }) { first, _ in first })
        } else {
            // What both sides never agreed on is new here.
            try committer.commit(
                deletions.compactMap { action in
                    guard let name = action.record else { return nil }
                    return Outcome(
                        base: .removed(name),
                        change: committer.journal(JournalEntry.putBack, by: .restore, path: action.path, record: name))
                })
        }
        work.withdraw(kind)
        for name in names { knowledge.mark(name) }
        try store()
        logger.notice("A large deletion was rejected", metadata: ["files": "\(names.count)", "side": "\(held.code)"])
        return true
    }

    private static func cannotPutBack(_ zone: String) -> String {
        "The zone '\(zone)' is shared with you to be read only, so what was deleted there cannot be made again from here. "
            + "Nothing is deleted here as long as you do not approve it; to keep the files, copy them to another folder."
    }
}
