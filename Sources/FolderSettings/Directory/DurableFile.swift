package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Whole small files that survive a crash: a reader finds the earlier content or the later, never a part.
///
/// The order on disk: write a temporary file beside the target, `fsync` it, rename it over the target, `fsync` the
/// directory. When the call returns, the new content survives a loss of power.
package enum DurableFile {
    /// Begins the names of temporary files, so that what a crash left behind can be told and removed.
    static let temporaryPrefix = ".new-"

    /// Replaces a file's content; the file has mode 0600.
    static func write(_ bytes: [UInt8], to path: FilePath) throws(StateError) {
        let directory = path.removingLastComponent()
        let (descriptor, temporary) = try createTemporary(in: directory)
        let file = FileDescriptor(rawValue: descriptor)
        do {
            defer { close(descriptor) }
            try file.writeAll(bytes)
            guard fsync(descriptor) == 0 else { throw lastError }
            guard rename(temporary.string, path.string) == 0 else { throw lastError }
        } catch {
            unlink(temporary.string)
            throw .system(error as? Errno ?? .ioError, "write", path)
        }
        try synchronize(directory: directory)
    }

    private static func createTemporary(in directory: FilePath) throws(StateError) -> (Int32, FilePath) {
        var number = 0
        while true {
            let path = directory.appending("\(temporaryPrefix)\(getpid())-\(number)")
            let descriptor = open(path.string, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if descriptor >= 0 { return (descriptor, path) }
            guard lastError == .fileExists else { throw .system(lastError, "create a file in", directory) }
            number += 1
        }
    }

    /// Makes an empty file with mode 0600, or gives the file that is there this mode.
    package static func makePrivate(_ path: FilePath) throws(StateError) {
        let descriptor = open(path.string, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(lastError, "open", path) }
        defer { close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0 else { throw .system(lastError, "change the mode of", path) }
    }

    /// Makes the names in a directory durable.
    static func synchronize(directory: FilePath) throws(StateError) {
        let descriptor = open(directory.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(lastError, "open", directory) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .system(lastError, "synchronise", directory) }
    }

    /// Reads a whole file of at most a megabyte, or gives `nil` where there is none. Follows no symlink.
    static func read(_ path: FilePath) throws(StateError) -> [UInt8]? {
        let descriptor = open(path.string, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if lastError == .noSuchFileOrDirectory { return nil }
            throw .system(lastError, "read", path)
        }
        defer { close(descriptor) }
        let limit = 1 << 20
        var bytes: [UInt8] = []
        do {
            while true {
                let chunk = try [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
                    count = try FileDescriptor(rawValue: descriptor).read(into: UnsafeMutableRawBufferPointer(buffer))
                }
                if chunk.isEmpty { return bytes }
                bytes += chunk
                if bytes.count > limit { break }
            }
        } catch {
            throw .system(error as? Errno ?? .ioError, "read", path)
        }
        throw .tooLarge(path)
    }

    /// Removes the temporary files that a crash left in a directory.
    static func removeLeftovers(in directory: FilePath) {
        guard let stream = opendir(directory.string) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            // Only rubbish is lost or kept by a failure here, so it is not reported.
            if name.utf8.starts(with: temporaryPrefix.utf8) { unlink(directory.appending(name).string) }
        }
    }
}

/// What the last C call said went wrong.
var lastError: Errno { Errno(rawValue: errno) }
