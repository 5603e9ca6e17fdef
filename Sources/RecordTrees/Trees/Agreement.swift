import SyncModel

/// Tells which records and paths of three trees need no plan, because all sides say the same of them and of nothing else.
///
/// Whatever it says no to is planned, and mostly needs nothing either: a guard too many here is work done for nothing, never
/// a change unseen. What it says yes to has to be what ``Planner`` has no action, problem or mark for.
struct Agreement {
    private let trees: SyncTrees
    // What is asked for each record is at hand: each access through the trees would count references.
    private let local: TreeTable<LocalEntry>
    private let claims: PathClaims

    init(_ trees: SyncTrees) {
        self.trees = trees
        local = trees.local
        claims = trees.claims
    }

    /// Whether a record, its file and its assets are the same in all three trees.
    ///
    /// A start asks that of all, so no more is read of the other trees than what is compared.
    func contains(_ base: BaseEntry) -> Bool {
        guard base.standing == .agreed, claims.records.has(base),
            let (stamp, form) = local.file(at: base.path, with: base.hash), isFile(of: base, stamp, form)
        else { return false }
        let isFile = base.recordType == trees.fileRecordType
        return isAlone(base) && (isFile || base.assets.allSatisfy { isAlone($0, of: base) })
    }

    /// Whether a file with the agreed bytes is the agreed one in all else.
    private func isFile(of base: BaseEntry, _ stamp: FileStamp, _ form: FileForm) -> Bool {
        let assets = base.recordType == trees.fileRecordType ? 0 : base.assets.count
        return stamp.executable(orAgreed: base.executable) == base.executable && stamp.file == base.file
            && trees.canBind(form, to: base) && form.problem == nil && form.attachments.count == assets
            && form.attachments.allSatisfy { attachment in
                base.assets.contains {
                    $0.field == attachment.field && $0.index == attachment.index && $0.path == attachment.path
                }
            }
    }

    /// Whether nothing else has to do with a record's path or its file.
    private func isAlone(_ base: BaseEntry) -> Bool {
        trees.rivals[base.path] == nil && claims.belongs(base.path, onlyTo: base.name)
            && !trees.provenance.knows(base.path)
            && trees.owners[base.path] == nil
            && trees.agreed.byAsset[base.path] == nil && trees.hasItsFile(base)
            && trees.agreed.assetPaths[base.file] == nil
    }

    /// Whether an asset is there as both sides agreed, and nothing else has to do with its path or its file.
    private func isAlone(_ asset: AgreedAsset, of base: BaseEntry) -> Bool {
        guard let file = asset.file, !trees.provenance.knows(asset.path),
            local.file(at: asset.path, with: asset.hash)?.stamp.file == file
        else { return false }
        return trees.owners[asset.path] == [base.path] && trees.agreed.byAsset[asset.path] == [base.name]
            && trees.baseName(at: asset.path) == nil && claims.isUnclaimed(asset.path)
            && trees.baseName(of: file) == nil && trees.agreed.assetPaths[file] == asset.path
    }
}
