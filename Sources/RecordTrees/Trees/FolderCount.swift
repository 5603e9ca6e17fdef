import SyncModel

/// How many of many paths lie in each folder, not counting those below its folders.
///
/// Paths that come in their order change the folder seldom, so that few are looked up.
struct FolderCount {
    private var counts: [FolderPath: Int] = [:]
    /// The folder of the last path, and how many are in it that are not in the counts yet.
    private var last: (folder: FolderPath, number: Int)?

    init() {}

    mutating func add(_ path: FolderPath) {
        if let last, path.isDirectly(in: last.folder) {
            self.last!.number += 1
            return
        }
        close()
        last = path.parent.map { ($0, 1) }
    }

    private mutating func close() {
        if let last { counts[last.folder, default: 0] += last.number }
        last = nil
    }

    /// By the folder; the top one has none.
    var files: [FolderPath: Int] {
        var all = self
        all.close()
        return all.counts
    }
}

extension FolderPath {
    fileprivate func isDirectly(in folder: FolderPath) -> Bool {
        isBelow(folder) && !bytes[(folder.bytes.count + 1)...].contains(UInt8(ascii: "/"))
    }
}
