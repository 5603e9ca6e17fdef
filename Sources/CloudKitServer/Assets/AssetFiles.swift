import Crypto
import Glibc
import Synchronization
import SystemPackage

/// Assets on disk, each once, named by the SHA-256 of its content: `assets/<2 hex>/<64 hex>`.
///
/// A file is written under `uploads/`, synced, renamed into its place, and the directory synced: what stands under a
/// final name is whole, and once an upload is answered, it stays.
///
/// A file's time is when it was last promised to a client, by a receipt or to a record. Named by no record, it stays some
/// time longer than a receipt is good.
final class AssetFiles: Sendable {
    let directory: FilePath
    private let uploads: FilePath
    private let syncDirectory: @Sendable (FilePath) throws -> Void
    /// The directories in `assets/` of which this process knows that they stay.
    private let syncedFolders = Mutex<Set<FilePath>>([])
    /// Held while a file comes to its place, is promised, or goes: none is promised that was just found too old.
    private let places = Mutex(())

    /// What may lie between a file's time and the receipt's comes on top.
    private static let unusedSeconds = StoreLimits.receiptSeconds + 10 * 60

    /// Opens the two directories below `root`, and removes what interrupted uploads left behind.
    /// - Parameter syncDirectory: Makes a directory's entries durable.
    init(
        in root: FilePath, syncDirectory: @escaping @Sendable (FilePath) throws -> Void = { try AssetFiles.sync($0) }
    ) throws {
        self.syncDirectory = syncDirectory
        directory = root.appending("assets")
        uploads = root.appending("uploads")
        for path in [directory, uploads] { try Self.makeDirectory(path) }
        try Self.sync(root)
        for name in try Self.names(in: uploads) { unlink(uploads.appending(name).string) }
    }

    /// Looks at those below `root`: to be listed, and not to be changed. Nothing is made where it is missing.
    init(lookingIn root: FilePath) {
        syncDirectory = { try AssetFiles.sync($0) }
        directory = root.appending("assets")
        uploads = root.appending("uploads")
    }

    func path(_ sha256: [UInt8]) -> FilePath {
        let name = hex(sha256)
        return directory.appending(String(name.prefix(2))).appending(name)
    }

    /// Lets a stored asset stay for as long as a receipt that is given now, named or not.
    /// - Parameter size: In bytes, where it is known: of any other size the file is damaged, as far as is seen without reading
    ///   it.
    /// - Returns: Whether it is stored, and stays.
    func renew(_ sha256: [UInt8], size: Int64? = nil) -> Bool {
        let file = path(sha256).string
        return places.withLock { _ in
            var status = stat()
            guard stat(file, &status) == 0, size.map({ $0 == Int64(status.st_size) }) ?? true else { return false }
            return utimensat(AT_FDCWD, file, nil, 0) == 0
        }
    }

    /// Begins to store an asset.
    func newFile(named name: String) throws -> AssetFile {
        let path = uploads.appending(name)
        let descriptor = try FileDescriptor.open(
            path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: [.ownerReadWrite])
        return AssetFile(descriptor: descriptor, path: path)
    }

    /// Makes a written file durable under its final name.
    ///
    /// One that stands there already, of the same size, is read first. A disk can have damaged it, and nothing but these bytes
    /// can mend it.
    func keep(_ file: AssetFile) throws -> (sha256: [UInt8], size: Int64) {
        let (sha256, size) = file.finish()
        let target = path(sha256)
        let folder = target.removingLastComponent()
        try makeFolder(folder)
        if renew(sha256, size: size), AssetReader.holds(sha256, target) {
            // Equal content is stored already.
            file.discard()
        } else {
            try file.sync()
            try places.withLock { _ in try Self.check(rename(file.path.string, target.string), "rename", file.path) }
            file.close()
        }
        // Also where the file was there: the upload that brought it may still be waiting for this.
        try syncDirectory(folder)
        return (sha256, size)
    }

    /// That a directory is there does not say that its entry is synced: it may have failed, or be under way in another
    /// upload.
    private func makeFolder(_ folder: FilePath) throws {
        let isNew = try Self.makeDirectory(folder)
        guard isNew || !syncedFolders.withLock({ $0.contains(folder) }) else { return }
        try syncDirectory(directory)
        _ = syncedFolders.withLock { $0.insert(folder) }
    }

    /// The directories that assets are in.
    func folders() throws -> [FilePath] {
        try Self.names(in: directory).filter { $0.utf8.count == 2 }.map { directory.appending($0) }
    }

    /// The assets in one of them, by SHA-256.
    func assets(in folder: FilePath) throws -> [[UInt8]] {
        try Self.names(in: folder).compactMap { bytes(hex: $0) }.filter { $0.count == 32 }
    }

    /// Removes an asset that no record names, unless it was promised to a client not long ago.
    /// - Returns: Whether it is gone.
    func removeUnused(_ sha256: [UInt8], now: Int64) throws -> Bool {
        let file = path(sha256)
        return try places.withLock { _ in
            var status = stat()
            guard stat(file.string, &status) == 0 else { return errno == ENOENT }
            guard Int64(status.st_mtim.tv_sec) + Self.unusedSeconds < now / 1000 else { return false }
            try Self.check(unlink(file.string), "unlink", file)
            return true
        }
    }

    /// Removes those that are not among those to keep, and were not promised to a client not long ago.
    func removeUnused(keeping kept: Set<[UInt8]>, now: Int64) throws {
        for folder in try folders() {
            for asset in try assets(in: folder) where !kept.contains(asset) {
                // A server starts all the same; what stands in the way, the next sweep's error says.
                _ = try? removeUnused(asset, now: now)
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
