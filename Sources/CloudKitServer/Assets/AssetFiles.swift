import Crypto
import Glibc
import SystemPackage

/// Assets on disk, each once, named by the SHA-256 of its content: `assets/<2 hex>/<64 hex>`.
///
/// A file is written under `uploads/`, synced, renamed into its place, and the directory synced: what stands under a
/// final name is whole, and once an upload is answered, it stays.
final class AssetFiles: Sendable {
    let directory: FilePath
    private let uploads: FilePath

    /// Opens the two directories below `root`, and removes what interrupted uploads left behind.
    init(in root: FilePath) throws {
        directory = root.appending("assets")
        uploads = root.appending("uploads")
        for path in [directory, uploads] { try Self.makeDirectory(path) }
        try Self.sync(root)
        for name in try Self.names(in: uploads) { unlink(uploads.appending(name).string) }
    }

    func path(_ sha256: [UInt8]) -> FilePath {
        let name = hex(sha256)
        return directory.appending(String(name.prefix(2))).appending(name)
    }

    func contains(_ sha256: [UInt8]) -> Bool {
        access(path(sha256).string, F_OK) == 0
    }

    /// Begins to store an asset.
    func newFile(named name: String) throws -> AssetFile {
        let path = uploads.appending(name)
        let descriptor = try FileDescriptor.open(
            path, .writeOnly, options: [.create, .exclusiveCreate], permissions: [.ownerReadWrite])
        return AssetFile(descriptor: descriptor, path: path)
    }

    /// Makes a written file durable under its final name.
    func keep(_ file: AssetFile) throws -> (sha256: [UInt8], size: Int64) {
        let (sha256, size) = file.finish()
        let target = path(sha256)
        let folder = target.removingLastComponent()
        if try Self.makeDirectory(folder) { try Self.sync(directory) }
        if contains(sha256) {
            // Equal content is stored already. Its age is its time since the last upload, so that the receipt that goes
            // out now keeps it from being removed as unused.
            utimensat(AT_FDCWD, target.string, nil, 0)
            file.discard()
        } else {
            try file.sync()
            try Self.check(rename(file.path.string, target.string), "rename", file.path)
            file.close()
        }
        // Also where the file was there: the upload that brought it may still be waiting for this.
        try Self.sync(folder)
        return (sha256, size)
    }

    /// Removes files that are not among those to keep and older than an hour.
    func removeUnused(keeping kept: Set<[UInt8]>, now: Int64) throws {
        for folder in try Self.names(in: directory).map({ directory.appending($0) }) {
            for name in try Self.names(in: folder) {
                guard let sha256 = bytes(hex: name), !kept.contains(sha256) else { continue }
                let path = folder.appending(name).string
                var status = stat()
                guard stat(path, &status) == 0,
                    Int64(status.st_mtim.tv_sec) + StoreLimits.receiptSeconds < now / 1000
                else { continue }
                unlink(path)
            }
        }
    }

    /// Makes a directory for this account alone, and says whether it was not there before.
    @discardableResult
    static func makeDirectory(_ path: FilePath) throws -> Bool {
        if mkdir(path.string, 0o700) == 0 { return true }
        guard errno == EEXIST else { throw ServerError.file("mkdir", path, Errno(rawValue: errno)) }
        return false
    }

    static func sync(_ directory: FilePath) throws {
        let descriptor = try FileDescriptor.open(directory, .readOnly)
        defer { try? descriptor.close() }
        try check(fsync(descriptor.rawValue), "fsync", directory)
    }

    private static func check(_ result: Int32, _ call: String, _ path: FilePath) throws {
        guard result == 0 else { throw ServerError.file(call, path, Errno(rawValue: errno)) }
    }

    private static func names(in directory: FilePath) throws -> [String] {
        guard let stream = opendir(directory.string) else {
            throw ServerError.file("opendir", directory, Errno(rawValue: errno))
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { raw in
                String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

/// One asset while it is being received.
///
/// Sendable because the one request that receives it awaits each call before it makes the next.
final class AssetFile: @unchecked Sendable {
    let path: FilePath
    private let descriptor: FileDescriptor
    private var hash = SHA256()
    private(set) var size: Int64 = 0
    private var isOpen = true

    init(descriptor: FileDescriptor, path: FilePath) {
        self.descriptor = descriptor
        self.path = path
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        hash.update(bufferPointer: bytes)
        size += Int64(bytes.count)
        try descriptor.writeAll(bytes)
    }

    func finish() -> (sha256: [UInt8], size: Int64) {
        (Array(hash.finalize()), size)
    }

    func sync() throws {
        guard fsync(descriptor.rawValue) == 0 else {
            throw ServerError.file("fsync", path, Errno(rawValue: errno))
        }
    }

    /// Closes the file, where that was not done before: by now its number may be another file's.
    func close() {
        guard isOpen else { return }
        isOpen = false
        try? descriptor.close()
    }

    /// Removes the file again.
    func discard() {
        close()
        unlink(path.string)
    }
}
