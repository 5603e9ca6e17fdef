public import SyncModel

/// Records whose files became another kind of record: a structured file whose text is no object any more or too long for
/// a record, and the other way around.
///
/// The old one, with all that other clients keep in it, goes in the request that brings the new one, or after it where the
/// zone has another version of it by now.
extension SyncTrees {
    /// The record at a path that has to give way to one of another kind, which is not in the zone yet.
    public func outgrownRecord(at path: FolderPath) -> RecordName? {
        baseRecord(at: path).flatMap { isOutgrown($0) ? $0.name : nil }
    }

    /// Whether a file record is gone from the zone while a structured one came for its path: its file is the other one's.
    package func isSucceeded(_ entry: BaseEntry) -> Bool {
        entry.recordType == fileRecordType && successor(at: entry.path).map { $0 != entry.name } ?? false
    }

    /// The structured record that takes the place of a file record at a path, with its file. One that was edited here meanwhile,
    /// and still fits no structured record, is held for it.
    package func successor(at path: FolderPath) -> RecordName? {
        guard let name = claims.claimants(of: path).first, base[name] == nil, self.path(of: name) == path,
            remote[name]?.recordType != fileRecordType, let old = baseRecord(at: path), remote[old.name] == nil,
            old.recordType == fileRecordType, isBound(old)
        else { return nil }
        return name
    }

    /// Whether nobody here touched the file that a structured record takes over.
    package func takesOverUntouched(_ name: RecordName, at path: FolderPath) -> Bool {
        guard successor(at: path) == name, let old = baseRecord(at: path), let file = local[path] else { return false }
        return file.hash == old.hash && file.executable == old.executable
    }

    /// Whether a record has to give way to one of another kind, which is not in the zone yet.
    package func isOutgrown(_ entry: BaseEntry) -> Bool {
        guard let file = local[entry.path], !isAttached(entry.path) else { return false }
        return !isMute(file.form, of: entry) && !canBind(file.form, to: entry)
            && baseRecord(at: entry.path).map { !isBound($0) } ?? true
    }

    /// The path of a live record as if those that give way to it were gone.
    package func pathAfterSuccession(of name: RecordName) -> FolderPath? {
        guard let entry = remote[name] else { return nil }
        guard let own = base[name], own.path == entry.path, isBound(own),
            let holder = claims.claimants(of: entry.path).first, holder != name,
            let old = base[holder], old.path == entry.path, !isBound(old), remote[holder]?.changeTag == old.changeTag
        else { return path(of: name) }
        return entry.path
    }
}
