public import SyncModel

/// Which files belong to the records of structured files.
extension SyncTrees {
    /// Whether a structured file names this file as an asset.
    public func isAttached(_ path: FolderPath) -> Bool {
        owners[path] != nil
    }

    /// Whether both sides agreed on a file as an asset of any record.
    package func isAgreedAsset(_ path: FolderPath) -> Bool { baseByAsset[path] != nil }
}
