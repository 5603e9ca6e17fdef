import FolderControl
import FolderHistory
import FolderSettings
import StateRows
import StateStorage
import SyncModel
import SystemPackage

/// A path of a folder of which there is something to tell, be it that it is gone.
enum KnownPath {
    /// - Parameter path: `nil` for the folder itself.
    /// - Throws: ``CommandFailure`` where nothing is there, and neither side, no event and no kept version has it, or what would
    ///   be below it.
    static func check(_ path: FolderPath?, in directory: StateDirectory) throws {
        guard let path else { return }
        let place = directory.folder.pushing(path)
        guard try !PlainFiles.isThere(place) && !isStored(path, in: directory) else { return }
        guard try KeptVersions(of: directory, atOrBelow: path).all.isEmpty else { return }
        throw CommandFailure.nothingKnown(place, in: directory.folder)
    }

    private static func isStored(_ path: FolderPath, in directory: StateDirectory) throws -> Bool {
        func isMeant(_ other: FolderPath) -> Bool { other == path || other.isBelow(path) }
        return try StateStore.look(at: directory) { store in
            var isFound = false
            try store.eachFile { isFound = isFound || isMeant($0.path) }
            try store.eachAgreed { isFound = isFound || isMeant($0.path) || $0.assets.contains { isMeant($0.path) } }
            try store.eachRecord { isFound = isFound || isMeant($0.path) }
            if isFound { return true }
            if try store.conflicts().contains(where: { isMeant($0.original) || isMeant($0.copy) }) { return true }
            return try store.changes(after: 0, limit: StateStore.keptChanges).contains {
                FileEvent($0)?.concerns(path) ?? false
            }
        }
    }
}

extension CommandFailure {
    static func nothingKnown(_ path: FilePath, in folder: FilePath) -> Self {
        Self(
            status: .error,
            message:
                "Nothing is known of \(path): it is neither in the folder nor in the zone, and no event and no earlier "
                + "version of it is kept. See to the spelling: `zonefolder history \(ShellWord.quoted(folder.string))` "
                + "lists what was deleted.")
    }
}
