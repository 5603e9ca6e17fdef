public import SyncModel
import SystemPackage

extension FolderWriter {
    /// Takes a file away again that was put at a free path just now. It goes back to staging, which needs no room on a full
    /// disk and leaves nothing in history, and is removed with the last reference to it.
    ///
    /// One that somebody wrote to, or has open for writing, stays: it is theirs.
    public func takeBack(
        _ staged: StagedFile, placedAs file: LocalFile, batch: WriteBatch? = nil
    ) throws(FolderError) -> WriteOutcome {
        try commit("take back", file.path, in: batch) { batch throws(Errno) in
            let place = try place(of: file.path)
            if let outcome = try mismatch(at: place, file.path, expecting: file.stamp) { return outcome }
            try place.rename(to: staged.place)
            try batch.add(place.directory)
            if let now = try? Filed(reading: staged.place), now.stamp.isSameFile(as: file.stamp), now.hash == file.hash,
                !now.mayChange
            {
                staged.markPlaced(false)
                try prune(above: file.path, in: batch)
                return .done(placed(file.path, now.stamp, now.hash))
            }
            do throws(Errno) {
                try staged.place.rename(to: place)
            } catch .fileExists {
                let copy = try rename(staged.place, toFreeCopyOf: file.path, in: place.directory)
                return .superseded(.changed, conflictCopy: copy)
            }
            return .superseded(.changed, conflictCopy: nil)
        }
    }
}
