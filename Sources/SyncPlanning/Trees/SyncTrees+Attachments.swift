public import SyncModel

/// Which files belong to the records of structured files.
extension SyncTrees {
    /// Whether a structured file names this file as an asset.
    public func isAttached(_ path: FolderPath) -> Bool {
        owners[path] != nil
    }

    /// Where a record of the zone alone would be written, if a structured file names what stands there as an asset.
    func assetInTheWay(of name: RecordName) -> (path: FolderPath, owner: FolderPath)? {
        guard base[name] == nil, let path = path(of: name), local[path] != nil, let owner = owners[path]?.min() else {
            return nil
        }
        return (path, owner)
    }

    /// Whether both sides agree that a file is an asset of the record of a structured file: nothing is on its way that would
    /// change it.
    func isAgreed(_ path: FolderPath, asAssetOf owner: FolderPath) -> Bool {
        guard let base = baseRecord(at: owner) else { return false }
        return base.changeTag == remote[base.name]?.changeTag && base.assets.contains { $0.path == path }
    }

    /// Whether a file is an asset of other records than this one, or may be: a structured file names it, or one did that is
    /// broken or gone now.
    /// - Parameter file: The structured file of this record.
    public func isAttached(_ path: FolderPath, besides file: FolderPath, of name: RecordName?) -> Bool {
        owners[path]?.contains { $0 != file } ?? false || silentOwners(of: path).contains { $0 != name }
    }

    /// The records that had a file as an asset when both sides last agreed, and whose own files cannot say now whether it
    /// still is one: they are broken, or not where they were.
    ///
    /// The file is no file of its own before they can, or their records are deleted.
    public func silentOwners(of path: FolderPath) -> [RecordName] {
        guard let names = baseByAsset[path] else { return [] }
        return names.filter { name in
            guard let owner = base[name] else { return false }
            return !isBound(owner) || local[owner.path]?.form.isHeld ?? true
        }
    }
}

extension FileForm {
    /// Whether the file cannot be synced as it is: still somebody's, and no proof that its record is gone.
    var isHeld: Bool {
        if case .held = self { true } else { false }
    }

    /// The files that a structured file names; none for other forms.
    public var attachments: [Attachment] {
        if case .structured(_, let attachments) = self { attachments } else { [] }
    }
}
