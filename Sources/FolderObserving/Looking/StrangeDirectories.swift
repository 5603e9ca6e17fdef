import SyncModel

/// Directories that cannot be read and below which no file is known.
///
/// Such a one may be a directory of ours under another name, and the files that are missing may be in it. So what went
/// missing when it turned up is not deleted unasked. What was seen elsewhere when it was there already is not in it.
struct StrangeDirectories: Sendable {
    /// Whether the whole folder was looked at since it was there.
    private var directories: [FolderPath: Bool] = [:]
    /// Records whose files may be in one of them.
    private(set) var doubted: Set<RecordName> = []

    /// Takes over what a look at the folder found.
    /// - Parameters:
    ///   - found: All that are there now.
    ///   - isWhole: Whether it was a look at the whole folder.
    ///   - missing: The records whose files this look found missing; where a directory turned up with it, all whose files
    ///     are missing.
    mutating func take(_ found: Set<FolderPath>, isWhole: Bool, missing: (_ isAnyNew: Bool) -> [RecordName]) {
        directories = directories.filter { found.contains($0.key) }
        guard !found.isEmpty else {
            doubted = []
            return
        }
        let isAnyNew = found.contains { directories[$0] == nil }
        if isAnyNew || directories.values.contains(false) { doubted.formUnion(missing(isAnyNew)) }
        for path in found {
            if directories[path] == nil {
                directories[path] = false
            } else if isWhole {
                directories[path] = true
            }
        }
    }
}
