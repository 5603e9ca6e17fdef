public import LocalFolder
public import SyncModel
import Synchronization
import SystemPackage

/// A file that was replaced or deleted in the folder, and can be had back.
public struct HistoryEntry: Hashable, Sendable {
    /// Where the file was in the folder.
    public var path: FolderPath
    /// The directory below `history/` that holds it, named by the second of the change and by what took its place:
    /// `20260115T101112Z-0-deleted-there`.
    public var bucket: String
    /// When it was replaced or deleted, in seconds since 1970.
    public var time: Int64
    /// What took its place; `nil` for what earlier versions of this program filed, which was a change of the zone.
    public var reason: KeptReason?
    /// In bytes.
    public var size: Int64
    /// When its bytes were written, in nanoseconds since 1970, by the file itself.
    public var modified: Int64

    package init(path: FolderPath, bucket: String, time: Int64, reason: KeptReason?, size: Int64, modified: Int64) {
        self.path = path
        self.bucket = bucket
        self.time = time
        self.reason = reason
        self.size = size
        self.modified = modified
    }

    /// Where the file lies, relative to the folder.
    public var location: String { "\(FolderRoot.stateName)/history/\(bucket)/\(path)" }
}

/// What was replaced or deleted, kept in the state directory as `history/<time>-<n>-<reason>/<path>`.
public final class FolderHistory: Sendable {
    private let directory: DirectoryHandle
    /// The directory that took the last file: most follow into the same one.
    private let recent = Mutex<(bucket: String, parent: FolderPath?, directory: DirectoryHandle)?>(nil)

    init(directory: DirectoryHandle) {
        self.directory = directory
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
        let time = CivilTime(seconds: seconds).text
        for number in 0..<10_000 {
            let bucket = "\(time)-\(number)-\(reason.rawValue)"
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
        var handle = try makeDirectory(Array(bucket.utf8) + [0], in: directory, mode: 0o700, batch: batch)
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

    func place(of entry: HistoryEntry) throws(Errno) -> Place {
        let bucket = try Descriptor.open(
            beneath: directory.descriptor, Array(entry.bucket.utf8) + [0], .directory)
        let parent = try Descriptor.open(
            beneath: bucket, entry.path.parent?.terminated ?? [UInt8(ascii: "."), 0], .directory)
        return Place(directory: DirectoryHandle(parent), name: entry.path.terminatedName)
    }

    /// Changes a file's status and nothing else of it: the time of its last change is after that of its last write.
    func touch(_ entry: HistoryEntry) throws(Errno) {
        let file = try place(of: entry).open()
        try file.disk.setMode(file.raw, try file.status().stamp.mode)
    }

    /// Removes a file that is here under a second name: it came from staging, and a crash kept it out of the folder.
    func remove(_ stamp: FileStamp) throws(Errno) {
        for bucket in try buckets().sorted(by: { $0.time > $1.time }) {
            for entry in try entries(in: bucket) {
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
            for bucket in try buckets() {
                do throws(Errno) {
                    entries += try self.entries(in: bucket)
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
            for bucket in try buckets().sorted(by: { $0.time > $1.time }) {
                let entries = try self.entries(in: bucket)
                let size = entries.reduce(0) { $0 + $1.size }
                let isOwn = bucket.reason == .deletedHere
                kept += size
                if isOwn { own += size }
                let isTooMuch = kept > maxBytes || isOwn && own > maxOwnBytes
                guard bucket.time < now - 60, bucket.time < time || isTooMuch else { continue }
                removed += entries.count
                try removeTree(Array(bucket.name.utf8) + [0], in: directory.descriptor)
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
            for bucket in try buckets() where first <= bucket.time && bucket.time <= last {
                try rename(bucket, toTime: bucket.time + step)
            }
            try directory.descriptor.sync()
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
            let early = try buckets().filter { $0.time < first }.sorted { $0.time > $1.time }
            guard !early.isEmpty else { return }
            recent.withLock { $0 = nil }
            for (age, bucket) in early.enumerated() {
                try rename(bucket, toTime: now - Int64(age))
            }
            try directory.descriptor.sync()
        } catch {
            throw .stateDirectory("dating the history anew", error)
        }
    }

    /// Whether it has anything that was filed before a time, as far as the clock of then told.
    /// - Parameter first: In seconds since 1970.
    public func holdsAnything(filedBefore first: Int64) throws(FolderError) -> Bool {
        do throws(Errno) {
            return try buckets().contains { $0.time < first }
        } catch {
            throw .stateDirectory("reading the history", error)
        }
    }

    private func rename(_ bucket: Bucket, toTime seconds: Int64) throws(Errno) {
        let old = Place(directory: directory, name: Array(bucket.name.utf8) + [0])
        let time = CivilTime(seconds: seconds).text
        for number in 0..<10_000 {
            let name = "\(time)-\(number)\(bucket.reason.map { "-\($0.rawValue)" } ?? "")"
            do throws(Errno) {
                return try old.rename(to: Place(directory: directory, name: Array(name.utf8) + [0]))
            } catch .fileExists {
                continue
            }
        }
        throw .fileExists
    }

    /// A directory of the history.
    private struct Bucket {
        let name: String
        let time: Int64
        let reason: KeptReason?

        /// Reads a name, or gives `nil` for one that this program did not give.
        init?(_ bytes: [UInt8]) {
            guard let time = CivilTime.parse(bytes.prefix(16)), bytes.dropFirst(16).first == UInt8(ascii: "-") else {
                return nil
            }
            name = String(decoding: bytes, as: UTF8.self)
            self.time = time.seconds
            let parts = name.dropFirst(17).split(separator: "-", maxSplits: 1)
            reason = parts.count == 2 ? KeptReason(rawValue: String(parts[1])) : nil
        }
    }

    private func buckets() throws(Errno) -> [Bucket] {
        // A descriptor of its own: a listing moves the position in it.
        let listing = try Descriptor.open(beneath: directory.descriptor, [UInt8(ascii: "."), 0], .directory)
        return try listing.names().compactMap { Bucket($0) }
    }

    private func entries(in bucket: Bucket) throws(Errno) -> [HistoryEntry] {
        var entries: [HistoryEntry] = []
        func walk(_ directory: borrowing Descriptor, _ path: FolderPath?) throws(Errno) {
            for name in try directory.names() {
                guard let below = path.map({ $0.appending(name: name) }) ?? FolderPath(bytes: name) else { continue }
                let status = try directory.status(of: name + [0])
                if status.kind == .directory {
                    try walk(try .open(beneath: directory, name + [0], .directory), below)
                } else {
                    entries.append(
                        HistoryEntry(
                            path: below, bucket: bucket.name, time: bucket.time, reason: bucket.reason,
                            size: status.stamp.size, modified: status.stamp.modified))
                }
            }
        }
        try walk(
            try .open(beneath: directory.descriptor, Array(bucket.name.utf8) + [0], .directory), nil)
        return entries
    }
}

/// Removes a directory with all that is in it, following nothing.
func removeTree(_ name: [UInt8], in parent: borrowing Descriptor) throws(Errno) {
    do throws(Errno) {
        return try parent.removeFile(name)
    } catch {
        guard error == .isDirectory || error == .notPermitted else { throw error }
    }
    let directory = try Descriptor.open(beneath: parent, name, .directory, sameMount: true)
    for below in try directory.names() { try removeTree(below + [0], in: directory) }
    try parent.removeDirectory(name)
}
