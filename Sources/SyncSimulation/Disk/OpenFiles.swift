import Synchronization
import SystemPackage

/// The files and directories that one run of the product has open, by descriptor.
final class OpenFiles: Sendable {
    struct File {
        var inode: DiskTree.Inode
        /// Where the next read begins.
        var offset = 0
        var isWritable: Bool
    }

    private struct State {
        var files: [Int32: File] = [:]
        var last: Int32 = 2
    }

    private let state = Mutex(State())

    /// - Throws: `EBADF`.
    subscript(descriptor: Int32) -> File {
        get throws(Errno) {
            guard let file = state.withLock({ $0.files[descriptor] }) else { throw .badFileDescriptor }
            return file
        }
    }

    /// Gives a descriptor that none had before.
    func open(_ inode: DiskTree.Inode, isWritable: Bool = false) -> Int32 {
        state.withLock { state in
            state.last += 1
            state.files[state.last] = File(inode: inode, isWritable: isWritable)
            return state.last
        }
    }

    /// What was open; `nil` where nothing was.
    func close(_ descriptor: Int32) -> File? {
        state.withLock { $0.files.removeValue(forKey: descriptor) }
    }

    /// Lets the next read begin later.
    func advance(_ descriptor: Int32, by count: Int) {
        state.withLock { $0.files[descriptor]?.offset += count }
    }
}
