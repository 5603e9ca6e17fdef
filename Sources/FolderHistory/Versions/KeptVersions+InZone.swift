import LocalFolder
import StateStorage
public import SyncModel

extension KeptVersions {
    /// The files that are gone from the folder, and whose last bytes the zone alone has: they come into the history just before the
    /// deletion goes out. What is kept of such a file is older.
    /// - Parameter path: The file, or the folder, that is meant; `nil` for all.
    public func onlyInZone(atOrBelow path: FolderPath?) throws -> Set<FolderPath> {
        let reader = FolderReader(root: root)
        let newest = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }
        let (agreed, local) = try StateStore.look(at: directory) { store in
            (try store.agreedAssets(), try store.localFiles())
        }
        return Set(
            try agreed.compactMap { file, hashes in
                guard path.map({ file == $0 || file.isBelow($0) }) ?? true, reader.stamp(of: file) == nil else {
                    return nil
                }
                // One that was renamed is in the folder still.
                if hashes.contains(where: { local[$0]?.contains { reader.stamp(of: $0) != nil } ?? false }) {
                    return nil
                }
                let isKept = try newest[file].map { hashes.contains(try contents(of: $0).hash) } ?? false
                return isKept ? nil : file
            })
    }
}
