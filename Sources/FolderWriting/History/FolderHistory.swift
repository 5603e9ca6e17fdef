public import LocalFolder
import SyncModel
import Synchronization
import SystemPackage

/// What was replaced or deleted, kept in the state directory as `history/<time>-<n>-<reason>/<path>`.
public final class FolderHistory: Sendable {
    private let directory: HistoryDirectory
    /// The directory that took the last file: most follow into the same one.
    private let recent = Mutex<(bucket: String, parent: FolderPath?, directory: DirectoryHandle)?>(nil)

    init(directory: DirectoryHandle) {
        self.directory = HistoryDirectory(handle: directory)
    }

    /// Opens a folder's history to look at it, and makes nothing; `nil` where there is none.
    public static func look(in root: FolderRoot) throws(FolderError) -> FolderHistory? {
        do throws(Errno) {
            let path = Array("\(FolderRoot.stateName)/history".utf8) + [0]
            return FolderHistory(
                directory: DirectoryHandle(try .open(beneath: root.descriptor, path, .directory, sameMount: true)))
        } catch {
            if error == .noSuchFileOrDirectory { return nil }
            throw .stateDirectory("reading the history", error)
        }
    }

    /// A free place for a file that is about to leave the folder.
    /// - Parameter reason: What takes its place.
    func slot(
        for path: FolderPath, at seconds: Int64, _ reason: KeptReason, batch: WriteBatch
    ) throws(Errno) -> (Place, HistoryEntry) {
        for bucket in HistoryBucket.names(time: seconds, reason) {
            let parent: DirectoryHandle
            do throws(Errno) {
                parent = try self.parent(path.parent, in: bucket, batch: batch)
            } catch .notDirectory {
                // A file that stood where now a directory is left the folder in the same second.
                continue
            }
            let place = Place(directory: parent, name: path.terminatedName)
            do throws(Errno) {
                _ = try place.status()
            } catch .noSuchFileOrDirectory {
                try batch.add(place.directory)
                let entry = HistoryEntry(
                    path: path, bucket: bucket, time: seconds, reason: reason, size: 0, modified: 0)
                return (place, entry)
            }
        }
        throw .fileExists
    }

    private func parent(_ path: FolderPath?, in bucket: String, batch: WriteBatch) throws(Errno) -> DirectoryHandle {
        if let recent = recent.withLock({ $0 }), recent.bucket.utf8.elementsEqual(bucket.utf8), recent.parent == path {
            return recent.directory
        }
        var handle = try makeDirectory(Array(bucket.utf8) + [0], in: directory.handle, mode: 0o700, batch: batch)
        for name in path?.names ?? [] {
            handle = try makeDirectory(name + [0], in: handle, mode: 0o700, batch: batch)
        }
        recent.withLock { $0 = (bucket, path, handle) }
        return handle
    }

    private func makeDirectory(
        _ name: [UInt8], in parent: DirectoryHandle, mode: UInt32, batch: WriteBatch
    ) throws(Errno) -> DirectoryHandle {
        if try parent.descriptor.makeDirectory(name, mode: mode) { try batch.add(parent) }
        return DirectoryHandle(try .open(beneath: parent.descriptor, name, .directory, sameMount: true))
    }

    func place(of entry: HistoryEntry) throws(Errno) -> Place { try directory.place(of: entry) }

    /// Changes a file's status and nothing else of it: the time of its last change is after that of its last write.
    func touch(_ entry: HistoryEntry) throws(Errno) {
        let file = try place(of: entry).open()
        try file.disk.setMode(file.raw, try file.status().stamp.mode)
    }

    /// Removes a file that is here under a second name: it came from staging, and a crash kept it out of the folder.
    func remove(_ stamp: FileStamp) throws(Errno) {
        for bucket in try directory.buckets().sorted(by: { $0.time > $1.time }) {
            for entry in try directory.entries(in: bucket) {
                let place = try place(of: entry)
                guard try place.status().stamp.isSameFile(as: stamp) else { continue }
                try place.remove()
                return
            }
        }
    }

    /// Every file kept, newest first.
    public func entries() throws(FolderError) -> [HistoryEntry] {
        do throws(Errno) {
            var entries: [HistoryEntry] = []
            for bucket in try directory.buckets() {
                do throws(Errno) {
                    entries += try directory.entries(in: bucket)
                } catch {
                    // Whoever looks while a daemon runs meets what it is about to remove.
                    if error != .noSuchFileOrDirectory { throw error }
                }
            }
            return entries.sorted { ($0.time, $1.path) > ($1.time, $0.path) }
        } catch {
            throw .stateDirectory("reading the history", error)
        }
    }

    /// Opens a kept file to read it, as for putting it back into the folder.
    public func open(_ entry: HistoryEntry) throws(FolderError) -> FileReader {
        do throws(Errno) {
            let file = try place(of: entry).open()
            let stamp = try file.status().stamp
            return FileReader(file: file, path: entry.path, stamp: stamp)
        } catch {
            throw .cannot("read from history", entry.path, error)
        }
    }

    /// Removes what is older than a time, then the oldest until the rest is small enough.
    ///
    /// What is younger than a minute before `now` always stays, for somebody may still write to it.
    /// - Parameters:
    ///   - time: Seconds since 1970.
    ///   - maxBytes: For all files together.
    ///   - maxOwnBytes: For those that were deleted in the folder.
    ///   - now: Seconds since 1970.
    /// - Returns: How many files were removed.
    @discardableResult
    public func prune(
        olderThan time: Int64, maxBytes: Int64, maxOwnBytes: Int64 = .max, now: Int64
    ) throws(FolderError) -> Int {
        do throws(Errno) {
            var kept: Int64 = 0
            var own: Int64 = 0
            var removed = 0
            for bucket in try directory.buckets().sorted(by: { $0.time > $1.time }) {
                let entries = try directory.entries(in: bucket)
                let size = entries.reduce(0) { $0 + $1.size }
                let isOwn = bucket.reason == .deletedHere
                kept += size
                if isOwn { own += size }
                let isTooMuch = kept > maxBytes || isOwn && own > maxOwnBytes
                guard bucket.time < now - 60, bucket.time < time || isTooMuch else { continue }
                removed += entries.count
                try directory.remove(bucket)
            }
            return removed
        } catch {
            throw .stateDirectory("pruning the history", error)
        }
    }

    /// Gives what was filed while the clock was wrong the time that it has by the right one, so that it is kept as long as
    /// anything.
    /// - Parameters:
    ///   - first: The beginning of that span, in seconds since 1970 by the wrong clock.
    ///   - last: Its end.
    ///   - step: Seconds by which the clock was put.
    public func redate(filedFrom first: Int64, to last: Int64, by step: Int64) throws(FolderError) {
        do throws(Errno) {
            recent.withLock { $0 = nil }
            for bucket in try directory.buckets() where first <= bucket.time && bucket.time <= last {
                try directory.rename(bucket, toTime: bucket.time + step)
            }
            try directory.handle.descriptor.sync()
        } catch {
            throw .stateDirectory("dating the history anew", error)
        }
    }

    /// Gives what was filed before a time the last seconds before now, in its order: how long it lies there nobody knows.
    /// - Parameters:
    ///   - first: The first time that is no error, in seconds since 1970.
    ///   - now: Seconds since 1970.
    public func redate(filedBefore first: Int64, to now: Int64) throws(FolderError) {
        do throws(Errno) {
            let early = try directory.buckets().filter { $0.time < first }.sorted { $0.time > $1.time }
            guard !early.isEmpty else { return }
            recent.withLock { $0 = nil }
            for (age, bucket) in early.enumerated() {
                try directory.rename(bucket, toTime: now - Int64(age))
            }
            try directory.handle.descriptor.sync()
        } catch {
            throw .stateDirectory("dating the history anew", error)
        }
    }

    /// Whether it has anything that was filed before a time, as far as the clock of then told.
    /// - Parameter first: In seconds since 1970.
    public func holdsAnything(filedBefore first: Int64) throws(FolderError) -> Bool {
        do throws(Errno) {
            return try directory.buckets().contains { $0.time < first }
        } catch {
            throw .stateDirectory("reading the history", error)
        }
    }
}
