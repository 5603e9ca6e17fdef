import SyncModel
import SystemPackage

extension FolderWriter {
    /// Moves a file to the name of a directory above it, or to a path below its own name: what it leaves has to be gone
    /// before it arrives.
    ///
    /// Meanwhile it is in the history, where a crash loses nothing: the file is missing then, its record is not, and a
    /// record that moved comes back.
    func moveThroughHistory(
        _ path: FolderPath, to new: FolderPath, expecting stamp: FileStamp, _ hash: ContentHash, _ batch: WriteBatch?
    ) throws(FolderError) -> WriteOutcome {
        try commit("move a file to", new, in: batch) { batch throws(Errno) in
            let from = try place(of: path)
            let (slot, entry) = try history.slot(for: path, at: seconds, batch: batch)
            try from.rename(to: slot)
            try batch.add(from.directory)
            let out = try slot.status()
            guard out.kind == .file, out.stamp.isSameFile(as: stamp), out.stamp.size == stamp.size,
                out.stamp.modified == stamp.modified
            else {
                return .superseded(.changed, conflictCopy: try putBack(slot, entry, batch))
            }
            do throws(Errno) {
                try prune(above: path, in: batch)
                let place = try place(making: new, in: batch)
                try slot.rename(to: place)
                try batch.add(place.directory)
                return .done(placed(new, try place.status().stamp, hash))
            } catch {
                let copy = try putBack(slot, entry, batch)
                guard error == .fileExists || obstacle(on: new, error) != nil else { throw error }
                guard let reason = obstacle(at: new, try self.place(of: new).status().kind) else {
                    return .superseded(.exists, conflictCopy: copy)
                }
                return .blocked(reason)
            }
        }
    }
}
