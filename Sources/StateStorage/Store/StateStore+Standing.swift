public import FolderSettings
import GRDB
import StateDatabase
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How a state that is open stands to what is in its place now.
public enum StateStanding: Sendable {
    /// It is the one that is there.
    case own
    /// Another one is being put there. The error says what that means.
    case arriving(StateError)
    /// Another one is there.
    case replaced
}

/// Another state in the place of one that is open, as when a backup is copied over the folder.
extension StateStore {
    /// Makes an empty file where there is none, to be opened, and removes a log that is of another one.
    public static func makeFile(of directory: StateDirectory) throws(StateError) {
        StateFiles.putBack(directory.database)
        StateLog(of: directory.database).removeIfForeign()
        // SQLite gives its other files the mode of this one.
        try DurableFile.makePrivate(directory.database)
    }

    /// Whether another state is in the place of this one, which stores nothing more then: nobody would ever read it.
    public var isReplaced: Bool {
        guard let files, files.areOpen else { return false }
        return queue.unsafeRead(files.isReplaced)
    }

    /// How this one stands to what is there.
    /// - Parameter now: In milliseconds since 1970, by the clock that stamps files.
    public func standing(nowMilliseconds now: Int64) -> StateStanding {
        guard isReplaced else { return .own }
        // Nothing of the process reads the file any more, so its locks are nothing to lose. What a copy lacks that was made while
        // the state was open is in the log that came with it.
        let there = StateLog(of: path)
        return (there.isWhole || there.isOfDatabase() == true) && isAtRest(at: now)
            ? .replaced : .arriving(.replaced(path))
    }

    /// How long nobody may have written to it. What belongs to it may come after it, one file after the other.
    private static let rest: Int64 = 10_000

    private func isAtRest(at now: Int64) -> Bool {
        ["", "-wal"].allSatisfy { part in
            var status = stat()
            guard lstat(path.string + part, &status) == 0 else { return true }
            // Not by the time of its content, which many programs take along.
            let age = now - Int64(status.st_ctim.tv_sec) * 1000 - Int64(status.st_ctim.tv_nsec) / 1_000_000
            // Of one that has a time to come nothing is told by it.
            return age < 0 || age >= Self.rest
        }
    }
}
