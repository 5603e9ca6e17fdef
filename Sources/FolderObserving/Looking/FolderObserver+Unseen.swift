import FolderKnowledge
import LocalFolder
import RecordTrees
import SessionCore
import SyncModel

/// What a scan could not look at (``UnobservedPaths``).
extension FolderObserver {
    /// Takes over what could not be looked at; what was looked at again and can be, is planned anew.
    func updateUnobserved(_ result: ScanResult, scope: ScanScope) {
        let seen = unobserved.take(result, scope: scope) { path in
            guard knowledge.trees.local[path] == nil, let stamp = environment.reader.stamp(of: path) else { return nil }
            return knowledge.trees.formerPath(of: stamp.file, at: path)
        }
        if !seen.isEmpty {
            knowledge.markAll()
            setbacks.release(near: Array(seen))
        }
        // No file went with what stood there, so nothing else tells that the way is free.
        let free = setbacks.blockedPlaces.filter { result.provesAbsence(of: $0) && !result.listed.contains($0) }
        setbacks.release(near: free, of: .pathBlocked)
    }

    /// Keeps up where directories stand in the places of files.
    func updateDirectoriesInPlace(_ result: ScanResult, scope: ScanScope) {
        for path in unobserved.takeDirectories(result.listed, scope: scope, in: knowledge.trees) {
            knowledge.mark(path)
        }
    }
}
