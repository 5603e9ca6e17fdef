public import SyncModel
import SystemPackage

/// Looks at the folder and says what is there: one walk of the directories, then a read of what changed.
///
/// Costs two system calls a directory and one a file whose stamp is known. No symbolic link is followed, no mount
/// point is crossed, and what is neither file nor directory is named and left alone.
public struct FolderScanner: Sendable {
    /// The folder that is looked at.
    public var root: FolderRoot
    /// What is left out.
    public var rules: IgnoreRules

    /// Takes the folder, and what to leave out.
    public init(root: FolderRoot, rules: IgnoreRules) {
        self.root = root
        self.rules = rules
    }

    /// How many files the folder has, and their bytes: one walk, and nothing is read.
    public func measure() -> FolderMeasure {
        var walk = ScanWalk(root: root, rules: rules)
        walk.lookAtWhole()
        return FolderMeasure(
            files: walk.toHash.count, bytes: walk.bytesToHash.reduce(0, +), unreadable: walk.result.unreadable.count)
    }

    /// How many directories no rule leaves out, with the folder itself: each needs a watch.
    public func countDirectories() -> Int {
        var count = 0
        var walk = ScanWalk(root: root, rules: rules, onDirectory: { _ in count += 1 })
        walk.lookAtWhole()
        return count
    }

    /// Looks at the whole folder or at some paths.
    ///
    /// - Parameters:
    ///   - now: Nanoseconds since 1970, by the clock that also stamps the files.
    ///   - restless: Files that are told as they stood at some moment of the look, though they change while they are read.
    ///   - unchanged: The number, from 0, of a file that is known with a stamp and need not be told of; it is not read then.
    ///   - previous: What is known of a file. Where its stamp still holds and was settled, the file is not read.
    ///   - onDirectory: Called before a directory is listed, so that a watch placed there misses nothing; `nil` is
    ///     the folder itself.
    public func scan(
        _ scope: ScanScope, now: Int64, restless: Set<FolderPath> = [],
        unchanged: (FolderPath, FileStamp) -> Int? = { _, _ in nil }, previous: (FolderPath) -> LocalFile?,
        onDirectory: (FolderPath?) -> Void = { _ in }
    ) -> ScanResult {
        let walk = walk(scope, unchanged: unchanged, previous: previous, onDirectory: onDirectory)
        return finish(walk, now: now, restless: restless)
    }

    /// Walks the directories; ``finish(_:now:restless:)`` makes a look of it, or a part at a time
    /// ``read(_:atMost:bytes:now:restless:)``.
    ///
    /// The parameters are those of ``scan(_:now:restless:unchanged:previous:onDirectory:)``.
    public func walk(
        _ scope: ScanScope, unchanged: (FolderPath, FileStamp) -> Int? = { _, _ in nil },
        previous: (FolderPath) -> LocalFile? = { _ in nil }, onDirectory: (FolderPath?) -> Void = { _ in }
    ) -> FolderWalk {
        withoutActuallyEscaping(unchanged) { unchanged in
            withoutActuallyEscaping(previous) { previous in
                withoutActuallyEscaping(onDirectory) { onDirectory in
                    var walk = ScanWalk(
                        root: root, rules: rules, unchanged: unchanged, previous: previous,
                        onDirectory: onDirectory)
                    switch scope {
                    case .whole: walk.lookAtWhole()
                    case .paths(let paths): walk.look(at: paths)
                    }
                    return FolderWalk(result: walk.result, toHash: walk.toHash, sizes: walk.bytesToHash)
                }
            }
        }
    }

    /// Reads the files that a walk found changed.
    ///
    /// The parameters are those of ``read(_:atMost:bytes:now:restless:)``.
    public func finish(_ walk: consuming FolderWalk, now: Int64, restless: Set<FolderPath> = []) -> ScanResult {
        walk.result.files = read(&walk, atMost: .max, now: now, restless: restless)
        return walk.result
    }

    /// Reads some of the files that a walk found changed, and gives them; at the first time with those of which it was asked to
    /// tell, though they need not be read. What cannot be read is in the walk's result then.
    ///
    /// - Parameters:
    ///   - count: So many are read at most.
    ///   - bytes: They have so many bytes together at most, by their stamps, unless the first one alone has more.
    ///   - now: Nanoseconds since 1970, by the clock that also stamps the files.
    ///   - restless: Files that are told as they stood at some moment of the look, though they change while they are read.
    public func read(
        _ walk: inout FolderWalk, atMost count: Int, bytes: Int64 = .max, now: Int64, restless: Set<FolderPath> = []
    ) -> [LocalFile] {
        let files = walk.takeUnread(count, bytes: bytes)
        HashingPass(root: root, now: now, restless: restless).run(files, into: &walk.result)
        defer { walk.result.files = [] }
        return walk.result.files
    }
}
