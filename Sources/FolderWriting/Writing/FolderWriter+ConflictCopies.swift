public import LocalFolder
public import SyncModel
import SystemPackage

extension FolderWriter {
    /// Copies a file's present bytes to a conflict copy beside it, durably, and gives the copy's path.
    ///
    /// The same bytes are never kept twice: where a conflict copy of this path has them, that one's path is given.
    /// - Returns: `nil` where no file is there any more.
    public func keepConflictCopy(of path: FolderPath) throws(FolderError) -> FolderPath? {
        try makeConflictCopy(of: path)?.path
    }

    /// The same, for one that may have to be taken back.
    public func makeConflictCopy(of path: FolderPath) throws(FolderError) -> ConflictCopy? {
        let contents: StagedFile
        do throws(FolderError) {
            contents = try stageCopy { () throws(FolderError) in try FolderReader(root: root).open(path) }
        } catch {
            if error.code == .notFound || error.code == .notAFile { return nil }
            throw error
        }
        return try place(contents, besides: path)
    }

    /// Puts the zone's version of a file beside it as a conflict copy, durably; the same bytes are never kept twice.
    public func makeConflictCopy(ofZone version: StagedFile, of path: FolderPath) throws(FolderError) -> ConflictCopy {
        try place(version, besides: path, ofDevice: nil)
    }

    /// Copies bytes that were written after their file had left the folder to a conflict copy.
    public func keepConflictCopy(of late: LateWrite) throws(FolderError) -> FolderPath {
        let staged = try stageCopy { () throws(FolderError) in try history.open(late.entry) }
        let copy = try place(staged, besides: late.path)
        lateWriters.keep(copy, of: late)
        return copy.path
    }

    /// Puts staged bytes beside a path as a conflict copy, unless one has them already.
    public func keepConflictCopy(_ staged: StagedFile, of path: FolderPath) throws(FolderError) -> FolderPath {
        try place(staged, besides: path).path
    }

    /// Removes a copy that was made just now and turned out not to be needed, for the file stays; one that was there before,
    /// or that somebody wrote to, stays.
    /// - Returns: Whether it is gone.
    public func takeBack(_ copy: ConflictCopy) -> Bool {
        guard let made = copy.made else { return false }
        do throws(Errno) {
            let place = try place(of: copy.path)
            let now = try place.status().stamp
            guard now.isSameFile(as: made), now.size == made.size, now.modified == made.modified else { return false }
            try place.remove()
            return true
        } catch {
            // It stays, and is told of.
            return false
        }
    }

    private func stageCopy(
        _ open: () throws(FolderError) -> FileReader
    ) throws(FolderError) -> StagedFile {
        var path: FolderPath?
        for _ in 0..<8 {
            let reader = try open()
            path = reader.path
            let staged = try stage()
            while let piece = try reader.next() {
                try staged.write(piece)
                // A file that grows for ever must not fill the disk.
                if staged.size > reader.stamp.size { break }
            }
            guard case .unchanged = try reader.finish() else { continue }
            try staged.finish(executable: reader.stamp.executable, modified: reader.stamp.modified)
            return staged
        }
        guard let path else { preconditionFailure("a file that cannot be opened throws") }
        throw .cannot("copy, for it is being written to,", path, .resourceBusy)
    }

    private func place(_ staged: StagedFile, besides path: FolderPath) throws(FolderError) -> ConflictCopy {
        try place(staged, besides: path, ofDevice: device)
    }

    private func place(
        _ staged: StagedFile, besides path: FolderPath, ofDevice device: String?
    ) throws(FolderError) -> ConflictCopy {
        do throws(Errno) {
            let batch = WriteBatch()
            let parent = try place(making: path, in: batch).directory
            let new = staged.finished
            if let copy = try existingCopy(of: path, in: parent, size: new.stamp.size, hash: new.hash) {
                return ConflictCopy(path: copy, made: nil)
            }
            try staged.sync()
            let copy = try rename(staged.place, toFreeCopyOf: path, ofDevice: device, in: parent)
            staged.markPlaced(true)
            try parent.descriptor.sync()
            try? batch.finish()
            return ConflictCopy(path: copy, made: new.stamp)
        } catch {
            throw .cannot("keep a conflict copy of", path, error)
        }
    }

    /// Moves a person's file from history to a conflict copy's name, unless a conflict copy has its bytes already.
    func keep(_ slot: Place, _ entry: HistoryEntry, _ batch: WriteBatch) throws(Errno) -> FolderPath? {
        let parent = try place(making: entry.path, in: batch).directory
        try batch.add(parent)
        if let filed = try? Filed(reading: slot) {
            if let copy = try existingCopy(of: entry.path, in: parent, size: filed.stamp.size, hash: filed.hash) {
                if filed.mayChange { lateWriters.add(entry, stamp: filed.stamp, hash: filed.hash, now: clock()) }
                return copy
            }
            if let file = try? slot.open() { try file.sync() }
        }
        return try rename(slot, toFreeCopyOf: entry.path, ofDevice: device, in: parent)
    }

    /// Gives a file the first free name of a conflict copy; `ENAMETOOLONG` where the path leaves no room for any.
    /// - Parameter device: `nil` for the zone's version.
    func rename(
        _ file: Place, toFreeCopyOf path: FolderPath, ofDevice device: String?, in parent: DirectoryHandle
    ) throws(Errno)
        -> FolderPath
    {
        for attempt in 1...1000 {
            guard let copy = ConflictCopyName.make(for: path, at: seconds, device: device, attempt: attempt) else {
                throw .fileNameTooLong
            }
            do throws(Errno) {
                try file.rename(to: Place(directory: parent, name: copy.terminatedName))
                return copy
            } catch .fileExists {
                continue
            }
        }
        throw .fileExists
    }

    private func existingCopy(
        of path: FolderPath, in parent: DirectoryHandle, size: Int64, hash: ContentHash
    ) throws(Errno) -> FolderPath? {
        // Not the path itself, for a long name is cut in its copies.
        guard let named = ConflictCopyName.make(for: path, at: seconds, device: device) else { return nil }
        let original = ConflictCopyName.original(of: named)
        let listing = try Descriptor.open(beneath: parent.descriptor, [UInt8(ascii: "."), 0], .directory)
        for name in try listing.names() {
            guard let copy = path.replacing(name: name), ConflictCopyName.original(of: copy) == original else {
                continue
            }
            guard let status = try? parent.descriptor.status(of: name + [0]), status.kind == .file,
                status.stamp.size == size,
                let filed = try? Filed(reading: Place(directory: parent, name: name + [0])), filed.hash == hash
            else { continue }
            return copy
        }
        return nil
    }
}

/// A conflict copy that stands in the folder.
public struct ConflictCopy: Hashable, Sendable {
    /// Where it is.
    public let path: FolderPath
    /// Of one that was made just now; `nil` where one with the same bytes was there already.
    let made: FileStamp?
}
