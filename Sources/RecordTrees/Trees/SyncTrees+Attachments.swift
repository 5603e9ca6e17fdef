public import SyncModel

/// Which files belong to the records of structured files.
extension SyncTrees {
    /// Whether a structured file names this file as an asset.
    public func isAttached(_ path: FolderPath) -> Bool {
        owners[path] != nil
    }
}
