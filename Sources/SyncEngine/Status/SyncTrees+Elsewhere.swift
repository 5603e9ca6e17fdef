import RecordTrees
import SyncModel

extension SyncTrees {
    /// How many deletions are of files that are equal to others which stay in the folder, as after a move that makes other records
    /// of them. Looks at every file of the folder.
    /// - Parameter isHeld: Whether a file is held, so that the zone may not have it.
    func countElsewhere(_ deletions: [Action], isHeld: (FolderPath) -> Bool) -> Int {
        let contents = deletions.compactMap { $0.record.flatMap { base[$0]?.hash } }
        let own = Set(deletions.map(\.path))
        var staying: [ContentHash: Int] = [:]
        for path in local.paths(with: Set(contents)) where !own.contains(path) && !isHeld(path) {
            guard let file = local[path], file.stamp.size > 0 else { continue }
            staying[file.hash, default: 0] += 1
        }
        return Dictionary(grouping: contents) { $0 }.reduce(0) { $0 + min($1.value.count, staying[$1.key] ?? 0) }
    }
}
