import CloudKitWire
import FolderKnowledge
import Logging
import RecordTrees
import SessionCore
import StateRows

/// A zone that is lost, comes back, or is another one by then (S0.30).
///
/// Every file stays. What was agreed on stays until a whole listing shows what came back: the same zone, with which the folder
/// goes on as if nothing had been, or another one, with which nothing was agreed on. What would be sent again into such a one
/// waits until another device or another program fills it, which makes it a first sync with a full folder, or for a person's
/// word.
extension ZoneFetcher {
    /// Ends a whole listing, by which a lost zone is there again.
    /// - Returns: How many records are known to be deleted by it.
    func endListing() throws -> Int {
        let wasLost = knowledge.zoneFacts.loss != nil
        var deleted = 0
        if knowledge.isAnotherZone {
            try knowledge.endListingOfAnotherZone()
            setbacks.endHindrance(of: .zoneChanges)
            setbacks.releaseAll()
            logger.warning(
                "The zone is another one than before; its files are kept",
                metadata: ["zone": "\(knowledge.zoneID.zoneName)"])
        } else {
            deleted = try knowledge.endListing()
        }
        if wasLost {
            // What was refused or put off was so for the lost zone's sake.
            setbacks.releaseAll()
            knowledge.markAll()
            // Who shares less than before deletes nothing, and the listing looks the same: a person is asked.
            if knowledge.isShared, deleted > 0 { try knowledge.updateFacts { $0.isCopy = true } }
        }
        return deleted
    }

    /// Ends the wait for a person's word where the zone has been filled again: what is equal in both is recognised, and what is
    /// here only goes there, as with any folder that is synced for the first time.
    ///
    /// An edit that this device sent before it knew of the other zone fills it too: to all others it does.
    func endHoldOfFilledZone() throws {
        guard knowledge.zoneFacts.loss == .replaced, knowledge.zoneFacts.complete, !knowledge.trees.remote.isEmpty
        else { return }
        try knowledge.endLoss()
        logger.notice("The zone was filled again; syncing goes on")
    }
}
