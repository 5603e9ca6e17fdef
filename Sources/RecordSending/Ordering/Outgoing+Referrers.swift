import CloudKitWire
import FolderKnowledge
import RecordMapping
import RecordTrees
import SyncModel

/// Records that refer to one which is to give way to another of another kind, at the same path: a file that fitted no record,
/// and was mended.
///
/// The zone keeps what a VALIDATE reference names, and deletes with a record what names it by DELETE_SELF. So what refers to
/// the old record lets go of it by a save of its own; the new record comes in the request in which the old one goes; and then
/// the others refer to the new one, since a file names a path. In between they count as edited, so a crash changes nothing.
extension Outgoing {
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
        try knowledge.eachRecordThatRefers { name, record in
            guard successors[name] == nil else { return }
            for (kind, targets) in record.recordsReferred(in: knowledge.zoneID.zoneName) {
                for path in targets.compactMap({ successors[$0] }) {
                    let file = trees.base[name]?.path
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

    /// A save of a structured record that is as both sides agreed; `nil` where it is not, or was refused so.
    private func saveAsAgreed(_ name: RecordName) -> Action? {
        guard let base = trees.base[name], let remote = trees.remote[name],
            base.isCurrent(in: remote),
            let entry = trees.local[base.path], entry.hash == base.hash, case .structured = entry.form
        else { return nil }
        let action = Action(
            .updateRecord(content: true, path: false), record: name, path: base.path,
            local: LocalVersion(stamp: entry.stamp, hash: entry.hash), changeTag: remote.changeTag)
        return isRefused(action) ? nil : action
    }
}
