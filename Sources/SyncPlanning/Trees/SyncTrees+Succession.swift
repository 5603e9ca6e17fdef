public import SyncModel

/// Records whose files became another kind of record: a structured file whose text is no object any more or too long for
/// a record, and the other way around.
///
/// The new record is sent first. The old one, with all that other clients keep in it, goes once the zone has the new one.
extension SyncTrees {
    /// The record at a path that has to give way to one of another kind, which is not in the zone yet.
    public func outgrownRecord(at path: FolderPath) -> RecordName? {
        baseRecord(at: path).flatMap { isOutgrown($0) ? $0.name : nil }
    }

    /// Whether a record has to give way to one of another kind, which is not in the zone yet.
    func isOutgrown(_ entry: BaseEntry) -> Bool {
        guard let file = local[entry.path], !isAttached(entry.path) else { return false }
        return !file.form.isHeld && !canBind(file.form, to: entry)
            && baseRecord(at: entry.path).map { !isBound($0) } ?? true
    }

    /// The path of a live record as if those that give way to it were gone.
    func pathAfterSuccession(of name: RecordName) -> FolderPath? {
        guard let entry = remote[name] else { return nil }
        guard let own = base[name], own.path == entry.path, isBound(own),
            let holder = claims.claimants(of: entry.path).first, holder != name,
            let old = base[holder], old.path == entry.path, !isBound(old), remote[holder]?.changeTag == old.changeTag
        else { return path(of: name) }
        return entry.path
    }
}
