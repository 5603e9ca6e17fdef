public import LocalFolder
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
    /// The copy that was made when the file was told of before. What the program wrote since takes its place: take it back
    /// with ``FolderWriter/takeBack(_:)`` once the new one is made.
    public var earlier: ConflictCopy?
}

/// The files in history that somebody may still be writing to.
///
/// A file that nobody had open for writing when it left the folder can no longer change, and is never registered. A program
/// that keeps one open for days and writes on is told of twice: at the end of the window, and when it closes the file.
///
/// Call ``check(now:)`` about once a second while ``isEmpty`` is false, and ``resume(now:)`` once after a start.
public final class LateWriters: Sendable {
    /// How long a file is watched at least, in nanoseconds; one that is still open is watched until it is closed.
    public static let window: Int64 = 10_000_000_000

    private struct Watched {
        var entry: HistoryEntry
        /// As it was when it was last read; `nil` where what it holds has to be told in any case.
        var seen: (stamp: FileStamp, hash: ContentHash)?
        var until: Int64
        /// Whether the file was told of and the program still had it open: more than one copy of what it goes on writing
        /// would fill the disk.
        var isTold = false
        /// The copy that was made of it.
        var copy: ConflictCopy?
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

    /// How long after they were filed a start still looks for programs that have files open, in nanoseconds.
    private static let longestAbsence: Int64 = 86_400_000_000_000

    /// Takes up what an earlier run had to leave: files that a program still has open, and those that were written to while
    /// nobody watched.
    ///
    /// - Parameter now: Nanoseconds since 1970.
    public func resume(now: Int64) throws(FolderError) {
        // What cannot be looked at now is looked at by the next start.
        let found = try history.entries().compactMap { try? left($0, now: now) }
        watched.withLock { watched in
            let known = Set(watched.map(\.entry.location))
            watched += found.filter { !known.contains($0.entry.location) }
        }
    }

    /// Whether a file was written to since it was filed.
    ///
    /// Most file systems change the status of a file then, and never its bytes. So the time of its last change is that of
    /// its last write only where that came later. XFS leaves the status of files that are exchanged as it was: there the
    /// last write has to be later by itself.
    /// - Parameter filed: The second in which it was filed, in nanoseconds since 1970.
    package static func isWritten(_ stamp: FileStamp, since filed: Int64) -> Bool {
        stamp.modified == stamp.changed && stamp.modified >= filed
    }

    private func left(_ entry: HistoryEntry, now: Int64) throws(Errno) -> Watched? {
        let place = try history.place(of: entry)
        let status = try place.status()
        let stamp = status.stamp
        let filed = entry.time * 1_000_000_000
        // What has a second name is a file of its own somewhere else, and may be written to there for ever.
        let isLate = status.links == 1 && Self.isWritten(stamp, since: filed)
        guard isLate || filed > now - Self.longestAbsence else { return nil }
        let file = try place.open()
        let hasWriter = file.disk.hasWriter(file.raw) == true
        // An earlier run had the time to tell of it: a copy for each start would fill the disk.
        if isLate {
            return Watched(entry: entry, seen: nil, until: now, isTold: hasWriter && filed + Self.window < now)
        }
        guard hasWriter else { return nil }
        var buffer = HashingBuffer()
        return Watched(entry: entry, seen: (stamp, try buffer.hash(of: file).0), until: now + Self.window)
    }

    /// Takes a late write back that could not be put beside its path: the next check tells of it again.
    public func watchAgain(_ late: LateWrite, now: Int64) {
        watched.withLock { watched in
            watched.removeAll { $0.entry == late.entry }
            watched.append(Watched(entry: late.entry, seen: nil, until: now, copy: late.earlier))
        }
    }

    /// Notes the copy that was made of a late write, so that no start tells of it again.
    func keep(_ copy: ConflictCopy, of late: LateWrite) {
        // Another change of its status. Of somebody else's file it cannot be made: then the next start finds the copy.
        try? history.touch(late.entry)
        watched.withLock { watched in
            for index in watched.indices where watched[index].entry == late.entry { watched[index].copy = copy }
        }
    }

    /// The files that were written to since they were last told of, once nobody has them open for writing any more, or for
    /// the first time at the end of the window.
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
            let isOver = now >= item.until
            do throws(Errno) {
                let file = try history.place(of: item.entry).open()
                let hasWriter = file.disk.hasWriter(file.raw) == true
                if !hasWriter || isOver && !item.isTold, let (stamp, hash) = try news(of: item, in: file, hasWriter) {
                    late.append(LateWrite(path: item.entry.path, entry: item.entry, hash: hash, earlier: item.copy))
                    item.seen = (stamp, hash)
                    item.isTold = hasWriter
                }
                if hasWriter || !isOver { rest.append(item) }
            } catch {
                // What is no longer in history was pruned or rescued: nothing to watch. What cannot be read now may hold
                // bytes that are nowhere else.
                if error != .noSuchFileOrDirectory { rest.append(item) }
            }
        }
        watched.withLock { $0 += rest }
        return late
    }

    /// What a file holds, unless that was told.
    private func news(
        of item: Watched, in file: borrowing Descriptor, _ hasWriter: Bool
    ) throws(Errno) -> (FileStamp, ContentHash)? {
        let status = try file.status()
        let stamp = status.stamp
        // What has a second name is a file of its own somewhere else: what is written to it is seen there, and no late write.
        guard status.links == 1 else { return nil }
        // Within the window an equal stamp is believed; the last look reads the file.
        if hasWriter, let seen = item.seen, stamp.size == seen.stamp.size, stamp.modified == seen.stamp.modified {
            return nil
        }
        var buffer = HashingBuffer()
        let (hash, _) = try buffer.hash(of: file)
        return hash == item.seen?.hash ? nil : (stamp, hash)
    }
}
