import CloudKitWire
import FolderKnowledge
import LocalFolder
import RecordMapping
import RecordTrees
package import SyncModel

/// What a deletion in this folder takes away.
extension Incoming {
    /// What is to be fetched of a record before its deletion is sent, or an edit that has it without some of its assets: those
    /// whose files are gone; `nil` where there are none.
    /// - Parameter now: In nanoseconds since 1970.
    package func lastVersion(of action: Action, now: Int64) throws -> Receiving? {
        guard let name = action.record, let base = trees.base[name], let entry = trees.remote[name],
            entry.changeTag == action.changeTag, !base.assets.isEmpty,
            let record = try knowledge.remoteRecord(named: name)
        else { return nil }
        let file = base.recordType == knowledge.fileType ? FileRecord(fields: record.fields) : nil
        let hints = RecordHints(of: record.fields)
        var downloads: [AssetSlot: AssetDownload] = [:]
        for (slot, asset) in record.assets {
            guard let known = base.assets.first(where: { $0.slot == slot }), isDeleted(known, by: action) else {
                continue
            }
            let path = known.path
            let witnesses = file.map { AssetWitnesses(of: $0) } ?? AssetWitnesses(of: asset, hints: hints)
            downloads[slot] = AssetDownload(asset: asset, witnesses: witnesses, path: path)
        }
        guard !downloads.isEmpty else { return nil }
        var receiving = Receiving(action: action, entry: entry, record: record, downloads: downloads)
        receiving.isExecutable = file?.isExecutable ?? false
        // When it was written by the file that is gone: a time that is surely before the one at which it is filed.
        receiving.modified = base.modified > 0 ? base.modified : now - 1_000_000_000
        return receiving
    }

    /// Whether a record loses assets by what is sent of it, for their files are gone.
    package func losesAssets(_ action: Action) -> Bool {
        guard case .updateRecord(content: true, _) = action.kind,
            let base = action.record.flatMap({ trees.base[$0] }),
            base.recordType != knowledge.fileType
        else { return false }
        return base.assets.contains { isDeleted($0, by: action) }
    }

    /// Whether an asset's file is gone, and what is sent does away with the asset, or has another file as it.
    private func isDeleted(_ known: AgreedAsset, by action: Action) -> Bool {
        guard action.kind != .deleteRecord, let text = trees.local[action.path] else {
            return trees.local[known.path] == nil
        }
        // It may have another name by now.
        let isNamed = text.form.attachments.contains { attachment in
            attachment.path == known.path || trees.local[attachment.path]?.hash == known.hash
        }
        // Who takes it out and deletes it at once is asked for the one before the other is seen.
        return !isNamed && (trees.local[known.path] == nil || reader.stamp(of: known.path) == nil)
    }
}
