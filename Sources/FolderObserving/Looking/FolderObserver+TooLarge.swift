import FolderKnowledge
import FolderSettings
import LocalFolder
import RecordTrees
import SessionCore
import SyncModel
import SyncTiming

/// Files that are larger than anything that is sent: they are told by their size, and not read.
///
/// The disk of a virtual machine would else be read whole after each write, and nothing else would be looked at meanwhile.
extension FolderObserver {
    /// Tells of the files of a walk that are too large to be sent, but for those that a record may have: such a file is known
    /// by its bytes, where another device may send larger ones.
    func tellTooLarge(in walk: inout FolderWalk) {
        let (limit, now) = (environment.configuration.assetLimit, environment.clock.wall())
        walk.tell(
            walk.unread(largerThan: limit).compactMap { path in
                guard let stamp = environment.reader.stamp(of: path), stamp.size > limit,
                    !knowledge.trees.mayHaveBytesOfRecord(stamp.file, size: stamp.size, at: path)
                else { return nil }
                return LocalFile(
                    path: path, stamp: stamp, hash: .unread(stamp), isSettled: stamp.isSettled(asOf: now))
            })
    }
}
