import Crypto
public import LocalFolder
public import SyncModel
import Synchronization
import SystemPackage

/// A file that is being written where nobody sees it, and then put into the folder in one step.
///
/// Write to it, then call ``finish(executable:modified:syncing:)``. One that is never put into place is removed with
/// its last reference, or by the next start.
public final class StagedFile: Sendable {
    let place: Place

    struct Finished {
        var hash: ContentHash
        var stamp: FileStamp
        var executable: Bool
        var modified: Int64?
    }

    private struct State: ~Copyable {
        var file: Descriptor?
        var hasher = SHA256()
        var size: Int64 = 0
        var finished: Finished?
        var isSynced = false
        var isPlaced = false
    }

    private let state: Mutex<State>

    init(in staging: DirectoryHandle, name: String) throws(Errno) {
        place = Place(directory: staging, name: Array(name.utf8) + [0])
        state = Mutex(State(file: try .open(beneath: staging.descriptor, place.name, .new)))
    }

    deinit {
        if !state.withLock({ $0.isPlaced }) {
            // A failure leaves a file that the next start removes.
            try? place.remove()
        }
    }

    /// Appends bytes.
    public func write(_ bytes: some Sequence<UInt8>) throws(FolderError) {
        do throws(Errno) {
            var failure: Errno?
            func tryToAppend(_ buffer: UnsafeRawBufferPointer) {
                do throws(Errno) {
                    try append(buffer)
                } catch {
                    failure = error
                }
            }
            let done: Void? = bytes.withContiguousStorageIfAvailable { tryToAppend(UnsafeRawBufferPointer($0)) }
            if done == nil { Array(bytes).withUnsafeBytes { tryToAppend($0) } }
            if let failure { throw failure }
        } catch {
            throw .stateDirectory("writing to staging", error)
        }
    }

    private func append(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        try state.withLock { state throws(Errno) in
            guard state.file != nil else { preconditionFailure("a staged file is written before it is finished") }
            try state.file!.write(bytes)
            state.hasher.update(bufferPointer: bytes)
            state.size += Int64(bytes.count)
        }
    }

    /// Ends the writing.
    ///
    /// - Parameters:
    ///   - modified: Nanoseconds since 1970; `nil` leaves the time of the last write.
    ///   - syncing: Pass `false` for many files, and then ``FolderWriter/makeDurable(_:besides:)`` once for all of them;
    ///     a file that is not durable yet is made so before it is put into place.
    /// - Returns: The hash of all that was written: compare it, and ``size``, with what was announced.
    @discardableResult
    public func finish(
        executable: Bool = false, modified: Int64? = nil, syncing: Bool = true
    ) throws(FolderError)
        -> ContentHash
    {
        do throws(Errno) {
            return try state.withLock { state throws(Errno) in
                guard let file = state.file.take() else { preconditionFailure("a staged file is finished once") }
                if executable {
                    // As the umask allows: whoever may read may execute.
                    let mode = try file.status().stamp.mode & 0o777
                    try file.disk.setMode(file.raw, mode | (mode & 0o444) >> 2)
                }
                if let modified { try file.disk.setModified(file.raw, modified) }
                if syncing {
                    try file.sync()
                    state.isSynced = true
                }
                let hash = ContentHash(digest: state.hasher.finalize())
                state.finished = Finished(
                    hash: hash, stamp: try file.status().stamp, executable: executable, modified: modified)
                return hash
            }
        } catch {
            throw .stateDirectory("finishing a file in staging", error)
        }
    }

    /// Decides once more whether the finished file can be executed: what it takes the place of may tell that.
    public func setExecutable(_ executable: Bool) throws(FolderError) {
        var finished = self.finished
        guard executable != finished.executable else { return }
        do throws(Errno) {
            let file = try place.open()
            let mode = try file.status().stamp.mode & 0o777
            try file.disk.setMode(file.raw, executable ? mode | (mode & 0o444) >> 2 : mode & ~0o111)
            (finished.executable, finished.stamp) = (executable, try file.status().stamp)
        } catch {
            throw .stateDirectory("finishing a file in staging", error)
        }
        state.withLock { ($0.finished, $0.isSynced) = (finished, false) }
    }

    /// Of all that was written, once it is finished.
    public var hash: ContentHash { finished.hash }

    /// Of the bytes written so far, in bytes.
    public var size: Int64 { state.withLock { $0.size } }

    var isSynced: Bool { state.withLock { $0.isSynced } }

    var finished: Finished {
        guard let finished = state.withLock({ $0.finished }) else {
            preconditionFailure("a staged file is finished before it is put into place")
        }
        return finished
    }

    func sync() throws(Errno) {
        guard !isSynced else { return }
        try place.open().sync()
        markSynced()
    }

    func markSynced() {
        state.withLock { $0.isSynced = true }
    }

    /// Gives the file a second name in the history; `false` where there are no hard links, and it was moved there.
    func enter(_ slot: Place) throws(Errno) -> Bool {
        do throws(Errno) {
            try place.link(to: slot)
            return true
        } catch {
            try place.rename(to: slot)
            return false
        }
    }

    /// Takes the name in staging away; where that fails, the next start does it.
    func leaveStaging() {
        try? place.remove()
    }

    /// Says that the file left staging, so that nothing is to be removed there.
    func markPlaced(_ isPlaced: Bool) {
        state.withLock { $0.isPlaced = isPlaced }
    }

    /// Takes over the group of a directory whose new files are of its group (setgid), as the state directory's are not.
    func adoptGroup(of directory: FileStatus) throws(Errno) {
        guard directory.stamp.mode & 0o2000 != 0 else { return }
        let file = try place.open()
        let own = try file.status()
        guard own.group != directory.group else { return }
        // Who is not in the group cannot give it the file; then it stays this user's.
        guard (try? file.disk.setOwner(file.raw, user: own.user, group: directory.group)) != nil else { return }
        state.withLock { $0.isSynced = false }
    }

    /// Takes over owner, permissions and extended attributes of the file that this one is to replace.
    func adoptAttributes(of old: borrowing Descriptor, _ status: FileStatus) throws(Errno) {
        var finished = self.finished
        var mode = status.stamp.mode & 0o777
        mode = finished.executable ? mode | (mode & 0o444) >> 2 : mode & ~0o111
        let file = try place.open()
        var isChanged = false
        let own = try file.status()
        if own.user != status.user || own.group != status.group {
            // Only root can give a file away; then it stays this user's, as with any editor that saves by rename.
            isChanged = (try? file.disk.setOwner(file.raw, user: status.user, group: status.group)) != nil
        }
        if file.disk.copyAttributes(from: old.raw, to: file.raw) > 0 { isChanged = true }
        // Last, for the two above change the mode, too.
        if try file.status().stamp.mode != mode {
            try file.disk.setMode(file.raw, mode)
            isChanged = true
        }
        guard isChanged else { return }
        finished.stamp = try file.status().stamp
        state.withLock { state in
            state.isSynced = false
            state.finished = finished
        }
    }
}
