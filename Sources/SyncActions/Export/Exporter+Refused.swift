import CloudKitClient
import CloudKitWire
import FolderKnowledge
import LocalFolder
import Logging
import ProblemSentences
import RecordSending
import RecordTrees
import RequestPacing
import SessionCore
import StateRows
import SyncModel
import ZoneFetching

/// What becomes of what was sent: it is remembered before it goes, as its answer may be lost, and what the server did not take is
/// tried again, looked up, or held.
extension Exporter {
    /// Remembers what is about to be sent. Nothing may be sent where this throws.
    func noteSent(_ sendings: [Sending]) throws {
        try knowledge.noteSent(sendings.compactMap(\.version))
    }

    /// Forgets a version that the server surely has not, because it refused it or never got it.
    func forgetSent(_ sending: Sending) throws {
        if let version = sending.version { try knowledge.forgetSent(version) }
    }

    func refused(
        _ sending: Sending, _ reaction: ErrorReaction, reason: String, isOfRecord: Bool = false,
        for obstacle: RetryObstacle
    ) {
        let action = sending.action
        logger.info(
            "The server did not take a change",
            metadata: ["path": "\(action.path)", "reason": "\(reason)", "reaction": "\(reaction)"])
        // Of a shared zone the account may lack the right to one record, and be well.
        if !knowledge.isShared || !isOfRecord { access.doubtAccount(after: reaction, reason: reason) }
        switch reaction {
        case .retry(let after, let pause):
            if pause == .database, obstacle == .server { setbacks.notePause(reason) }
            if obstacle == .credentials { setbacks.noteUnkeptSignIn(reason) }
            setbacks.failed(action, after: after, pausing: pause, for: obstacle)
        case .lookUpAndMerge, .recreate(.record), .done:
            fetches.oweLookUp(of: [sending.name] + sending.companionNames)
            // The new version of what was to go tells what its other records came to meanwhile, such as the one that had it as
            // its asset: without them the next plan could delete what a person took out of one.
            if action.kind == .deleteRecord { fetches.oweZone() }
            setbacks.cameToNothing(action, for: obstacle)
        case .hold(.brokenReference): break  // All of an answer are held together.
        case .hold(.missingFromSchema): refusedBySchema(sending, reason: reason)
        case .hold(.noPermission) where isOfRecord && isNameOutOfSight(sending):
            setbacks.hold(action, .nameOutOfSight(action.path, zone: knowledge.zoneID.zoneName))
        case .hold(.noPermission) where knowledge.isShared:
            setbacks.hold(
                action,
                .notWritable(
                    action.path, zone: knowledge.zoneID.zoneName, isDeletion: action.kind == .deleteRecord,
                    reason: reason))
        case .hold(let hold):
            let subject: Hold.Subject = action.kind == .deleteRecord ? .deletion : .file
            setbacks.hold(action, .refused(action.path, hold, subject, reason: reason))
        case .split: setbacks.hold(action, .refused(action.path, .tooLarge, .file, reason: reason))
        case .signIn:
            access.credentialsWereRefused()
            setbacks.failed(action)
        case .recreate(.zone):
            if knowledge.zoneFacts.created { access.zoneIsGone() }
        case .recreate, .refetch:
            setbacks.failed(action)
        }
    }

    /// Whether a record that the server does not let this account make seems to have its name taken by one that the account does
    /// not see: it is new, and others of the shared hierarchy may be made.
    private func isNameOutOfSight(_ sending: Sending) -> Bool {
        knowledge.isShared && !knowledge.isReadOnly && knowledge.sharing.parentOfNew != nil
            && sending.action.kind == .createRecord && sending.replaced == nil
            && knowledge.trees.remote[sending.name] == nil
    }
}

extension Sending {
    /// The version that the zone has once this is done; `nil` for a deletion.
    fileprivate var version: SentVersion? {
        draft.map { SentVersion(entry: $0.entry(name: name, remote: nil), document: $0.document) }
    }
}
