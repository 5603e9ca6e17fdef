package import SyncModel

/// Records whose files became another kind of record: a structured file whose text is no object any more or too long for
/// a record, and the other way around.
///
/// The old one, with all that other clients keep in it, goes in the request that brings the new one, or after it where the
/// zone has another version of it by now.
extension SyncTrees {
    /// The path of a live record as if those that give way to it were gone.
    package func pathAfterSuccession(of name: RecordName) -> FolderPath? {
        guard let entry = remote[name] else { return nil }
        guard let own = base[name], own.path == entry.path, isBound(own),
            let holder = claims.claimants(of: entry.path).first, holder != name,
            let old = base[holder], old.path == entry.path, !isBound(old), old.isUnchanged(in: remote[holder])
        else { return path(of: name) }
        return entry.path
    }
}
