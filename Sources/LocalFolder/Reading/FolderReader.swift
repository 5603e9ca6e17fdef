import Crypto
public import SyncModel
import SystemPackage

/// Reads files whole or piece by piece, and notices when they change under the reader.
public struct FolderReader: Sendable {
    /// The folder that is read.
    public var root: FolderRoot

    /// Takes the folder to read in.
    public init(root: FolderRoot) {
        self.root = root
    }

    /// A file's bytes with the stamp they belong to.
    public struct Contents: Sendable {
        /// All of them.
        public var bytes: [UInt8]
        /// Of the file when it had these bytes.
        public var stamp: FileStamp
        /// Of the bytes.
        public var hash: ContentHash { ContentHash(digest: SHA256.hash(data: bytes)) }
    }

    /// Reads a file that nobody writes to meanwhile; tries again some times where somebody does.
    ///
    /// - Parameter limit: In bytes.
    /// - Throws: ``FolderError``, with the code `notAFile` for a symbolic link, a directory or a special file,
    ///   `changing` where the file never held still, and `tooLarge` where it is larger than the limit.
    public func read(_ path: FolderPath, limit: Int = .max) throws(FolderError) -> Contents {
        for _ in 0..<8 {
            do throws(Errno) {
                let file = try Descriptor.open(beneath: root.descriptor, path.terminated, .read)
                let stamp = try Self.stamp(of: file)
                guard stamp.size <= Int64(clamping: limit) else { throw .fileTooLarge }
                let bytes = try file.read(expecting: Int(stamp.size))
                if bytes.count == stamp.size, try file.status().stamp == stamp {
                    return Contents(bytes: bytes, stamp: stamp)
                }
            } catch {
                throw .cannot("read", path, error)
            }
        }
        throw .cannot("read", path, .resourceBusy)
    }

    private static func stamp(of file: borrowing Descriptor) throws(Errno) -> FileStamp {
        let status = try file.status()
        guard status.kind == .file else { throw .isDirectory }
        return status.stamp
    }

    /// What `stat` says of a file, which needs no right to read it; `nil` where no regular file is to be seen there.
    public func stamp(of path: FolderPath) -> FileStamp? {
        guard let status = try? root.openParent(of: path).status(of: path.terminatedName), status.kind == .file else {
            return nil
        }
        return status.stamp
    }

    /// Opens a file to be read piece by piece.
    public func open(_ path: FolderPath) throws(FolderError) -> FileReader {
        do throws(Errno) {
            let file = try Descriptor.open(beneath: root.descriptor, path.terminated, .read)
            let stamp = try Self.stamp(of: file)
            return FileReader(file: file, path: path, stamp: stamp)
        } catch {
            throw .cannot("read", path, error)
        }
    }

    /// Opens a file to be uploaded, or gives `nil` where it is no longer the one that was scanned.
    public func openForUpload(_ path: FolderPath, expecting stamp: FileStamp) throws(FolderError) -> FileReader? {
        do throws(FolderError) {
            let reader = try open(path)
            return reader.stamp == stamp ? reader : nil
        } catch {
            if error.code == .notFound || error.code == .notAFile { return nil }
            throw error
        }
    }
}
