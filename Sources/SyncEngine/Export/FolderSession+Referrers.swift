import CloudKitWire
import FolderKnowledge
import RecordMapping
import StateStorage
import SyncModel
import SyncPlanning

/// Records that refer to one which is to give way to another of another kind, at the same path: a file that fitted no record,
/// and was mended.
///
/// The zone keeps what a VALIDATE reference names, and deletes with a record what names it by DELETE_SELF. So what refers to
/// the old record lets go of it by a save of its own; the new record comes in the request in which the old one goes; and then
/// the others refer to the new one, since a file names a path. In between they count as edited, so a crash changes nothing.
extension FolderSession {
    /// What refers to the records that some new files' own take the place of.
    func referrers(toReplacedBy actions: [Action]) throws -> Referrers {
        var referrers = Referrers()
        var successors: [RecordName: FolderPath] = [:]
        for action in actions {
            guard let name = replacedRecord(by: action)?.recordName.map({ RecordName($0) }) else { continue }
            successors[name] = action.path
            referrers.replaced[action.path] = name
        }
        guard !successors.isEmpty else { return referrers }
        var saved = Set(actions.map(\.path))
        for (name, record) in try environment.store.recordsThatMayRefer() where successors[name] == nil {
            for (kind, targets) in try Record.decode(record).recordsReferred(in: knowledge.zoneID.zoneName) {
                for path in targets.compactMap({ successors[$0] }) {
                    let file = knowledge.trees.base[name]?.path
                    if let file, !saved.contains(file), let action = saveAsAgreed(name) {
                        referrers.actions.append(action)
                        saved.insert(file)
                    }
                    if let file, saved.contains(file) {
                        referrers.files[path, default: [:]][file] = name
                    } else if kind != .none {
                        referrers.keepers[path, default: []].insert(name)
                    }
                }
            }
        }
        return referrers
    }

    /// Leaves out what cannot take its old record's place, since others refer to that and cannot let go.
    func withoutKept(_ actions: [Action], _ keepers: [FolderPath: Set<RecordName>]) -> [Action] {
        guard !keepers.isEmpty else { return actions }
        return actions.filter { action in
            guard let names = keepers[action.path] else { return true }
            hold(action, replacementKeptBy: names)
            return false
        }
    }

    func hold(_ action: Action, replacementKeptBy names: Set<RecordName>, reason: String? = nil) {
        hold(action, .replacementRefused(action.path, keptBy: shown(names), reason: reason))
        refusals.noteWait(of: action, for: names)
    }

    /// Records as people know them: by their files, where they have some.
    func shown(_ names: some Collection<RecordName>) -> [String] {
        names.sorted().map {
            (knowledge.trees.base[$0]?.path ?? knowledge.trees.path(of: $0))?.description ?? $0.rawValue
        }
    }

    /// A save of a structured record that is as both sides agreed; `nil` where it is not, or was refused so.
    private func saveAsAgreed(_ name: RecordName) -> Action? {
        guard let base = knowledge.trees.base[name], let tag = knowledge.trees.remote[name]?.changeTag,
            tag == base.changeTag,
            let entry = knowledge.trees.local[base.path], entry.hash == base.hash, case .structured = entry.form
        else { return nil }
        let action = Action(
            .updateRecord(content: true, path: false), record: name, path: base.path,
            local: LocalVersion(stamp: entry.stamp, hash: entry.hash), changeTag: tag)
        return refusals[action] == nil ? action : nil
    }
}
