public import LocalFolder
public import SyncModel
import SystemPackage

extension FolderWriter {
    /// Puts a staged file where nothing is, or nothing but empty directories, making the directories above it.
    public func create(
        _ path: FolderPath, _ staged: StagedFile, batch: WriteBatch? = nil
    ) throws(FolderError)
        -> WriteOutcome
    {
        let outcome = try createWhereFree(path, staged, batch)
        guard outcome == .blocked(.directory(path)), try makeRoom(for: path, in: batch) else { return outcome }
        return try createWhereFree(path, staged, batch)
    }

    private func createWhereFree(
        _ path: FolderPath, _ staged: StagedFile, _ batch: WriteBatch?
    ) throws(FolderError) -> WriteOutcome {
        try commit("create", path, in: batch) { batch throws(Errno) in
            let place = try place(making: path, in: batch)
            try staged.adoptGroup(of: try place.directory.descriptor.status())
            try staged.sync()
            let new = try staged.place.open()
            do throws(Errno) {
                try staged.place.rename(to: place)
            } catch .fileExists {
                return try occupied(place, path, batch)
            } catch .noSuchFileOrDirectory {
                guard takesNoSuchName(path, staged.place) else { throw .noSuchFileOrDirectory }
                return .blocked(.unnameable(path))
            }
            staged.markPlaced(true)
            try batch.add(place.directory)
            return try confirm(path, place, staged.finished, new)
        }
    }

    /// Moves a file into history, and removes the directories that this leaves empty.
    /// - Parameter reason: By whom it is deleted.
    public func delete(
        _ path: FolderPath, expecting stamp: FileStamp, _ hash: ContentHash, as reason: KeptReason = .deletedThere,
        batch: WriteBatch? = nil
    ) throws(FolderError) -> WriteOutcome {
        try commit("delete", path, in: batch) { batch throws(Errno) in
            let place = try place(of: path)
            if let outcome = try mismatch(at: place, path, expecting: stamp) { return outcome }
            let (slot, entry) = try history.slot(for: path, at: seconds, reason, batch: batch)
            try place.rename(toOwn: slot)
            try batch.add(place.directory)
            var failure: Errno?
            do throws(Errno) {
                let out = try Filed(reading: slot)
                if out.isAsSeen(stamp, hash) {
                    if out.mayChange { lateWriters.add(entry, stamp: out.stamp, hash: out.hash, now: clock()) }
                    try prune(above: path, in: batch)
                    return .done(placed(path, out.stamp, hash))
                }
            } catch {
                failure = error
            }
            let copy = try putBack(slot, entry, batch)
            if let failure, obstacle(on: path, failure) == nil { throw failure }
            return .superseded(.changed, conflictCopy: copy)
        }
    }

    /// Moves a file to a free path, or to where nothing but empty directories are, making the directories above that and removing
    /// those it leaves empty.
    ///
    /// The bytes are not read: no bytes can be lost, and the stamp is compared before and after.
    public func move(
        _ path: FolderPath, to new: FolderPath, expecting stamp: FileStamp, _ hash: ContentHash,
        batch: WriteBatch? = nil
    ) throws(FolderError) -> WriteOutcome {
        let source = try commit("move", path, in: batch) { _ throws(Errno) in
            try mismatch(at: try place(of: path), path, expecting: stamp)
                ?? .done(placed(path, stamp, hash))
        }
        // It may have come there with its directory.
        guard case .done = source, path != new else { return source }
        // Where one answers to the other's name, neither is free before the other one is.
        if path.isBelow(new) || new.isBelow(path) || isOneFile(path, new, batch ?? WriteBatch()) {
            return try moveThroughHistory(path, to: new, expecting: stamp, hash, batch)
        }
        let outcome = try moveWhereFree(path, to: new, expecting: stamp, hash, batch)
        guard outcome == .blocked(.directory(new)), try makeRoom(for: new, in: batch) else { return outcome }
        return try moveWhereFree(path, to: new, expecting: stamp, hash, batch)
    }

    private func moveWhereFree(
        _ path: FolderPath, to new: FolderPath, expecting stamp: FileStamp, _ hash: ContentHash, _ batch: WriteBatch?
    ) throws(FolderError) -> WriteOutcome {
        try commit("move a file to", new, in: batch) { batch throws(Errno) in
            let from = try place(of: path)
            let place = try place(making: new, in: batch)
            do throws(Errno) {
                if let outcome = try rename(from, of: path, to: place, batch) { return outcome }
            } catch .fileExists {
                return try occupied(place, new, batch)
            } catch .noSuchFileOrDirectory {
                guard takesNoSuchName(new, from) else { throw .noSuchFileOrDirectory }
                return .blocked(.unnameable(new))
            }
            try batch.add(from.directory)
            try batch.add(place.directory)
            let now = try place.status()
            guard now.kind == .file, now.stamp.isSameFile(as: stamp), now.stamp.size == stamp.size,
                now.stamp.modified == stamp.modified
            else {
                // A save slipped in: it goes back, unless yet another one took its place; then it stays, whole.
                do throws(Errno) {
                    if let outcome = try rename(place, of: new, to: from, batch) { return outcome }
                } catch .fileExists {
                    return .superseded(.changed, conflictCopy: nil)
                }
                try prune(above: new, in: batch)
                return .superseded(.changed, conflictCopy: nil)
            }
            try prune(above: path, in: batch)
            return .done(placed(new, now.stamp, hash))
        }
    }

    /// Moves a person's file to a free place.
    ///
    /// Without RENAME_NOREPLACE that takes a link, and then the old name has to go: by way of the history, for what a person
    /// saved under it meanwhile must not go with it.
    /// - Returns: What came of it where somebody did; `nil`: it was moved.
    private func rename(
        _ from: Place, of path: FolderPath, to place: Place, _ batch: WriteBatch
    ) throws(Errno) -> WriteOutcome? {
        guard try !from.renameIfPossible(to: place) else { return nil }
        guard try from.linkIfPossible(to: place) else {
            try from.moveWhereFree(place)
            return nil
        }
        let linked = try place.status().stamp
        let (slot, entry) = try history.slot(for: path, at: seconds, .changedThere, batch: batch)
        do throws(Errno) {
            try from.rename(toOwn: slot)
        } catch {
            try remove(linked, at: place)
            throw error
        }
        guard try slot.status().stamp.isSameFile(as: linked) else {
            try remove(linked, at: place)
            return .superseded(.changed, conflictCopy: try putBack(slot, entry, batch))
        }
        try slot.remove()
        return nil
    }

    /// Whether nothing is missing where a file could not be put for something that is: so exFAT by FUSE says that a name has a
    /// character that it cannot have.
    private func takesNoSuchName(_ path: FolderPath, _ source: Place) -> Bool {
        (try? source.status()) != nil && (try? place(of: path)) != nil
    }

    /// Takes a name of a file away again, unless a person saved another file over it.
    private func remove(_ file: FileStamp, at place: Place) throws(Errno) {
        guard try place.status().stamp.isSameFile(as: file) else { return }
        try place.remove()
    }

    /// Lets those execute a file who may read it, or nobody.
    public func setExecutable(
        _ path: FolderPath, _ executable: Bool, expecting stamp: FileStamp, _ hash: ContentHash
    ) throws(FolderError) -> WriteOutcome {
        try commit("set the executable bit of", path, in: nil) { _ throws(Errno) in
            let place = try place(of: path)
            if let outcome = try mismatch(at: place, path, expecting: stamp) { return outcome }
            let file = try place.open()
            guard try file.status().stamp == stamp else { return .superseded(.changed, conflictCopy: nil) }
            try file.disk.setMode(
                file.raw, executable ? stamp.mode | (stamp.mode & 0o444) >> 2 : stamp.mode & ~0o111)
            try file.sync()
            let now = try file.status().stamp
            guard try place.status().stamp.isSameFile(as: stamp), now.size == stamp.size,
                now.modified == stamp.modified
            else { return .superseded(.changed, conflictCopy: nil) }
            return .done(placed(path, now, hash))
        }
    }

    private func occupied(_ place: Place, _ path: FolderPath, _ batch: WriteBatch) throws(Errno) -> WriteOutcome {
        if let reason = obstacle(at: path, try place.status().kind) { return .blocked(reason) }
        guard !tellsCase, let other = try named(otherThan: path, batch) else {
            return .superseded(.exists, conflictCopy: nil)
        }
        return .blocked(.otherCase(other))
    }

    /// What answers to a path by a name in other letters, be it here since the batch began.
    private func named(otherThan path: FolderPath, _ batch: WriteBatch) throws(Errno) -> FolderPath? {
        if let other = try batch.otherCase(onTheWayTo: path, in: root) { return other }
        return try batch.otherCase(onTheWayTo: path, in: root, anew: true)
    }

    /// Whether the file at a path answers to another one too, that differs in case.
    private func isOneFile(_ path: FolderPath, _ other: FolderPath, _ batch: WriteBatch) -> Bool {
        guard !tellsCase, path.parent == other.parent, SpelledNames.mayBeOne(path.name, other.name) else {
            return false
        }
        return (try? named(otherThan: other, batch)) == path
    }
}
