import CloudKitWire
import FolderKnowledge
import ProblemSentences
import RecordMapping
import RecordSending
import RecordTrees
import SessionCore
import SyncModel

/// Files and deletions that wait for other records: for one that they refer to, or for one that refers to them.
///
/// Each is held with the names of those records, and let go as soon as one of them is saved, comes from the zone, or goes.
extension Exporter {
    /// Leaves out what refers to a file of this folder whose record the zone does not have and does not get before it in the
    /// same request: it would be refused.
    func withRequired(_ sendings: [Sending], in order: SendOrder) -> [Sending] {
        guard !order.required.isEmpty else { return sendings }
        var sent: Set<RecordName> = []
        var coming: Set<FolderPath>?
        defer { if coming != nil { setbacks.releaseCircles() } }
        return sendings.compactMap { sending in
            var sending = sending
            sending.required = order.required[sending.action.path] ?? []
            let missing = sending.required.filter {
                $0.action == .validate && $0.path != nil && knowledge.trees.remote[$0.name] == nil
                    && !sent.contains($0.name)
            }
            guard missing.isEmpty else {
                coming = coming ?? filesOnTheirWay()
                hold(sending.action, untilThereAre: missing, onTheirWay: coming!)
                return nil
            }
            sent.insert(sending.name)
            return sending
        }
    }

    /// Holds what the server refused because of a reference.
    func hold(refusedForReferences refused: [(sending: Sending, reason: String)]) throws {
        guard !refused.isEmpty else { return }
        let coming = filesOnTheirWay()
        let deleted = Set(refused.lazy.compactMap { $0.sending.deleted })
        let keepers =
            try deleted.isEmpty ? [:] : knowledge.recordsKept(by: nil).filter { !$0.value.isDisjoint(with: deleted) }
        for (sending, reason) in refused {
            let action = sending.action
            let missing = sending.required.filter { knowledge.trees.remote[$0.name] == nil }
            let names =
                sending.deleted.map { name in
                    Set(keepers.lazy.filter { $0.value.contains(name) }.map(\.key))
                } ?? []
            // Somebody else's new one, perhaps.
            if sending.deleted != nil, missing.isEmpty, names.isEmpty { fetches.oweZone() }
            if sending.draft == nil {
                setbacks.hold(action, .deletionRefused(action.path, keptBy: shown(names), reason: reason))
                setbacks.noteWait(of: action, for: names)
            } else if sending.deleted != nil, missing.isEmpty {
                hold(action, replacementKeptBy: names, reason: reason)
            } else {
                // What the server misses although it is known here is about to be known better.
                if missing.isEmpty { fetches.oweZone() }
                hold(
                    action, untilThereAre: missing.isEmpty ? sending.required : missing, onTheirWay: coming,
                    reason: reason, isKnown: missing.isEmpty)
            }
        }
    }

    private func hold(
        _ action: Action, untilThereAre missing: [RequiredRecord], onTheirWay coming: Set<FolderPath>,
        reason: String? = nil, isKnown: Bool = false
    ) {
        setbacks.hold(action, .referenceRefused(action.path, isKnown ? [] : missing, reason: reason))
        setbacks.noteWait(
            of: action, for: Set(missing.map(\.name)), paths: Set(missing.compactMap(\.path)),
            isOnItsWay: !isKnown && !missing.isEmpty
                && missing.allSatisfy { $0.path.map(coming.contains) ?? false })
    }

    /// The new files that nothing but their turn, or the turn of others, keeps from being sent.
    private func filesOnTheirWay() -> Set<FolderPath> {
        Set(
            work.last.actions.filter { $0.kind == .createRecord && setbacks.isOnItsWay($0) }.map(\.path))
    }
}
