public import LocalFolder
public import SyncModel
import SystemPackage

/// What was read from a file that left the folder.
struct Filed {
    let stamp: FileStamp
    let hash: ContentHash
    /// Whether somebody may still write to it.
    let mayChange: Bool

    init(reading place: Place) throws(Errno) {
        let file = try place.open()
        let status = try file.status()
        guard status.kind == .file else { throw .isDirectory }
        // In this order: a file that nobody has open and that no other name leads to cannot change once it is read.
        mayChange = file.disk.hasWriter(file.raw) != false || status.links != 1
        stamp = status.stamp
        var buffer = HashingBuffer()
        hash = try buffer.hash(of: file).0
    }

    /// Whether it is a file as it was last seen. Of one that is too large to be read when it is looked at, the stamp tells.
    func isAsSeen(_ seen: FileStamp, _ hash: ContentHash) -> Bool {
        guard stamp.isSameFile(as: seen) else { return false }
        return hash.isOfUnread ? hash == .unread(stamp) : hash == self.hash
    }
}

extension FolderWriter {
    /// Puts a staged file in the place of the one that was last seen there, which goes into history.
    ///
    /// The new file takes over owner, permissions and extended attributes; the executable bit is the staged file's.
    /// - Parameters:
    ///   - stamp: Of the file that is to be replaced, as last seen.
    ///   - hash: Of its bytes.
    ///   - reason: What takes its place.
    ///   - batch: Syncs the directories later, together; without it they are synced before this returns.
    public func replace(
        _ path: FolderPath, with staged: StagedFile, expecting stamp: FileStamp, _ hash: ContentHash,
        as reason: KeptReason = .changedThere, batch: WriteBatch? = nil
    ) throws(FolderError) -> WriteOutcome {
        try commit("replace", path, in: batch) { batch throws(Errno) in
            let place = try place(of: path)
            if let outcome = try mismatch(at: place, path, expecting: stamp) { return outcome }
            let old = try place.open()
            let status = try old.status()
            guard status.stamp == stamp else { return .superseded(.changed, conflictCopy: nil) }
            try staged.adoptAttributes(of: old, status)
            try staged.sync()
            let (slot, entry) = try history.slot(for: path, at: seconds, reason, batch: batch)
            guard exchangesFiles else {
                return try replaceByLink(path, place, slot, entry, with: staged, old, expecting: stamp, hash, batch)
            }
            // It keeps its name in staging until the exchange is done: by that, a start after a crash knows that what
            // is in the history came from staging and never was in the folder.
            let new = try staged.place.open()
            let isLinked = try staged.enter(slot)
            do throws(Errno) {
                try slot.exchange(with: place)
            } catch {
                if isLinked {
                    try? slot.remove()
                } else {
                    try slot.rename(to: staged.place)
                }
                throw error
            }
            if isLinked { staged.leaveStaging() }
            staged.markPlaced(true)
            try batch.add(place.directory)
            return try conclude(path, place, slot, entry, with: staged, new, expecting: stamp, hash, batch)
        }
    }

    /// Tells what an exchange brought out, and takes it back where that is not what was expected.
    private func conclude(
        _ path: FolderPath, _ place: Place, _ slot: Place, _ entry: HistoryEntry, with staged: StagedFile,
        _ new: borrowing Descriptor, expecting stamp: FileStamp, _ hash: ContentHash, _ batch: WriteBatch
    ) throws(Errno) -> WriteOutcome {
        var failure: Errno?
        do throws(Errno) {
            let out = try Filed(reading: slot)
            if out.isAsSeen(stamp, hash) {
                if out.mayChange { lateWriters.add(entry, stamp: out.stamp, hash: out.hash, now: clock()) }
                return try confirm(path, place, staged.finished, new)
            }
        } catch {
            failure = error
        }
        let copy = try takeBack(path, place, slot, entry, staged.finished, batch)
        if let failure, obstacle(on: path, failure) == nil { throw failure }
        return .superseded(.changed, conflictCopy: copy)
    }

    /// The new file as it was put at its path, or that somebody saved another one over it already.
    ///
    /// Whoever writes into the new file itself edits what was just put there, and whoever renames it moves what was just
    /// put there: that is done, and the next look finds the edit or the file. Were it told as a change of the old file,
    /// the edit would be taken for a conflict with what it was made on, and nothing would know the file at its new path.
    /// - Parameter file: The new file itself, wherever it is.
    func confirm(
        _ path: FolderPath, _ place: Place, _ new: StagedFile.Finished, _ file: borrowing Descriptor
    ) throws(Errno) -> WriteOutcome {
        var now: FileStamp?
        do throws(Errno) {
            now = try place.status().stamp
        } catch .noSuchFileOrDirectory {}
        let asPlaced = WriteOutcome.done(LocalFile(path: path, stamp: new.stamp, hash: new.hash, isSettled: false))
        guard let now, now.isSameFile(as: new.stamp) else {
            return try file.status().links > 0 ? asPlaced : .superseded(.overtaken, conflictCopy: nil)
        }
        guard now.size == new.stamp.size, now.modified == new.stamp.modified else { return asPlaced }
        return .done(placed(path, now, new.hash))
    }

    /// Gives a person's file its place again, or else a conflict copy's name.
    ///
    /// Our own file stays in history: whoever opened it in that instant may be writing to it.
    private func takeBack(
        _ path: FolderPath, _ place: Place, _ slot: Place, _ entry: HistoryEntry, _ new: StagedFile.Finished,
        _ batch: WriteBatch
    ) throws(Errno) -> FolderPath? {
        do throws(Errno) {
            guard try place.status().stamp.isSameFile(as: new.stamp) else {
                // Somebody saved over our file as well: theirs is the newest, and stays.
                return try keep(slot, entry, batch)
            }
            try slot.exchange(with: place)
        } catch .noSuchFileOrDirectory {
            return try putBack(slot, entry, batch)
        }
        let back = try slot.status()
        guard back.stamp.isSameFile(as: new.stamp) else {
            // A save came between the look and the exchange. It is the newest, so it gets the path again.
            do throws(Errno) {
                try slot.exchange(with: place)
            } catch .noSuchFileOrDirectory {
                return try putBack(slot, entry, batch)
            }
            return try keep(slot, entry, batch)
        }
        guard let own = try? Filed(reading: slot) else { return nil }
        if own.hash != new.hash { return try keep(slot, entry, batch) }
        if own.mayChange { lateWriters.add(entry, stamp: own.stamp, hash: own.hash, now: clock()) }
        return nil
    }

    /// Moves a file from history back to its path, or to a conflict copy's name where that is taken.
    func putBack(_ slot: Place, _ entry: HistoryEntry, _ batch: WriteBatch) throws(Errno) -> FolderPath? {
        let place = try self.place(making: entry.path, in: batch)
        do throws(Errno) {
            try slot.rename(to: place)
            try batch.add(place.directory)
            return nil
        } catch .fileExists {
            return try keep(slot, entry, batch)
        }
    }

    /// The way without an exchange: see the note that opens FolderWriter.swift.
    private func replaceByLink(
        _ path: FolderPath, _ place: Place, _ slot: Place, _ entry: HistoryEntry, with staged: StagedFile,
        _ old: borrowing Descriptor, expecting stamp: FileStamp, _ hash: ContentHash, _ batch: WriteBatch
    ) throws(Errno) -> WriteOutcome {
        let new = try staged.place.open()
        guard try place.linkIfPossible(to: slot) else {
            return try replaceByCopy(path, place, slot, with: staged, new, old, expecting: stamp, hash, batch)
        }
        // Until it is renamed over, the file in history is the one in the folder: what it holds then is decided below.
        let linked = try slot.status().stamp
        guard linked.isSameFile(as: stamp), linked.size == stamp.size, linked.modified == stamp.modified,
            try place.status().stamp.isSameFile(as: stamp)
        else {
            try slot.remove()
            return .superseded(.changed, conflictCopy: nil)
        }
        try staged.place.rename(over: place)
        staged.markPlaced(true)
        try batch.add(place.directory)
        let out = try Filed(reading: slot)
        guard out.isAsSeen(stamp, hash) else {
            return .superseded(.changed, conflictCopy: try keep(slot, entry, batch))
        }
        if out.mayChange { lateWriters.add(entry, stamp: out.stamp, hash: out.hash, now: clock()) }
        return try confirm(path, place, staged.finished, new)
    }

    /// Why nothing may be done to the file at a place, or `nil` where it is as expected.
    func mismatch(at place: Place, _ path: FolderPath, expecting stamp: FileStamp) throws(Errno) -> WriteOutcome? {
        let status = try place.status()
        if let reason = obstacle(at: path, status.kind) { return .blocked(reason) }
        return status.stamp == stamp ? nil : .superseded(.changed, conflictCopy: nil)
    }
}
