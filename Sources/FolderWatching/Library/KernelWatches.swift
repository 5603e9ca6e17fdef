import Glibc

/// An `errno` on its way to becoming an answer.
struct SystemFailure: Error, Hashable {
    var errno: Int32
}

extension InotifyTools {
    /// The inotify descriptors of this process (`/proc/self/fd`).
    static func descriptors() throws(WatchError) -> Set<Int32> {
        guard let directory = opendir("/proc/self/fd") else { throw .descriptorNotFound() }
        defer { closedir(directory) }
        var found: Set<Int32> = []
        var target = [CChar](repeating: 0, count: 64)
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let descriptor = Int32(name) else { continue }
            let length = readlink("/proc/self/fd/\(name)", &target, target.count)
            guard length > 0 else { continue }
            if target[..<length].elementsEqual("anon_inode:inotify".utf8.map(CChar.init)) { found.insert(descriptor) }
        }
        return found
    }

    /// The watches that the kernel has on a descriptor (`/proc/self/fdinfo`), or `nil` where it does not tell.
    static func watches(of descriptor: Int32) -> Set<Int32>? {
        let file = Glibc.open("/proc/self/fdinfo/\(descriptor)", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { _ = Glibc.close(file) }
        var text: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(file, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { return parseWatches(text) }
            text += block[..<count]
        }
    }

    /// Reads lines such as `inotify wd:3 ino:9e7e sdev:800013 …`, whose numbers are hexadecimal.
    static func parseWatches(_ text: [UInt8]) -> Set<Int32> {
        let prefix = Array("inotify wd:".utf8)
        var found: Set<Int32> = []
        for line in text.split(separator: UInt8(ascii: "\n")) where line.starts(with: prefix) {
            let digits = line.dropFirst(prefix.count).prefix { $0 != UInt8(ascii: " ") }
            if let watch = Int32(String(decoding: digits, as: UTF8.self), radix: 16) { found.insert(watch) }
        }
        return found
    }

    /// Which directory is at a path, symbolic links not followed.
    static func identity(at path: [UInt8]) -> Result<DirectoryIdentity, SystemFailure> {
        var status = stat()
        let result = (path + [0]).withUnsafeBytes {
            lstat($0.assumingMemoryBound(to: CChar.self).baseAddress!, &status)
        }
        return identity(result, status)
    }

    /// Which directory is open at a descriptor.
    static func identity(of descriptor: Int32) -> Result<DirectoryIdentity, SystemFailure> {
        var status = stat()
        return identity(fstat(descriptor, &status), status)
    }

    /// Whether there is certainly no directory at a path.
    static func isAbsent(_ path: [UInt8]) -> Bool {
        guard case .failure(let failure) = identity(at: path) else { return false }
        return WatchPlacement(failure) == .absent
    }

    private static func identity(_ result: Int32, _ status: stat) -> Result<DirectoryIdentity, SystemFailure> {
        guard result == 0 else { return .failure(SystemFailure(errno: errno)) }
        guard status.st_mode & S_IFMT == S_IFDIR else { return .failure(SystemFailure(errno: ENOTDIR)) }
        return .success(DirectoryIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)))
    }
}

/// Which directory it is, whatever its path.
struct DirectoryIdentity: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
}
