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
        /// As it was when it was last read; `nil` where what it holds has to be told in any case.
        var seen: (stamp: FileStamp, hash: ContentHash)?
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
            $0.append(Watched(entry: entry, seen: (stamp, hash), until: now + Self.window))
        }
    }

    /// Takes a late write back that could not be put beside its path: the next check tells of it again.
    public func watchAgain(_ late: LateWrite, now: Int64) {
        watched.withLock { $0.append(Watched(entry: late.entry, seen: nil, until: now)) }
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
            let (stamp, hash, hasWriter): (FileStamp, ContentHash, Bool)
            do throws(Errno) {
                (stamp, hash, hasWriter) = try look(at: item)
            } catch {
                // What is no longer in history was pruned or rescued: nothing to watch. What cannot be read now may hold
                // bytes that are nowhere else.
                if error != .noSuchFileOrDirectory { rest.append(item) }
                continue
            }
            let isOver = now >= item.until
            if hash != item.seen?.hash, !hasWriter || isOver {
                late.append(LateWrite(path: item.entry.path, entry: item.entry, hash: hash))
                item.seen = (stamp, hash)
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
        if hasWriter, let seen = item.seen, stamp.size == seen.stamp.size, stamp.modified == seen.stamp.modified {
            return (stamp, seen.hash, hasWriter)
        }
        var buffer = HashingBuffer()
        return (stamp, try buffer.hash(of: file).0, hasWriter)
    }
}
