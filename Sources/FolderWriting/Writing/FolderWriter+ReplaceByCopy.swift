import LocalFolder
import SyncModel
import SystemPackage

extension FolderWriter {
    /// The way with neither an exchange nor links, as on exFAT: what is filed is a copy.
    ///
    /// What is written into the old file after it was copied comes into a conflict copy. Only what a program that has it open
    /// writes still later goes with it.
    /// - Parameters:
    ///   - new: The staged file.
    ///   - old: The file in the folder, of which nothing was read yet.
    func replaceByCopy(
        _ path: FolderPath, _ place: Place, _ slot: Place, with staged: StagedFile, _ new: borrowing Descriptor,
        _ old: borrowing Descriptor, expecting stamp: FileStamp, _ hash: ContentHash, _ batch: WriteBatch
    ) throws(Errno) -> WriteOutcome {
        let (copy, read, last): (StagedFile, ContentHash, FileReader)
        do throws(FolderError) {
            let reader = FolderReader(root: root)
            copy = try stage(try reader.open(path))
            read = try copy.finish(executable: stamp.executable, modified: stamp.modified)
            last = try reader.open(path)
        } catch {
            throw error.errno
        }
        guard hash.isOfUnread || read == hash, last.stamp == stamp, try place.status().stamp == stamp else {
            return .superseded(.changed, conflictCopy: nil)
        }
        try copy.place.rename(over: slot)
        copy.markPlaced(true)
        try staged.place.rename(over: place)
        staged.markPlaced(true)
        try batch.add(place.directory)
        var buffer = HashingBuffer()
        guard try buffer.hash(of: old).0 == read else {
            do throws(FolderError) {
                let late = try stage(last)
                try late.finish(executable: stamp.executable)
                return .superseded(.changed, conflictCopy: try keepConflictCopy(late, of: path))
            } catch {
                throw error.errno
            }
        }
        return try confirm(path, place, staged.finished, new)
    }

    /// Stages what is left to read of a file.
    private func stage(_ file: FileReader) throws(FolderError) -> StagedFile {
        let copy = try stage()
        while let piece = try file.next() { try copy.write(piece) }
        return copy
    }
}
