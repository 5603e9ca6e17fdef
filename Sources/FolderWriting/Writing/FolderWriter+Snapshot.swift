import Crypto
public import LocalFolder
public import SyncModel
import SystemPackage

/// A copy of a file that is being written to, as it stood at one moment.
public struct FileSnapshot: Sendable {
    /// The copy: in staging, and removed with its last reference.
    public var file: StagedFile
    /// The original's stamp when it was copied, with the copy's size.
    public var stamp: FileStamp
    /// Of the copy.
    public var hash: ContentHash
}

extension FolderWriter {
    /// Copies a file to staging, however fast somebody writes to it.
    ///
    /// The copy is what the file was at one moment: nobody wrote to the file meanwhile, or what was copied is still what the
    /// file begins with, for it only grew. Where neither can be had in some tries, as with one that is written to all over, there
    /// is no copy.
    /// - Returns: `nil` where there is no such copy, or no file.
    public func snapshot(of path: FolderPath) throws(FolderError) -> FileSnapshot? {
        for _ in 0..<4 {
            let reader: FileReader
            do throws(FolderError) {
                reader = try FolderReader(root: root).open(path)
            } catch {
                if error.code == .notFound || error.code == .notAFile { return nil }
                throw error
            }
            let staged = try stage()
            // What is added meanwhile is left out, so that the copy has an end.
            while staged.size < reader.stamp.size,
                let piece = try reader.next(maxBytes: Int(min(256 * 1024, reader.stamp.size - staged.size)))
            {
                try staged.write(piece)
            }
            let hash = try staged.finish(executable: reader.stamp.executable, syncing: false)
            var isOfOneMoment = try reader.finish() == .unchanged(hash)
            if !isOfOneMoment { isOfOneMoment = try isStart(of: path, hash, size: staged.size) }
            guard isOfOneMoment else { continue }
            var stamp = reader.stamp
            stamp.size = staged.size
            return FileSnapshot(file: staged, stamp: stamp, hash: hash)
        }
        return nil
    }

    /// Whether a file begins with these bytes now.
    private func isStart(of path: FolderPath, _ hash: ContentHash, size: Int64) throws(FolderError) -> Bool {
        let reader: FileReader
        do throws(FolderError) {
            reader = try FolderReader(root: root).open(path)
        } catch {
            if error.code == .notFound || error.code == .notAFile { return false }
            throw error
        }
        var hasher = SHA256()
        var left = size
        while left > 0, let piece = try reader.next(maxBytes: Int(min(256 * 1024, left))) {
            hasher.update(data: piece)
            left -= Int64(piece.count)
        }
        return left == 0 && ContentHash(digest: hasher.finalize()) == hash
    }
}

extension StagedFile {
    /// Opens what was written, to be read from its beginning.
    /// - Parameter path: The file that it is a copy of.
    public func open(as path: FolderPath) throws(FolderError) -> FileReader {
        do throws(Errno) {
            let file = try place.open()
            let stamp = try file.status().stamp
            return FileReader(file: file, path: path, stamp: stamp)
        } catch {
            throw .stateDirectory("reading a copy in staging", error)
        }
    }
}
