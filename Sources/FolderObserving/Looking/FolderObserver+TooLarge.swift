import FolderKnowledge
import FolderSettings
import LocalFolder
import RecordMapping
import RecordTrees
import SessionCore
package import SyncModel
import SyncTiming

/// Files that are larger than anything that is sent: they are told by their size, and not read.
///
/// The disk of a virtual machine would else be read whole after each write, and nothing else would be looked at meanwhile.
extension FolderObserver {
    /// Tells of the files of a walk that are too large to be sent, but for those that a record may have: such a file is known
    /// by its bytes, where another device may send larger ones.
    func tellTooLarge(in walk: inout FolderWalk) {
        let (limit, now) = (environment.configuration.assetLimit, environment.clock.wall())
        let paths = walk.unread(largerThan: limit)
        guard !paths.isEmpty else { return }
        let missing = knowledge.trees.sizesOfMissingFiles
        walk.tell(
            paths.compactMap { path in
                guard let stamp = environment.reader.stamp(of: path), stamp.size > limit,
                    !StructuredFile.isCandidate(path, size: stamp.size, paths: knowledge.paths),
                    !missing.contains(stamp.size),
                    !knowledge.trees.mayHaveBytesOfRecord(stamp.file, size: stamp.size, at: path)
                else { return nil }
                return LocalFile(
                    path: path, stamp: stamp, hash: .unread(stamp), isSettled: stamp.isSettled(asOf: now))
            })
    }

    /// Owes a look at the files that were not read while others of their sizes were where both sides had them, and these are
    /// missing now: they may have been moved, by a copy and a deletion.
    /// - Returns: Whether there are any.
    func oweUnread(missing removals: [FolderPath]) -> Bool {
        let paths = knowledge.trees.unreadFiles(sizedAsThoseOf: removals)
        looks.owe(paths)
        return !paths.isEmpty
    }

    /// Whether a file that was not read may be what the zone has for it by now: it is to be read before it counts as an edit.
    package func isToBeRead(_ action: Action) -> Bool {
        guard let version = action.local, version.hash.isOfUnread else { return false }
        return knowledge.trees.mayHaveBytesOfRecord(version.stamp.file, size: version.stamp.size, at: action.path)
    }
}
