public import LocalFolder
public import SyncModel
import SystemPackage

extension FolderWriter {
    /// Puts a staged file into the history, as a version of a file that is no longer in the folder.
    /// - Parameter batch: Makes it durable: finish it before anything relies on that.
    public func keep(
        _ staged: StagedFile, of path: FolderPath, as reason: KeptReason, batch: WriteBatch
    ) throws(FolderError) {
        do throws(Errno) {
            try staged.sync()
            let slot = try history.slot(for: path, at: seconds, reason, batch: batch).0
            try staged.place.rename(to: slot)
            staged.markPlaced(true)
            try batch.add(slot.directory)
        } catch {
            throw .stateDirectory("keeping a version", error)
        }
    }
}
