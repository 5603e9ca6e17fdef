public import LocalFolder
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
            // Before it leaves its place: a crash in between removes what is in staging.
            guard try Filed(reading: place).isUntouched(file) else { return .superseded(.changed, conflictCopy: nil) }
            try place.rename(toOwn: staged.place)
            if let now = try? Filed(reading: staged.place), now.isUntouched(file) {
                staged.markPlaced(false)
                try batch.add(place.directory)
                try prune(above: file.path, in: batch)
                return .done(placed(file.path, now.stamp, now.hash))
            }
            var copy: FolderPath?
            do throws(Errno) {
                try staged.place.rename(to: place)
            } catch {
                if error == .fileExists {
                    copy = try? rename(staged.place, toFreeCopyOf: file.path, ofDevice: device, in: place.directory)
                }
                // It must not stay where the next start removes it.
                if copy == nil {
                    try staged.place.rename(
                        to: history.slot(for: file.path, at: seconds, .deletedThere, batch: batch).0)
                }
            }
            try batch.add(place.directory)
            return .superseded(.changed, conflictCopy: copy)
        }
    }
}

extension Filed {
    /// Whether it is what was put there, and nobody can write to it unseen.
    fileprivate func isUntouched(_ file: LocalFile) -> Bool {
        stamp.isSameFile(as: file.stamp) && hash == file.hash && !mayChange
    }
}
