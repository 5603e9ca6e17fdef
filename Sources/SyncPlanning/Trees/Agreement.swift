import SyncModel

/// Tells which records and paths of three trees need no plan, because all sides say the same of them and of nothing else.
///
/// Whatever it says no to is planned, and mostly needs nothing either: a guard too many here is work done for nothing, never
/// a change unseen. What it says yes to has to be what ``Planner`` has no action, problem or mark for.
struct Agreement {
    private let trees: SyncTrees

    init(_ trees: SyncTrees) { self.trees = trees }

    /// Whether a record, its file and its assets are the same in all three trees.
    func contains(_ base: BaseEntry) -> Bool {
        guard base.standing == .agreed, let record = trees.remote[base.name], isSame(record, as: base),
            let file = trees.local[base.path], isSame(file, as: base)
        else { return false }
        let isFile = base.recordType == trees.fileRecordType
        return isAlone(base) && (isFile || base.assets.allSatisfy { isAlone($0, of: base) })
    }

    private func isSame(_ record: RemoteEntry, as base: BaseEntry) -> Bool {
        record.changeTag == base.changeTag && record.recordType == base.recordType && record.path == base.path
            && !base.isOfAnotherRecord(than: record)
    }

    private func isSame(_ file: LocalEntry, as base: BaseEntry) -> Bool {
        let assets = base.recordType == trees.fileRecordType ? 0 : base.assets.count
        return file.hash == base.hash && file.executable == base.executable && file.file == base.file
            && trees.canBind(file.form, to: base) && file.form.problem == nil && file.form.attachments.count == assets
            && file.form.attachments.allSatisfy { attachment in
                base.assets.contains {
                    $0.field == attachment.field && $0.index == attachment.index && $0.path == attachment.path
                }
            }
    }

    /// Whether nothing else has to do with a record's path or its file.
    private func isAlone(_ base: BaseEntry) -> Bool {
        trees.rivals[base.path] == nil && trees.claims.isHeld(base.path, by: base.name)
            && isUnremembered(base.path, base.file)
            && trees.owners[base.path] == nil
            && trees.baseByAsset[base.path] == nil && trees.hasItsFile(base)
            && trees.assetPaths[base.file] == nil
    }

    /// Whether an asset is there as both sides agreed, and nothing else has to do with its path or its file.
    private func isAlone(_ asset: AgreedAsset, of base: BaseEntry) -> Bool {
        guard let file = asset.file, isUnremembered(asset.path, file),
            let seen = trees.local[asset.path], seen.hash == asset.hash, seen.file == file
        else { return false }
        return trees.owners[asset.path] == [base.path] && trees.baseByAsset[asset.path] == [base.name]
            && trees.baseName(at: asset.path) == nil && trees.claims.isUnclaimed(asset.path)
            && trees.baseName(of: file) == nil && trees.assetPaths[file] == asset.path
    }

    /// Whether nothing happened to a file that no tree tells: where it lies, or where it was.
    private func isUnremembered(_ path: FolderPath, _ file: FileIdentity) -> Bool {
        !trees.provenance.knows(path) && trees.provenance.parted(file) == nil
    }
}
