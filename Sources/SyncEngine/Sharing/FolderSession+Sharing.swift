import CloudKitWire
import FolderKnowledge
import Logging
import ProblemSentences
import RecordSending
import StateStorage
import SyncModel
import SyncPlanning
import SyncTiming

/// A zone of somebody else's: what may be sent there, and how.
extension FolderSession {
    /// Whether the zone is somebody else's, who shares it.
    var isShared: Bool { environment.configuration.database == .shared }

    /// Whether the zone's owner lets the account look, and change nothing.
    var isReadOnly: Bool { isShared && knowledge.sharing.isReadOnly }

    /// Whether what is to be sent stays here for now.
    var isSendingHeld: Bool { isUploadHeld || isReadOnly }

    /// Notes what a page told of shares.
    func noteSharing(before: ZoneSharing) {
        guard isShared, knowledge.sharing != before else { return }
        logger.info("What is shared has changed", metadata: ["read-only": "\(knowledge.sharing.isReadOnly)"])
        // What was held or refused may be sent now; what was not may have to be held.
        forgetRefusals()
        knowledge.markAll()
    }

    /// Notes that the account left what was shared with it. The files stay, and who takes part again goes on from here.
    package func noteLeft() {
        guard isShared else { return }
        zoneIsGone(.left)
        inbox.doorbell.ring()
    }

    /// What is held because nothing may be changed in the zone.
    var readOnlyProblems: [(path: FolderPath, problem: Problem)] {
        guard isReadOnly else { return [] }
        return (lastPlan.actions + lastPlan.awaitingApproval).filter(\.isSending).map {
            ($0.path, .notWritable($0.path, zone: knowledge.zoneID.zoneName, isDeletion: $0.kind == .deleteRecord))
        }
    }

    /// The same, with the shared record as the parent of a new one: what hangs below none is not shared.
    func belowSharedRoot(_ sending: Sending) -> Sending {
        guard isShared, let root = knowledge.sharing.parentOfNew else { return sending }
        var sending = sending
        let operation = sending.operation
        sending.operation = { assets in
            var operation = operation(assets)
            if operation.kind == .create { operation.record.parent = root.rawValue }
            return operation
        }
        return sending
    }
}

extension Problem {
    /// - Parameter reason: Why the server says so, where it was asked.
    static func notWritable(
        _ path: FolderPath, zone: String, isDeletion: Bool, reason: String? = nil
    ) -> Problem {
        let what = isDeletion ? "its deletion stays here: the record is kept" : "this version stays here"
        return Problem(
            .permissionDenied,
            message: reason.map {
                "\(path): the zone '\(zone)' is shared with you, but not for this change (\($0)), so \(what)."
            } ?? "\(path): the zone '\(zone)' is shared with you read-only, so \(what).",
            remedy: "Ask its owner for write access; it goes through by itself then.")
    }
}
