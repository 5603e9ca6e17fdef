import LocalFolder
import SyncModel
import SystemPackage

/// What the history's directory holds: buckets, and files below them by their paths in the folder.
struct HistoryDirectory {
    let handle: DirectoryHandle

    /// Those that this program made, in no order.
    func buckets() throws(Errno) -> [HistoryBucket] {
        // A descriptor of its own: a listing moves the position in it.
        let listing = try Descriptor.open(beneath: handle.descriptor, [UInt8(ascii: "."), 0], .directory)
        return try listing.names().compactMap { HistoryBucket($0) }
    }

    func entries(in bucket: HistoryBucket) throws(Errno) -> [HistoryEntry] {
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
        try walk(try .open(beneath: handle.descriptor, bucket.terminatedName, .directory), nil)
        return entries
    }

    func place(of entry: HistoryEntry) throws(Errno) -> Place {
        let bucket = try Descriptor.open(
            beneath: handle.descriptor, Array(entry.bucket.utf8) + [0], .directory)
        let parent = try Descriptor.open(
            beneath: bucket, entry.path.parent?.terminated ?? [UInt8(ascii: "."), 0], .directory)
        return Place(directory: DirectoryHandle(parent), name: entry.path.terminatedName)
    }

    /// Gives a bucket the time at which it counts as filed, in seconds since 1970.
    func rename(_ bucket: HistoryBucket, toTime seconds: Int64) throws(Errno) {
        let old = Place(directory: handle, name: bucket.terminatedName)
        for name in HistoryBucket.names(time: seconds, bucket.reason) {
            do throws(Errno) {
                return try old.rename(to: Place(directory: handle, name: Array(name.utf8) + [0]))
            } catch .fileExists {
                continue
            }
        }
        throw .fileExists
    }

    func remove(_ bucket: HistoryBucket) throws(Errno) {
        try handle.descriptor.removeTree(bucket.terminatedName)
    }
}
