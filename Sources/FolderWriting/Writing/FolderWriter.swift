public import LocalFolder
// How a file gets into the folder, so that a crash, a full disk or a person saving in that very instant loses nothing.
//
//   stage     A new name in `.zonefolder/staging/` is written and synced (fsync). Staging holds only what came from
//             elsewhere, so all that a crash left there can be removed.
//   replace   The staged file is linked to a free place in `.zonefolder/history/`, then it and the file in the folder
//             change places in one step (RENAME_EXCHANGE): a reader sees the old file or the new one, and the old one
//             is filed already. What came out is read: if it is not what was expected, somebody saved in that instant,
//             and the two change places again. The name in staging goes last: it tells a start what never was in the folder.
//   create    The staged file is moved to its path, which must be free (RENAME_NOREPLACE).
//   delete    The file is moved into history and read there; other bytes than expected go back.
//   move      RENAME_NOREPLACE, the stamp compared on both sides of it.
//   respell   A directory whose name changes in case alone steps aside first: see FolderWriter+Respelling.swift.
//
// Then the directories are synced, and only then may the outcome be recorded. A crash before that leaves the old file
// or the new one, never a part, and at most a file too many in history or staging.
//
// Without RENAME_EXCHANGE (some FUSE and network file systems) the old file is linked into history and the new one
// renamed over it; a save by rename between these two calls would be lost, which `exchangesFiles` tells. Without links either
// (exFAT) a copy of the old file is filed.
import SyncModel
import Synchronization
import SystemPackage

/// The only code that changes the synced folder.
///
/// Every change says what it expects to find, and is done exactly, or superseded, or blocked; an error is thrown where
/// the system refuses, and then the folder is as it was. Operations on different paths may run on several threads at
/// once; those on one path must follow one another.
public final class FolderWriter: Sendable {
    /// The folder that is written to.
    public let root: FolderRoot
    /// The name that conflict copies carry.
    public let device: String
    /// What was replaced or deleted.
    public let history: FolderHistory
    /// Files in history that somebody may still write to.
    public let lateWriters: LateWriters
    /// Whether files are replaced by an exchange, which loses no save; learned by trying, at the start.
    public let exchangesFiles: Bool
    /// Whether names that differ in case are two names.
    let tellsCase: Bool

    let directories: StateDirectories
    let clock: @Sendable () -> Int64
    private let session: String
    private let counter = Atomic<UInt64>(0)

    /// Opens the state directory's parts, making those that are missing, but never the state directory itself.
    ///
    /// - Parameter clock: Nanoseconds since 1970.
    public convenience init(
        root: FolderRoot, device: String, clock: @escaping @Sendable () -> Int64
    )
        throws(FolderError)
    {
        try self.init(root: root, device: device, clock: clock, allowingExchange: true)
    }

    package init(
        root: FolderRoot, device: String, clock: @escaping @Sendable () -> Int64, allowingExchange: Bool
    ) throws(FolderError) {
        self.root = root
        self.device = device
        self.clock = clock
        directories = try StateDirectories(in: root)
        history = FolderHistory(directory: directories.history)
        lateWriters = LateWriters(history: history)
        tellsCase = root.tellsCase
        session = String(root.disk.random(), radix: 36)
        do throws(Errno) {
            let canExchange = try Self.canExchange(in: directories.staging, session)
            exchangesFiles = allowingExchange && canExchange
        } catch {
            throw .stateDirectory("trying to exchange two files", error)
        }
    }

    private static func canExchange(in staging: DirectoryHandle, _ session: String) throws(Errno) -> Bool {
        let names = ["a", "b"].map { Array("exchange-\($0)-\(session)".utf8) + [0] }
        let places = names.map { Place(directory: staging, name: $0) }
        // What a crash leaves of it goes with all else in staging. A command that restores a file tries beside a daemon.
        defer { for place in places { try? place.remove() } }
        for place in places {
            try staging.descriptor.makeFile(place.name)
        }
        do throws(Errno) {
            try places[0].exchange(with: places[1])
            return true
        } catch {
            return false
        }
    }

    // MARK: Staging

    /// Removes what a crash left in staging. Call it at the start, before anything is staged, and before the folder is looked at.
    /// - Returns: How many files were removed.
    @discardableResult
    public func cleanStaging() throws(FolderError) -> Int {
        try endRespellings()
        do throws(Errno) {
            let listing = try Descriptor.open(
                beneath: directories.staging.descriptor, [UInt8(ascii: "."), 0], .directory)
            let names = try listing.names()
            for name in names {
                let status = try directories.staging.descriptor.status(of: name + [0])
                if status.kind == .file, status.links > 1 { try history.remove(status.stamp) }
                try directories.staging.descriptor.removeTree(name + [0])
            }
            return names.count
        } catch {
            throw .stateDirectory("cleaning staging", error)
        }
    }

    /// Begins a file that is to come into the folder.
    public func stage() throws(FolderError) -> StagedFile {
        let number = counter.add(1, ordering: .relaxed).newValue
        do throws(Errno) {
            return try StagedFile(in: directories.staging, name: "\(session)-\(number)")
        } catch {
            throw .stateDirectory("making a file in staging", error)
        }
    }

    /// Stages bytes that are at hand.
    public func stage(
        _ bytes: some Sequence<UInt8>, executable: Bool = false, modified: Int64? = nil, syncing: Bool = true
    ) throws(FolderError) -> StagedFile {
        let file = try stage()
        try file.write(bytes)
        try file.finish(executable: executable, modified: modified, syncing: syncing)
        return file
    }

    // MARK: Proof of observation

    /// Makes and removes a file in `.zonefolder/cookies/`: when the watcher reports its name, it has reported all that
    /// happened before this call.
    /// - Parameter name: ASCII letters, digits and `-`.
    public func dropCookie(named name: String) throws(FolderError) {
        guard let path = FolderPath(name), path.parent == nil else {
            preconditionFailure("a cookie's name is one name")
        }
        do throws(Errno) {
            try directories.cookies.descriptor.makeFile(path.terminated)
            try directories.cookies.descriptor.removeFile(path.terminated)
        } catch {
            throw .stateDirectory("dropping a cookie", error)
        }
    }

    // MARK: What the operations share

    var seconds: Int64 { clock() / 1_000_000_000 }

    /// A file as it is right after it was put into place: a write in the same tick would not show in its stamp yet.
    func placed(_ path: FolderPath, _ stamp: FileStamp, _ hash: ContentHash) -> LocalFile {
        LocalFile(path: path, stamp: stamp, hash: hash, isSettled: stamp.isSettled(asOf: clock()))
    }

    /// Runs an operation, its directories being synced with the caller's batch or at once.
    func commit(
        _ verb: String, _ path: FolderPath, in batch: WriteBatch?,
        _ body: (WriteBatch) throws(Errno) -> WriteOutcome
    ) throws(FolderError) -> WriteOutcome {
        if path.isReserved { return .blocked(.reserved(path)) }
        let own = batch ?? WriteBatch()
        // What is put into another directory than its own would be looked for there in vain.
        if !tellsCase, let directory = path.parent, let other = try? own.otherCase(onTheWayTo: directory, in: root) {
            return .blocked(.otherCase(other))
        }
        let outcome: WriteOutcome
        do throws(Errno) {
            outcome = try body(own)
            if let directory = path.parent { try own.add(above: directory, in: root) }
        } catch {
            // What was done before the failure is made durable, too: it may have put a person's file back.
            if batch == nil { try own.finish() }
            if let reason = obstacle(on: path, error) { return .blocked(reason) }
            if error == .noSuchFileOrDirectory {
                guard directories.areThere else { throw .stateDirectory("it was removed", error) }
                return .superseded(.missing, conflictCopy: nil)
            }
            throw .cannot(verb, path, error)
        }
        if batch == nil { try own.finish() }
        return outcome
    }
}
