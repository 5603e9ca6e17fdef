import Crypto
public import SyncModel
import Synchronization
import SystemPackage

/// One file being read from its beginning to its end, by one reader at a time.
public final class FileReader: Sendable {
    /// Which file is read.
    public let path: FolderPath
    /// As it was before the first byte was read.
    public let stamp: FileStamp

    /// What came of reading a file.
    public enum Check: Hashable, Sendable {
        /// The bytes that were read are the file's, and this is their hash.
        case unchanged(ContentHash)
        /// Somebody wrote to the file meanwhile, or it was not read to its end: what was read is worth nothing.
        case changed
    }

    private struct State: ~Copyable {
        let file: Descriptor
        var hasher = SHA256()
        var count: Int64 = 0
    }

    private let state: Mutex<State>

    package init(file: consuming Descriptor, path: FolderPath, stamp: FileStamp) {
        self.path = path
        self.stamp = stamp
        state = Mutex(State(file: file))
    }

    /// The next piece, or `nil` at the end.
    public func next(maxBytes: Int = 256 * 1024) throws(FolderError) -> [UInt8]? {
        do throws(Errno) {
            return try state.withLock { state throws(Errno) in
                var failure: Errno?
                // As much as is left, and a page more where it has grown: most files are far smaller than a piece.
                let room = Int(min(max(stamp.size - state.count, 0) + 4096, Int64(maxBytes)))
                let piece = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                    do throws(Errno) {
                        count = try state.file.read(into: UnsafeMutableRawBufferPointer(buffer))
                    } catch {
                        failure = error
                    }
                }
                if let failure { throw failure }
                guard !piece.isEmpty else { return nil }
                state.hasher.update(data: piece)
                state.count += Int64(piece.count)
                return piece
            }
        } catch {
            throw .cannot("read", path, error)
        }
    }

    /// Whether what was read is the file as it stood all the time.
    public func finish() throws(FolderError) -> Check {
        do throws(Errno) {
            return try state.withLock { state throws(Errno) in
                guard try state.file.status().stamp == stamp, state.count == stamp.size else { return .changed }
                return .unchanged(ContentHash(digest: state.hasher.finalize()))
            }
        } catch {
            throw .cannot("read", path, error)
        }
    }
}
