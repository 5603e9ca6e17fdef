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
        defer { if coming != nil { releaseCircles() } }
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
        let deleted = Set(refused.lazy.compactMap { $0.sending.deleted })
        let keepers = try deleted.isEmpty ? [:] : recordsKept(by: nil).filter { !$0.value.isDisjoint(with: deleted) }
        for (sending, reason) in refused {
            let action = sending.action
            let missing = sending.required.filter { trees.remote[$0.name] == nil }
            let names =
                sending.deleted.map { name in
                    Set(keepers.lazy.filter { $0.value.contains(name) }.map(\.key))
                } ?? []
            // Somebody else's new one, perhaps.
            if sending.deleted != nil, missing.isEmpty, names.isEmpty { owed.zoneFetch = true }
            if sending.draft == nil {
                hold(action, .deletionRefused(action.path, keptBy: shown(names), reason: reason))
                refusals[RefusedVersion(action)]?.awaitedRecords = names
            } else if sending.deleted != nil, missing.isEmpty {
                hold(action, replacementKeptBy: names, reason: reason)
            } else {
                // What the server misses although it is known here is about to be known better.
                if missing.isEmpty { owed.zoneFetch = true }
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

    /// Lets go of files that wait for each other: each came when another one had to wait for something else. Together they can
    /// be sent (``SendOrder``).
    private func releaseCircles() {
        let waiting = refusals.filter(\.value.isOnItsWay)
        var numbers: [FolderPath: [Int]] = [:]
        let versions = waiting.keys.sorted { $0.path < $1.path }
        for (number, version) in versions.enumerated() { numbers[version.path, default: []].append(number) }
        let needs = versions.map { version in waiting[version]!.awaitedPaths.sorted().flatMap { numbers[$0] ?? [] } }
        let circles = Set(ReferenceOrder(needs: needs).tooEarly.keys.map { versions[$0] })
        guard !circles.isEmpty else { return }
        release { version, _ in circles.contains(version) }
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
