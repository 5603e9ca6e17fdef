import CFolderCalls
import Crypto
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
        state = Mutex(State(file: try .open(beneath: staging.descriptor, place.name, FOLDER_OPEN_NEW)))
    }

    deinit {
        if !state.withLock({ $0.isPlaced }) {
            // A failure leaves a file that the next start removes.
            _ = folder_remove_file(place.directory.descriptor.raw, place.name)
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
    ///   - syncing: Pass `false` for many files, and then ``FolderWriter/makeDurable(_:)`` once for all of them;
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
                    let mode = try file.status().raw.mode & 0o777
                    try check(folder_set_mode(file.raw, mode | (mode & 0o444) >> 2))
                }
                if let modified { try check(folder_set_modified(file.raw, modified)) }
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
        let answer = folder_link(
            place.directory.descriptor.raw, place.name, slot.directory.descriptor.raw, slot.name)
        guard answer < 0 else { return true }
        try place.rename(to: slot)
        return false
    }

    /// Takes the name in staging away; where that fails, the next start does it.
    func leaveStaging() {
        _ = folder_remove_file(place.directory.descriptor.raw, place.name)
    }

    /// Says that the file left staging, so that nothing is to be removed there.
    func markPlaced(_ isPlaced: Bool) {
        state.withLock { $0.isPlaced = isPlaced }
    }

    /// Takes over owner, permissions and extended attributes of the file that this one is to replace.
    func adoptAttributes(of old: borrowing Descriptor, _ status: FileStatus) throws(Errno) {
        var finished = self.finished
        var mode = status.raw.mode & 0o777
        mode = finished.executable ? mode | (mode & 0o444) >> 2 : mode & ~0o111
        let file = try place.open()
        var isChanged = false
        let own = try file.status()
        if own.raw.user != status.raw.user || own.raw.group != status.raw.group {
            // Only root can give a file away; then it stays this user's, as with any editor that saves by rename.
            isChanged = folder_set_owner(file.raw, status.raw.user, status.raw.group) == 0
        }
        if folder_copy_attributes(old.raw, file.raw) > 0 { isChanged = true }
        // Last, for the two above change the mode, too.
        if try file.status().raw.mode != mode {
            try check(folder_set_mode(file.raw, mode))
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
