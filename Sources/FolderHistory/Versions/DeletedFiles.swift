import LocalFolder
import StateRows
import StateStorage
public import SyncModel

/// The files that were deleted since a moment, and are gone; one that stands there again is none of them.
public struct DeletedFiles: Hashable, Sendable {
    /// The last version of each before its deletion, in the order of their paths.
    public private(set) var versions: [KeptVersion] = []
    /// Those whose last version is in the zone alone, since their deletion has not gone out; in the order of their paths.
    public private(set) var inZone: [FolderPath] = []
    /// Those whose last version is not kept, in the order of their paths.
    public private(set) var notKept: [FolderPath] = []

    /// - Parameters:
    ///   - versions: All that is kept, newest first.
    ///   - moment: In milliseconds since 1970; what left in that very second counts.
    ///   - told: The files whose deletions since then the journal tells.
    ///   - inZone: Those that are gone, and whose last bytes are in the zone alone.
    ///   - isThere: Whether a file stands at a path now.
    init(
        among versions: [KeptVersion], since moment: Int64, told: Set<FolderPath>, inZone: Set<FolderPath>,
        isThere: (FolderPath) -> Bool
    ) {
        let newest = Dictionary(versions.map { ($0.path, $0) }) { first, _ in first }
        for path in told.union(inZone).union(newest.keys).sorted() where !isThere(path) {
            if inZone.contains(path) {
                self.inZone.append(path)
            } else if let version = newest[path], version.isLast,
                version.replacedMilliseconds / 1000 >= moment / 1000
            {
                self.versions.append(version)
            } else if told.contains(path) {
                notKept.append(path)
            }
        }
    }
}

extension KeptVersions {
    /// The files that were deleted since a moment, in milliseconds since 1970. A deletion that has not gone out is one of now.
    /// - Parameter path: The file, or the folder, that is meant; `nil` for all.
    /// - Throws: `StateError`, and an error for people where a version cannot be read.
    public func deleted(since moment: Int64, atOrBelow path: FolderPath?) throws -> DeletedFiles {
        let told = try StateStore.look(at: directory) { store in
            let deletions = try store.changes(limit: StateStore.keptChanges).filter {
                $0.atMilliseconds >= moment && $0.isDeletion
            }.compactMap(\.path)
            var told = Set(deletions.filter { file in path.map { file == $0 || file.isBelow($0) } ?? true })
            // Another record's, whose file was renamed or is deleted anew.
            if !told.isEmpty { try store.eachAgreed { told.remove($0.path) } }
            return told
        }
        let reader = FolderReader(root: root)
        return DeletedFiles(
            among: all, since: moment, told: told, inZone: try onlyInZone(atOrBelow: path),
            isThere: { reader.stamp(of: $0) != nil })
    }
}

extension JournalEntry {
    fileprivate var isDeletion: Bool { action == Self.recordDeleted || action == Self.fileDeleted }
}

extension KeptVersion {
    /// Whether nothing else stood at its path before it was gone, as far as that is known.
    fileprivate var isLast: Bool { wasDeleted || reason == nil }
}
