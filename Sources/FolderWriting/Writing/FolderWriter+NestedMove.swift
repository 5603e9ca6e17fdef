import LocalFolder
import SyncModel
import SystemPackage

extension FolderWriter {
    /// Moves a file to the name of a directory above it, or to a path below its own name: what it leaves has to be gone
    /// before it arrives.
    ///
    /// Meanwhile it is in the history, for an instant: a crash then leaves the file missing and its record moved, so the
    /// record comes back, and an edit that was not sent yet stays in the history. Where anything else is in the way, it
    /// is not touched at all.
    func moveThroughHistory(
        _ path: FolderPath, to new: FolderPath, expecting stamp: FileStamp, _ hash: ContentHash, _ batch: WriteBatch?
    ) throws(FolderError) -> WriteOutcome {
        try commit("move a file to", new, in: batch) { batch throws(Errno) in
            guard try isAlone(path, upTo: new) else { return .blocked(.directory(new)) }
            let from = try place(of: path)
            let (slot, entry) = try history.slot(for: path, at: seconds, .changedThere, batch: batch)
            try from.rename(toOwn: slot)
            do throws(Errno) {
                try batch.add(from.directory)
                let out = try slot.status()
                guard out.kind == .file, out.stamp.isSameFile(as: stamp), out.stamp.size == stamp.size,
                    out.stamp.modified == stamp.modified
                else { return .superseded(.changed, conflictCopy: try putBack(slot, entry, batch)) }
                try removeDirectories(above: path, upTo: new, in: batch)
                let place = try place(making: new, in: batch)
                try slot.rename(to: place)
                try batch.add(place.directory)
                return .done(placed(new, try place.status().stamp, hash))
            } catch {
                // What was made for the new path would be in the old one's way.
                try? prune(above: new, in: batch)
                let copy = try putBack(slot, entry, batch)
                guard error == .fileExists else { throw error }
                return .superseded(.exists, conflictCopy: copy)
            }
        }
    }

    /// Whether the directories between a path and one above it, that one included, hold nothing else; `true` where the
    /// other path is not above.
    private func isAlone(_ path: FolderPath, upTo new: FolderPath) throws(Errno) -> Bool {
        var child = path
        while let directory = child.parent, directory == new || directory.isBelow(new) {
            let place = try place(of: child)
            guard try place.directory.descriptor.names().count == 1 else { return false }
            child = directory
        }
        return true
    }

    /// Removes the emptied directories above a path up to one of them, and none above that: it would be made anew with
    /// other permissions.
    private func removeDirectories(above path: FolderPath, upTo new: FolderPath, in batch: WriteBatch) throws(Errno) {
        var child = path
        while let directory = child.parent, directory == new || directory.isBelow(new) {
            let place = try place(of: directory)
            try place.removeDirectory()
            batch.noteRemoved(directory)
            try batch.add(place.directory)
            child = directory
        }
    }
}
