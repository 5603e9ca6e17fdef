public import SyncPlanning
import Synchronization
public import SystemPackage

/// Memory for the rows of very large folders, of which the system can take back what nobody looks at.
///
/// The first bytes are the process's own, and most folders need no others. Those beyond are pages of a file that has no name
/// and is mapped into memory: what is put away is in the system's cache, or on the disk, until somebody looks at it again. The
/// file has its room on the disk before it is used. Where it has none, or the directory takes no such file, all bytes are the
/// process's own. It ends with the process, and nothing in it is needed after that.
public final class MappedMemory: RowMemory {
    private struct State {
        /// Bytes that are the process's own.
        var own = 0
        var file: MappedFile?
        /// Whether there can be no more of the file.
        var isFull = false
    }

    private let directory: FilePath
    private let ownLimit: Int
    private let state = Mutex(State())

    /// So many bytes are the process's own.
    public static let usualOwnLimit = 16 << 20

    /// - Parameters:
    ///   - directory: Where the file is, once one is needed.
    ///   - ownLimit: How many bytes are the process's own.
    public init(in directory: FilePath, ownLimit: Int = usualOwnLimit) {
        (self.directory, self.ownLimit) = (directory, ownLimit)
    }

    public func region(of count: Int) -> RowRegion {
        if let region = mappedRegion(of: count) { return region }
        state.withLock { $0.own += count }
        nonisolated(unsafe) let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        return RowRegion(bytes) {
            bytes.deallocate()
            self.state.withLock { $0.own -= count }
        }
    }

    /// A region of the file; `nil` where there is room of the process's own, and where the file has none.
    private func mappedRegion(of count: Int) -> RowRegion? {
        state.withLock { state in
            guard state.own + count > ownLimit, !state.isFull else { return nil }
            if state.file == nil { state.file = MappedFile(in: directory) }
            guard let region = state.file?.region(of: count) else {
                state.isFull = true
                return nil
            }
            return RowRegion(region.bytes) { self.state.withLock { $0.file?.free(region) } }
        }
    }

    public func limit() { state.withLock { $0.file?.limit() } }

    public func putAway() { state.withLock { $0.file?.putAway() } }

    /// How many bytes are in the file, be they in memory or not.
    package var mappedBytes: Int { state.withLock { $0.file?.size ?? 0 } }
}
