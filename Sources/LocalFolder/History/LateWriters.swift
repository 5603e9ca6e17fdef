public import SyncModel
import Synchronization
import SystemPackage

/// A file that was written to after it had left the folder: somebody's editor still had it open.
public struct LateWrite: Hashable, Sendable {
    /// Where the file was in the folder.
    public var path: FolderPath
    /// Where the bytes are now.
    public var entry: HistoryEntry
    /// Of the bytes.
    public var hash: ContentHash
}

/// The files in history that somebody may still be writing to.
///
/// A file that nobody had open for writing when it left the folder can no longer change, and is never registered.
/// Call ``check(now:)`` about once a second while ``isEmpty`` is false.
public final class LateWriters: Sendable {
    /// How long a file is watched at least, in nanoseconds; one that is still open is watched until it is closed.
    public static let window: Int64 = 10_000_000_000

    private struct Watched {
        var entry: HistoryEntry
        var stamp: FileStamp
        var hash: ContentHash
        var until: Int64
    }

    private let history: FolderHistory
    private let watched = Mutex<[Watched]>([])

    init(history: FolderHistory) {
        self.history = history
    }

    /// Whether nothing has to be checked.
    public var isEmpty: Bool { watched.withLock { $0.isEmpty } }

    func add(_ entry: HistoryEntry, stamp: FileStamp, hash: ContentHash, now: Int64) {
        watched.withLock {
            $0.append(Watched(entry: entry, stamp: stamp, hash: hash, until: now + Self.window))
        }
    }

    /// The files that were written to since the last look, once nobody has them open for writing any more, or at
    /// the end of the window.
    ///
    /// Put each beside its path with ``FolderWriter/keepConflictCopy(of:)-(LateWrite)``.
    /// - Parameter now: Nanoseconds since 1970.
    public func check(now: Int64) -> [LateWrite] {
        let looked = watched.withLock { watched in
            defer { watched = [] }
            return watched
        }
        var late: [LateWrite] = []
        var rest: [Watched] = []
        for var item in looked {
            // What is no longer in history was pruned or rescued: nothing to watch.
            guard let (stamp, hash, hasWriter) = try? look(at: item) else { continue }
            let isOver = now >= item.until
            if hash != item.hash, !hasWriter || isOver {
                late.append(LateWrite(path: item.entry.path, entry: item.entry, hash: hash))
                item.hash = hash
                item.stamp = stamp
                if hasWriter { item.until = now + Self.window }
            }
            if hasWriter || !isOver { rest.append(item) }
        }
        watched.withLock { $0 += rest }
        return late
    }

    private func look(at item: Watched) throws(Errno) -> (FileStamp, ContentHash, hasWriter: Bool) {
        let file = try history.place(of: item.entry).open()
        let hasWriter = file.disk.hasWriter(file.raw) == true
        let stamp = try file.status().stamp
        // Within the window an equal stamp is believed; the last look reads the file.
        if hasWriter, stamp.size == item.stamp.size, stamp.modified == item.stamp.modified {
            return (stamp, item.hash, hasWriter)
        }
        var buffer = HashingBuffer()
        return (stamp, try buffer.hash(of: file).0, hasWriter)
    }
}
