import LocalFolder
import SyncModel

/// The names of files that have several (hard links), as the last looks found them.
///
/// Nothing tells of a write under any other name than the one that was written through: where one is seen, so are the others.
/// Only such files are in here, by their numbers; the first look at the folder finds all of them.
package final class LinkedNames {
    private struct Number: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ stamp: FileStamp) {
            device = stamp.device
            inode = stamp.inode
        }
    }

    private var names: [Number: Set<FolderPath>] = [:]

    /// Takes over what a look found; after one at the whole folder nothing else counts.
    func take(_ found: [LinkedName], isWhole: Bool) {
        if isWhole { names = [:] }
        for name in found { names[Number(name.stamp), default: []].insert(name.path) }
    }

    /// The other names of a file whose last look is older than this one, sorted.
    /// - Parameter known: What was last seen of a path; `nil` where no file is known.
    func outdated(by found: LinkedName, known: (FolderPath) -> FileStamp?) -> [FolderPath] {
        let number = Number(found.stamp)
        var outdated: [FolderPath] = []
        for path in names[number] ?? [] where path != found.path {
            guard let stamp = known(path), stamp.isSameFile(as: found.stamp) else {
                names[number]?.remove(path)
                continue
            }
            if stamp != found.stamp { outdated.append(path) }
        }
        return outdated.sorted()
    }
}
