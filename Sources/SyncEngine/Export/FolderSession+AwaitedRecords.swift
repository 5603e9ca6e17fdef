import CloudKitWire
import RecordMapping
import StateStorage
import SyncModel
import SyncPlanning

/// Files and deletions that wait for other records: for one that they refer to, or for one that refers to them.
///
/// Each is held with the names of those records, and let go as soon as one of them is saved, comes from the zone, or goes.
extension FolderSession {
    /// Leaves out what refers to a file of this folder whose record the zone does not have and does not get before it in the
    /// same request: it would be refused.
    func withRequired(_ sendings: [Sending], in order: SendOrder) -> [Sending] {
        guard !order.required.isEmpty else { return sendings }
        var sent: Set<RecordName> = []
        var coming: Set<FolderPath>?
        return sendings.compactMap { sending in
            var sending = sending
            sending.required = order.required[sending.action.path] ?? []
            let missing = sending.required.filter {
                $0.action == .validate && $0.path != nil && trees.remote[$0.name] == nil && !sent.contains($0.name)
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
        let deleted = Set(refused.lazy.filter { $0.sending.draft == nil }.map(\.sending.name))
        let keepers = try deleted.isEmpty ? [:] : recordsKept(by: nil).filter { !$0.value.isDisjoint(with: deleted) }
        for (sending, reason) in refused {
            let action = sending.action
            guard sending.draft == nil else {
                let missing = sending.required.filter { trees.remote[$0.name] == nil }
                // What the server misses although it is known here is about to be known better.
                if missing.isEmpty { owed.zoneFetch = true }
                hold(
                    action, untilThereAre: missing.isEmpty ? sending.required : missing, onTheirWay: coming,
                    reason: reason, isKnown: missing.isEmpty)
                continue
            }
            let names = keepers.filter { $0.value.contains(sending.name) }.keys.sorted()
            // Somebody else's new one, perhaps.
            if names.isEmpty { owed.zoneFetch = true }
            let shown = names.map { name in
                (trees.base[name]?.path ?? trees.path(of: name))?.description ?? name.rawValue
            }
            hold(action, .deletionRefused(action.path, keptBy: shown, reason: reason))
            refusals[RefusedVersion(action)]?.awaitedRecords = Set(names)
        }
    }

    private func hold(
        _ action: Action, untilThereAre missing: [RequiredRecord], onTheirWay coming: Set<FolderPath>,
        reason: String? = nil, isKnown: Bool = false
    ) {
        hold(action, .referenceRefused(action.path, isKnown ? [] : missing, reason: reason))
        let version = RefusedVersion(action)
        refusals[version]?.awaitedRecords = Set(missing.map(\.name))
        refusals[version]?.awaitedPaths = Set(missing.compactMap(\.path))
        refusals[version]?.isOnItsWay =
            !isKnown && !missing.isEmpty && missing.allSatisfy { $0.path.map(coming.contains) ?? false }
    }

    /// The new files that nothing but their turn, or the turn of others, keeps from being sent.
    private func filesOnTheirWay() -> Set<FolderPath> {
        Set(
            lastPlan.actions.lazy.filter { action in
                action.kind == .createRecord && self.refusals[RefusedVersion(action)]?.isOnItsWay ?? true
            }.map(\.path))
    }

    /// Lets go at once what waits for one of some records that came, changed or went.
    func releaseWhatAwaits(_ names: some Sequence<RecordName>) {
        guard !refusals.isEmpty else { return }
        let names = Set(names)
        guard !names.isEmpty else { return }
        release { _, refusal in !refusal.awaitedRecords.isDisjoint(with: names) }
    }

    /// Lets some of what was refused be tried again, and with each file those that wait for it: they go together.
    func release(_ isReleased: (RefusedVersion, Refusal) -> Bool) {
        var released = refusals.filter(isReleased).map(\.key)
        guard !released.isEmpty else { return }
        var waiting: [FolderPath: [RefusedVersion]] = [:]
        for (version, refusal) in refusals {
            for path in refusal.awaitedPaths { waiting[path, default: []].append(version) }
        }
        while let version = released.popLast() {
            refusals[version] = nil
            released += waiting.removeValue(forKey: version.path) ?? []
        }
    }
}
