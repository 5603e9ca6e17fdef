package import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// What `/proc/self/mountinfo` says of a file system (proc_pid_mountinfo(5)). A line of it:
///
///     42 27 7:0 / /media/stick rw,nosuid shared:1 - fuseblk /dev/sdb1 rw,user_id=0
///
/// The third field is the device as `stat` has it; behind the lone `-` come the type, the source and the options.
package struct MountedFileSystem: Hashable, Sendable {
    /// Such as `ext4`, `fuseblk` or `fuse.sshfs`.
    package var type: String
    /// A device's file, `host:path`, or a word of the program that mounted it, with octal escapes.
    package var source: String

    /// Whether the source is a file of a device. `/dev/fuse` stands there for no source at all.
    package var isOnDevice: Bool { source.hasPrefix("/dev/") && source != "/dev/fuse" }

    /// What a table says of a device; of several lines the last one, as mounts may cover each other.
    package init?(device: UInt64, in table: String) {
        let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
        let minor = device & 0xFF | (device >> 12) & ~0xFF
        let number = "\(major):\(minor)"
        for line in table.split(separator: "\n").reversed() {
            let fields = line.split(separator: " ", omittingEmptySubsequences: false)
            guard fields.count > 5, fields[2] == number, let end = fields[5...].firstIndex(of: "-"),
                fields.count > end + 2
            else { continue }
            type = String(fields[end + 1])
            source = String(fields[end + 2])
            return
        }
        return nil
    }

    /// The file system that a path is on; `nil` where the table tells nothing of it.
    package init?(of path: FilePath) {
        var status = stat()
        guard stat(path.string, &status) == 0, let table = Self.table() else { return nil }
        self.init(device: UInt64(status.st_dev), in: table)
    }

    private static func table() -> String? {
        let place: FilePath = "/proc/self/mountinfo"
        guard let file = try? FileDescriptor.open(place, .readOnly, options: .closeOnExec) else { return nil }
        defer { try? file.close() }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while let count = try? piece.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
