public import RecordTrees
import SyncPlanning
import Synchronization
package import SystemPackage

/// Memory for the rows of very large folders, of which the system can take back what nobody looks at.
///
/// The first bytes are the process's own, and most folders need no others. Those beyond are pages of a file that has no name
/// and is mapped into memory: what is put away is in the system's cache, or on the disk, until somebody looks at it again. The
/// file has its room on the disk before it is used. Where it has none, or where the directory takes no such file or cannot
/// promise its room, all bytes are the process's own. It ends with the process, and nothing in it is needed after that.
public final class MappedMemory: RowMemory {
    private struct State {
        /// Bytes that are the process's own.
        var own = 0
        var file: MappedFile?
        /// Whether the file cannot grow, or there can be none.
        var isFull = false
    }

    /// Where programs put large files for a while that need not outlive them, on a disk of the system (file-hierarchy(7)): the
    /// folder's own may be pulled out, and a page that cannot be read again ends the process.
    package static let usualDirectory: FilePath = "/var/tmp"

    private let directory: FilePath
    private let ownLimit: Int
    private let takesAnyFileSystem: Bool
    private let state = Mutex(State())

    /// So many bytes are the process's own.
    package static let usualOwnLimit = 16 << 20

    /// Memory with a file in the usual directory, once one is needed.
    public convenience init() { self.init(in: Self.usualDirectory) }

    /// - Parameters:
    ///   - directory: Where the file is, once one is needed.
    ///   - ownLimit: How many bytes are the process's own.
    ///   - takesAnyFileSystem: Whether also one is good that does not keep to the room that it gave; for tests.
    package init(in directory: FilePath, ownLimit: Int = usualOwnLimit, takesAnyFileSystem: Bool = false) {
        (self.directory, self.ownLimit, self.takesAnyFileSystem) = (directory, ownLimit, takesAnyFileSystem)
    }

    public func region(of count: Int) -> RowRegion {
        if let region = mappedRegion(of: count) { return region }
        state.withLock { $0.own += count }
        let own = ProcessMemory().region(of: count)
        return RowRegion(own.bytes) {
            own.free()
            self.state.withLock { $0.own -= count }
        }
    }

    /// A region of the file; `nil` where there is room of the process's own, and where the file has none.
    private func mappedRegion(of count: Int) -> RowRegion? {
        state.withLock { state in
            guard state.own + count > ownLimit else { return nil }
            if state.file == nil, !state.isFull { state.file = file() }
            guard let region = state.file?.region(of: count, mayGrow: !state.isFull) else {
                state.isFull = true
                return nil
            }
            return RowRegion(region.bytes) { self.state.withLock { $0.file?.free(region) } }
        }
    }

    private func file() -> MappedFile? { MappedFile(in: directory, takesAnyFileSystem: takesAnyFileSystem) }

    public func limit() { state.withLock { $0.file?.limit() } }

    public func putAway() { state.withLock { $0.file?.putAway() } }

    /// How many bytes are in the file, be they in memory or not.
    package var mappedBytes: Int { state.withLock { $0.file?.size ?? 0 } }
}
