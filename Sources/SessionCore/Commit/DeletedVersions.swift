import LocalFolder
import RecordTrees
import RemoteZone
import StateRows
import SyncModel

/// Which versions are kept of what is edited and deleted here, and what was kept already of records whose files were deleted,
/// before their deletion is sent: nothing is kept twice.
final class DeletedVersions {
    /// Records without a file whose text was changed in the zone so that they can be deleted; it was kept then.
    private var lettingGo: Set<RecordName> = []
    /// The change tags of records whose assets were kept.
    private var assets: [RecordName: String] = [:]

    /// Whether the text that both sides agree on so far is kept; `nil` where nothing takes its place, or the history has it.
    /// - Parameters:
    ///   - trees: As they are before it.
    ///   - now: In milliseconds since 1970.
    func keeping(before outcome: Outcome, in trees: SyncTrees, now: Int64) -> Outcome.Keeping? {
        if case .removed(let name) = outcome.base { assets[name] = nil }
        guard let name = outcome.base.name, let base = trees.base[name],
            base.recordType != trees.fileRecordType
        else {
            return nil
        }
        var replaced = now
        if outcome.change?.kind == .import {
            // The file that the change took away had this text, or a person's edit of it, which a merge took in.
            guard let edited = trees.local[base.path], edited.hash != base.hash else { return nil }
            // The edit took its place, before the merge took that of the edit.
            replaced = min(now, max(edited.stamp.modified, base.modified) / 1_000_000)
        }
        switch outcome.base {
        case .unchanged, .partial: return nil
        case .agreed(let entry, _):
            guard entry.hash != base.hash else { return nil }
            guard trees.local[entry.path] == nil else {
                // Of what was merged into the file as it is, the text of the zone never was in this folder.
                let isMerged = entry.file == base.file && entry.modified == base.modified
                return isMerged ? nil : Outcome.Keeping(.changedHere, atMilliseconds: replaced)
            }
            // A record that lets go of others before it is deleted itself.
            lettingGo.insert(name)
            return Outcome.Keeping(.deletedHere, atMilliseconds: replaced)
        case .removed:
            guard lettingGo.remove(name) == nil else { return nil }
            let reason: KeptReason = trees.local[base.path] == nil ? .deletedHere : .changedHere
            return Outcome.Keeping(reason, atMilliseconds: replaced)
        }
    }

    // MARK: Assets

    /// Notes that the assets of a record, as it was by a change tag, are in the history.
    func noteAssets(of name: RecordName, tag: String) {
        assets[name] = tag
    }

    func hasAssets(of name: RecordName, tag: String) -> Bool { assets[name] == tag }
}
