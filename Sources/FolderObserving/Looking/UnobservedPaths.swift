package import LocalFolder
import ProblemSentences
package import RecordTrees
package import SyncModel

/// What the looks at the folder could not look at, and what stands where files belong.
///
/// None of it is ever taken for absence: that a file was not seen there says nothing, and is no deletion.
package final class UnobservedPaths {
    /// Directories and files that could not be read, with the reason.
    private var unreadable: [FolderPath: Problem] = [:]
    /// Where records' files were that were renamed and cannot be read.
    private var left: Set<FolderPath> = []
    /// What stands in the folder and is never synced.
    private var skipped: [FolderPath: SkippedPath.Reason] = [:]
    /// What rules leave out although a person may have meant it to be synced.
    private var leftOut: [FolderPath: IgnoreRule] = [:]
    /// Directories in which nothing is synced, where files of both sides were.
    private var directories: Set<FolderPath> = []
    private var strangers = StrangeDirectories()

    // MARK: What a look found

    /// Takes over what a look found.
    /// - Parameter formerPath: Where a file that cannot be read was, by its numbers.
    /// - Returns: What is no longer among ``unseen``.
    func take(
        _ result: ScanResult, scope: ScanScope, formerPath: (FolderPath) -> FolderPath?
    ) -> Set<FolderPath> {
        let before = unseen
        let look = Look(scope)
        unreadable = unreadable.filter { !look.covers($0.key) }
        skipped = skipped.filter { !look.covers($0.key) }
        leftOut = leftOut.filter { !look.covers($0.key) }
        for found in result.unreadable {
            guard let path = found.path else { continue }
            unreadable[path] = .unreadable(
                path, reason: "\(found.errno)", isForLackOfDescriptors: found.isForLackOfDescriptors)
        }
        for found in result.skipped { skipped[found.path] = found.reason }
        for found in result.leftOut { leftOut[found.path] = found.rule }
        // A record's file that cannot be read was perhaps renamed: then its old path is empty, and proves nothing.
        left = Set(unreadable.keys.compactMap(formerPath))
        return before.subtracting(unseen)
    }

    /// Keeps up where directories stand in which nothing is synced, while a file of both sides belongs there. Once a file is
    /// below one, a person made a directory of the file.
    /// - Returns: Where such a one came or went.
    func takeDirectories(_ listed: Set<FolderPath?>, scope: ScanScope, in trees: SyncTrees) -> Set<FolderPath> {
        let look = Look(scope)
        let found = listed.compactMap(\.self).filter(trees.isAgreed) + directories.filter { !look.covers($0) }
        let now = Set(found.filter { !trees.hasFiles(below: $0) })
        defer { directories = now }
        return now.symmetricDifference(directories)
    }

    /// Keeps up which directories cannot be read and may be others that were renamed, and what is missing since they are
    /// there.
    /// - Parameters:
    ///   - removals: The files that the look found missing.
    ///   - isDirectory: Whether no file can be told at a path that cannot be read.
    func takeStrangers(
        missing removals: [FolderPath], isWhole: Bool, in trees: SyncTrees, isDirectory: (FolderPath) -> Bool
    ) {
        let found = Set(unreadable.keys.filter { !trees.hasFiles(below: $0) && isDirectory($0) })
        strangers.take(found, isWhole: isWhole) { isAnyNew in
            guard isAnyNew else { return removals.compactMap { trees.baseRecord(at: $0)?.name } }
            let removed = Set(removals)
            return trees.base.values.filter { !trees.local.contains($0.path) || removed.contains($0.path) }.map(\.name)
        }
    }

    // MARK: What is known of it

    /// Paths of which nothing is known, with all that is below them.
    var unseen: Set<FolderPath> { left.union(unreadable.keys).union(skipped.keys) }

    /// What could not be read when it was last looked at.
    var unreadablePaths: Set<FolderPath> { Set(unreadable.keys) }

    var hasUnreadablePaths: Bool { !unreadable.isEmpty }

    func isUnreadable(_ path: FolderPath) -> Bool { unreadable[path] != nil }

    /// All that was found and is no file to sync.
    package var noted: Set<FolderPath> { Set(skipped.keys).union(unreadable.keys).union(leftOut.keys) }

    /// Records whose files may be below a directory that cannot be read.
    package var doubtedRecords: Set<RecordName> { strangers.doubted }

    /// Whether a path's absence from the local tree says nothing.
    package func isUnobserved(by rules: IgnoreRules) -> @Sendable (FolderPath) -> Bool {
        let (directories, isUnseen) = (directories, isUnseen)
        return { directories.contains($0) || rules.isIgnored($0, isDirectory: false) || isUnseen($0) }
    }

    /// Whether nothing is known of a path, for it or a directory above it could not be looked at.
    package var isUnseen: @Sendable (FolderPath) -> Bool { Self.atOrBelow(unseen) }

    /// Whether something else stands where a file was, or above it: there is none.
    package func isObstructed(by rules: IgnoreRules) -> @Sendable (FolderPath) -> Bool {
        let directories = directories
        let isObstructed = Self.atOrBelow(Set(skipped.lazy.filter(\.value.excludesFiles).map(\.key)))
        return { directories.contains($0) || isObstructed($0) && !rules.isIgnored($0, isDirectory: false) }
    }

    /// What a person is told of it, by path; ``obstacles(in:)`` take precedence.
    package func problems(in trees: SyncTrees) -> [FolderPath: Problem] {
        var problems: [FolderPath: Problem] = [:]
        for (path, reason) in skipped { problems[path] = .skipped(path, reason) }
        for (path, rule) in leftOut {
            problems[path] = .leftOut(path, by: rule, isInZone: trees.isUsed(atOrBelow: path))
        }
        return problems.merging(unreadable) { _, unreadable in unreadable }
    }

    /// What stands where files belong that both sides have, or that are to come.
    package func obstacles(in trees: SyncTrees) -> [FolderPath: Problem] {
        var problems: [FolderPath: Problem] = [:]
        for path in directories where trees.isAgreed(at: path) {
            problems[path] = .obstructed(path, .directory, isAgreed: true)
        }
        for (path, reason) in skipped where trees.isUsed(atOrBelow: path) {
            problems[path] = .obstructed(path, reason, isAgreed: trees.isAgreed(at: path))
        }
        return problems
    }

    /// What a look was at.
    private struct Look {
        /// `nil`: the whole folder.
        private let paths: Set<FolderPath>?

        init(_ scope: ScanScope) {
            paths = if case .paths(let paths) = scope { Set(paths) } else { nil }
        }

        func covers(_ path: FolderPath) -> Bool {
            guard let paths else { return true }
            return paths.contains(path) || path.isBelow(anyOf: paths)
        }
    }

    /// Whether a path, or a directory above it, is among some.
    private static func atOrBelow(_ places: Set<FolderPath>) -> @Sendable (FolderPath) -> Bool {
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

extension FolderPath {
    /// Whether a directory above this path is among some.
    func isBelow(anyOf folders: Set<FolderPath>) -> Bool {
        ancestors.contains(where: folders.contains)
    }
}
