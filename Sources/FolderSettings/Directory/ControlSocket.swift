public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where the daemon of a folder listens.
///
/// The path of a Unix socket has at most 107 bytes on Linux. Where `.zonefolder/control` is longer, or the disk takes no sockets,
/// as exFAT and many network disks, the socket lies in `$XDG_RUNTIME_DIR/zonefolder`, in `/run/user/<uid>/zonefolder` or in
/// `/tmp/zonefolder-<uid>`, whichever can be used first, and the file `.zonefolder/control.path` names it.
public struct ControlSocket: Hashable, Sendable {
    /// The most bytes that a socket's path may have: `sun_path` has 108, and one is for the NUL.
    public static let longestPath = 107

    /// The socket's own path.
    public let path: FilePath

    /// Chooses the path for a daemon that starts, and leaves a pointer to it where one is needed.
    /// - Parameter runtimeDirectory: The value of `XDG_RUNTIME_DIR`.
    public static func prepare(
        for directory: StateDirectory, runtimeDirectory: String?
    ) throws(StateError) -> ControlSocket {
        try prepare(for: directory, runtimeDirectory: runtimeDirectory, isNear: takesSockets(directory))
    }

    /// - Parameter isNear: Whether the disk of the state directory takes sockets.
    package static func prepare(
        for directory: StateDirectory, runtimeDirectory: String?, isNear: Bool
    ) throws(StateError) -> ControlSocket {
        let near = directory.path.appending("control")
        let pointer = directory.path.appending("control.path")
        if isNear, near.string.utf8.count <= longestPath {
            unlink(pointer.string)
            return ControlSocket(path: near)
        }
        let candidates =
            [runtimeDirectory, "/run/user/\(getuid())"].compactMap { $0 }.filter { !$0.isEmpty }
            .map { FilePath($0) }.filter { $0.isAbsolute && isWritable($0) }.map { $0.appending("zonefolder") }
            + [FilePath("/tmp/zonefolder-\(getuid())")]
        let name = "\(digest(of: directory.path)).sock"
        for place in candidates where place.appending(name).string.utf8.count <= longestPath {
            try makePrivate(place)
            let socket = ControlSocket(path: place.appending(name))
            let bytes = Array(socket.path.string.utf8) + [UInt8(ascii: "\n")]
            if try DurableFile.read(pointer) != bytes { try DurableFile.write(bytes, to: pointer) }
            return socket
        }
        throw .noSocketPlace(directory.path)
    }

    /// The socket of a folder's daemon, which may or may not run.
    public static func find(for directory: StateDirectory) throws(StateError) -> ControlSocket {
        guard let bytes = try DurableFile.read(directory.path.appending("control.path")) else {
            return ControlSocket(path: directory.path.appending("control"))
        }
        let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return ControlSocket(path: FilePath(text))
    }

    /// Whether a socket can be made in the state directory; what else is wrong with it, `bind` tells.
    private static func takesSockets(_ directory: StateDirectory) -> Bool {
        let probe = directory.path.appending("control-probe").string
        unlink(probe)
        guard mknod(probe, S_IFSOCK | 0o600, 0) != 0 else { return unlink(probe) == 0 }
        return [.noSpace, .readOnlyFileSystem, .diskQuotaExceeded].contains(lastError)
    }

    /// Makes a directory that only this user can use, or checks that it is one: `/tmp` is open to everybody.
    private static func makePrivate(_ path: FilePath) throws(StateError) {
        guard mkdir(path.string, 0o700) != 0 else { return }
        guard lastError == .fileExists else { throw .system(lastError, "create", path) }
        guard let status = try FileStatus(of: path), status.isDirectory, status.owner == getuid(), status.mode == 0o700
        else { throw .foreignDirectory(path) }
    }

    private static func isWritable(_ path: FilePath) -> Bool {
        access(path.string, W_OK | X_OK) == 0
    }

    /// 16 hexadecimal digits that differ for the folders of one user: FNV-1a over the path.
    private static func digest(of path: FilePath) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in path.string.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
