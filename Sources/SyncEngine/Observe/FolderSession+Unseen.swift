import LocalFolder
import SyncModel
import SyncPlanning

/// What a scan could not look at, and what stands where files belong: never taken for absence.
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
            leftOut = [:]
        case .paths(let paths):
            let looked = Set(paths)
            unreadable = unreadable.filter { !looked.contains($0.key) && !isBelow($0.key, looked) }
            skipped = skipped.filter { !looked.contains($0.key) && !isBelow($0.key, looked) }
            leftOut = leftOut.filter { !looked.contains($0.key) && !isBelow($0.key, looked) }
        }
        for found in result.unreadable {
            guard let path = found.path else { continue }
            unreadable[path] = .unreadable(
                path, reason: "\(found.errno)", isForLackOfDescriptors: found.isForLackOfDescriptors)
        }
        for found in result.skipped { skipped[found.path] = found.reason }
        for found in result.leftOut { leftOut[found.path] = found.rule }
        // A record's file that cannot be read was perhaps renamed: then its old path is empty, and proves nothing.
        leftUnreadable = Set(
            unreadable.keys.compactMap { path in
                guard trees.local[path] == nil, let stamp = reader.stamp(of: path) else { return nil }
                return trees.formerPath(of: stamp.file, at: path)
            })
        let seen = before.subtracting(unseen)
        if !seen.isEmpty {
            trees.markAllDirty()
            forgetRefusals(near: Array(seen))
        }
        // No file went with what stood there, so nothing else tells that the way is free.
        let blocked = refusals.filter { $0.value.problem.code == .pathBlocked }.map { $1.place ?? $0.path }
        let free = blocked.filter { result.provesAbsence(of: $0) && !result.listed.contains($0) }
        forgetRefusals(near: free, of: .pathBlocked)
    }

    /// Keeps up where directories stand in which nothing is synced, while a file of both sides belongs there. Once a file is
    /// below one, a person made a directory of the file.
    func updateDirectoriesInPlace(_ result: ScanResult, scope: ScanScope) {
        let looked: Set<FolderPath>? = if case .paths(let paths) = scope { Set(paths) } else { nil }
        var found = result.listed.compactMap(\.self).filter(trees.isAgreed)
        if let looked { found += directoriesInPlace.filter { !looked.contains($0) && !isBelow($0, looked) } }
        let now = Set(found.filter { !trees.hasFiles(below: $0) })
        guard now != directoriesInPlace else { return }
        for path in now.symmetricDifference(directoriesInPlace) { trees.markDirty(path: path) }
        directoriesInPlace = now
    }

    /// What stands where files belong that both sides have, or that are to come.
    var obstacles: [FolderPath: Problem] {
        var problems: [FolderPath: Problem] = [:]
        for path in directoriesInPlace where trees.isAgreed(at: path) {
            problems[path] = .obstructed(path, .directory, isAgreed: true)
        }
        for (path, reason) in skipped where trees.isUsed(atOrBelow: path) {
            problems[path] = .obstructed(path, reason, isAgreed: trees.isAgreed(at: path))
        }
        return problems
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
        rules: IgnoreRules, unseen: Set<FolderPath>, directories: Set<FolderPath>
    ) -> @Sendable (FolderPath) -> Bool {
        let isUnseen = atOrBelow(unseen)
        return { path in
            directories.contains(path) || rules.isIgnored(path, isDirectory: false) || isUnseen(path)
        }
    }

    /// Whether something else stands where a file was, or above it: there is none.
    nonisolated static func obstructed(
        rules: IgnoreRules, _ obstacles: Set<FolderPath>, directories: Set<FolderPath>
    ) -> @Sendable (FolderPath) -> Bool {
        let isObstructed = atOrBelow(obstacles)
        return { path in
            directories.contains(path) || isObstructed(path) && !rules.isIgnored(path, isDirectory: false)
        }
    }

    /// Whether a path, or a directory above it, is among some.
    nonisolated static func atOrBelow(_ places: Set<FolderPath>) -> @Sendable (FolderPath) -> Bool {
        { path in
            guard !places.isEmpty else { return false }
            var above: FolderPath? = path
            while let current = above {
                if places.contains(current) { return true }
                above = current.parent
            }
            return false
        }
    }
}
