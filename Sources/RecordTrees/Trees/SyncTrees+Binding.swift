package import SyncModel

/// Which file is whose.
extension SyncTrees {
    /// Whether the file of a record is where both sides agreed that it is.
    package func isBound(_ base: BaseEntry) -> Bool {
        guard let entry = local[base.path], !isRivals(entry, of: base) else { return false }
        return isMute(entry.form, of: base) || canBind(entry.form, to: base) && !isAttached(base.path)
    }

    /// Whether the file at a record's path is another one's that was agreed on at the same path: this one's left it before.
    private func isRivals(_ entry: LocalEntry, of base: BaseEntry) -> Bool {
        guard rivals[base.path] != nil, let name = baseName(of: entry.file), name != base.name,
            let owner = self.base[name]
        else { return false }
        return owner.path == base.path && canBind(entry.form, to: owner)
    }

    /// Whether a file belongs to no record that both sides know.
    package func isStray(_ path: FolderPath) -> Bool {
        guard local.contains(path), !isAttached(path) else { return false }
        return baseRecord(at: path).map { !isBound($0) } ?? true
    }

    /// Whether what is at a path need be no version of a record that is bound to it: it is where the zone has moved the record to,
    /// and is neither the record's file nor has the bytes that both sides agreed on.
    package func isUnrelated(_ path: FolderPath, to base: BaseEntry) -> Bool {
        guard path != base.path, let entry = local[path] else { return false }
        return entry.hash != base.hash && baseName(of: entry.file) != base.name
            && provenance[path].movedHere != base.name
    }

    /// Whether a file of this form can be a version of that record: a record's type never changes.
    package func canBind(_ form: FileForm, to base: BaseEntry) -> Bool {
        switch form {
        case .structured(let recordType, _): recordType == base.recordType && recordType != fileRecordType
        case .file, .unfit: base.recordType == fileRecordType
        case .held: false
        }
    }
}
