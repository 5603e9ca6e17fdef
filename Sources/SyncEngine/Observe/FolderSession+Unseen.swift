import LocalFolder
import SyncModel
import SyncPlanning

/// What a scan could not look at: never taken for absence.
extension FolderSession {
    /// Paths of which nothing is known, with all that is below them.
    var unseen: Set<FolderPath> { leftUnreadable.union(unreadable.keys).union(skipped.keys) }

    /// Takes over what could not be looked at; what was looked at again and can be, is planned anew.
    func updateUnobserved(_ result: ScanResult, scope: ScanScope) {
        let before = unseen
        switch scope {
        case .whole:
            unreadable = [:]
            skipped = [:]
        case .paths(let paths):
            let looked = Set(paths)
            unreadable = unreadable.filter { !looked.contains($0.key) && !isBelow($0.key, looked) }
            skipped = skipped.filter { !looked.contains($0.key) && !isBelow($0.key, looked) }
        }
        for found in result.unreadable {
            guard let path = found.path else { continue }
            unreadable[path] = .unreadable(
                path, reason: "\(found.errno)", isForLackOfDescriptors: found.isForLackOfDescriptors)
        }
        for found in result.skipped { skipped[found.path] = .skipped(found.path, found.reason) }
        // A record's file that cannot be read was perhaps renamed: then its old path is empty, and proves nothing.
        leftUnreadable = Set(
            unreadable.keys.compactMap { path in
                guard trees.local[path] == nil, let stamp = reader.stamp(of: path) else { return nil }
                return trees.formerPath(of: stamp.file, at: path)
            })
        if !before.isSubset(of: unseen) { trees.markAllDirty() }
    }

    /// Notes the directories that cannot be read and below which no file is known, and what is missing since they are there.
    func updateStrangers(missing removals: [FolderPath], isWhole: Bool) {
        let removed = Set(removals)
        let found = Set(unreadable.keys.filter { !trees.hasFiles(below: $0) && reader.stamp(of: $0) == nil })
        strangers.take(found, isWhole: isWhole) { isAnyNew in
            guard isAnyNew else { return removals.compactMap { trees.baseRecord(at: $0)?.name } }
            return trees.base.values.filter { trees.local[$0.path] == nil || removed.contains($0.path) }.map(\.name)
        }
    }

    /// Whether a path's absence from the local tree says nothing.
    nonisolated static func unobserved(
        rules: IgnoreRules, unreadable: Set<FolderPath>
    ) -> @Sendable (FolderPath) -> Bool {
        let isUnreadable = Self.unreadable(unreadable)
        return { path in rules.isIgnored(path, isDirectory: false) || isUnreadable(path) }
    }

    /// Whether a path, or a directory above it, is among those that cannot be read.
    nonisolated static func unreadable(_ unreadable: Set<FolderPath>) -> @Sendable (FolderPath) -> Bool {
        { path in
            guard !unreadable.isEmpty else { return false }
            var above: FolderPath? = path
            while let current = above {
                if unreadable.contains(current) { return true }
                above = current.parent
            }
            return false
        }
    }
}
