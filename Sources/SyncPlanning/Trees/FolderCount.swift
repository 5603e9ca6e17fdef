import SyncModel

/// How many of many paths lie in each folder, not counting those below its folders.
///
/// Paths that come in their order change the folder seldom, so that few are looked up.
struct FolderCount {
    /// By the folder; the top one has none.
    private(set) var files: [FolderPath: Int] = [:]

    init(_ paths: some Sequence<FolderPath>) {
        var folder: FolderPath?
        var number = 0
        for path in paths {
            if let folder, path.isBelow(folder), !path.bytes[(folder.bytes.count + 1)...].contains(UInt8(ascii: "/")) {
                number += 1
                continue
            }
            if let folder { files[folder, default: 0] += number }
            folder = path.parent
            number = 1
        }
        if let folder { files[folder, default: 0] += number }
    }
}
