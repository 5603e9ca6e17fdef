import CloudKitClient
import CloudKitWire
import FolderKnowledge
import FolderObserving
import ProblemSentences
import RecordSending
import RecordTrees
import SessionCore
import SyncModel

/// Structured files that turn out to fit no record when they are to be sent: more was learnt of the zone, what they refer to
/// has gone, or the server says so. What is no record yet becomes a file record then; what is one is held, and so is what lacks
/// its target, which is looked at again when that comes.
extension Exporter {
    /// Tells anew what such files are; one that still looks fit is held.
    func reform(misfits: [(action: Action, problem: Problem)]) throws {
        guard !misfits.isEmpty else { return }
        try observer.reform(misfits.map(\.action.path))
        for (action, problem) in misfits {
            if case .structured? = knowledge.trees.local[action.path]?.form { holdBack(action, problem) }
        }
    }

    /// Takes over what a refusal tells of the type of a field.
    func learn(from clash: TypeClash, of sending: Sending, reason: String) throws {
        let action = sending.action
        guard let entry = knowledge.trees.local[action.path], case .structured(let type, _) = entry.form,
            entry.hash == action.local?.hash
        else { return observer.superseded(action) }
        if let (name, field) = clash.known, try knowledge.learn(field, named: name, of: type) {
            // Sent as it is meant to be, or no more as a structured record.
            setbacks.cameToNothing(action)
            return try observer.reform([entry.path])
        }
        guard action.kind == .createRecord else {
            return setbacks.hold(action, .refused(action.path, .refused, .file, reason: reason))
        }
        try observer.take([entry.path: .unfit(.typeClash(action.path, reason: reason))])
    }
}
