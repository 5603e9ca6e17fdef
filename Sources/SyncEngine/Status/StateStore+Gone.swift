package import LocalFolder
package import StateStorage
package import SyncModel

extension StateStore {
    /// Those of some files that are gone from a folder for good: none stands at the path, and no record has it whose deletion
    /// waits, or whose file goes there.
    package func gone(_ paths: Set<FolderPath>, from folder: FolderReader) throws -> Set<FolderPath> {
        var gone = paths.filter { folder.stamp(of: $0) == nil }
        guard !gone.isEmpty else { return [] }
        try eachAgreed { gone.remove($0.path) }
        return gone
    }
}
