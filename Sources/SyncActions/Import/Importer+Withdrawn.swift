import FileCustody
import FolderKnowledge
import FolderObserving
import FolderWriting
import LocalFolder
import RecordMapping
import RecordTrees
import SessionCore
import StateRows
import SyncModel

/// A version whose assets were put into the folder, and its text was not: the process ended in between. No text names them, so
/// that they would be files that a person made, and stay where the zone has them no more.
extension Importer {
    /// Takes back what was put there. Only once the zone was asked, and is the one that it came from: else nobody may have it but
    /// this folder.
    package func withdrawWritten() throws {
        guard written == .adopted else { return }
        let batch = WriteBatch()
        let outcomes = try knowledge.writtenVersions().compactMap { withdrawal(of: $0, in: batch) }
        try batch.finish()
        try committer.commit(received: outcomes)
        try forgetWritten()
    }

    /// What was put there goes to where it was, or into the history. What a person has a use for by now stays.
    /// - Returns: `nil` where there is nothing to take back, or something was agreed on since.
    private func withdrawal(of version: WrittenVersion, in batch: WriteBatch) -> Outcome? {
        let former = knowledge.trees.base[version.entry.name]
        guard former?.changeTag == version.formerTag else { return nil }
        var outcome = Outcome()
        for asset in version.entry.assets where isMade(asset, for: version, former) {
            withdraw(asset, to: former?.asset(in: asset.slot), in: batch, noting: &outcome)
        }
        return outcome.removedLocal.isEmpty ? nil : outcome
    }

    /// - Parameter known: What both sides agreed on of the asset before.
    private func withdraw(
        _ asset: AgreedAsset, to known: AgreedAsset?, in batch: WriteBatch, noting outcome: inout Outcome
    ) {
        guard let local = knowledge.trees.local[asset.path] else { return }
        let writer = environment.writer
        if let known, known.hash == asset.hash, !knowledge.trees.local.contains(known.path) {
            guard
                case .done(let file)? = try? writer.move(
                    asset.path, to: known.path, expecting: local.stamp, local.hash, batch: batch)
            else { return }
            outcome.local.append(
                LocalEntry(
                    path: known.path, stamp: file.stamp, hash: file.hash, form: local.form, isSettled: file.isSettled))
        } else {
            guard case .done? = try? writer.delete(asset.path, expecting: local.stamp, local.hash, batch: batch)
            else { return }
        }
        outcome.removedLocal.append(asset.path)
    }

    /// Whether an asset was put there for a version, is as it was put, and nothing else has a use for it.
    private func isMade(_ asset: AgreedAsset, for version: WrittenVersion, _ former: BaseEntry?) -> Bool {
        let trees = knowledge.trees
        guard asset.file == nil, asset.path != version.path else { return false }
        let isNamedHere = trees.local[version.path]?.form.attachments.contains { $0.path == asset.path } ?? false
        return trees.local[asset.path]?.hash == asset.hash && !isNamedHere
            && !(former?.assets.contains { $0.path == asset.path } ?? false)
            && trees.custody(of: asset.path).isLeft(by: version.entry.name, at: version.path)
    }
}
