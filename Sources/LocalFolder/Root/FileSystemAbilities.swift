import CFolderCalls
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// What the file system under a folder can do, as far as syncing depends on it.
public struct FileSystemAbilities: Hashable, Sendable {
    /// Its kind, such as `ext4`, or of one by FUSE what the mount table says, such as `fuse.sshfs`; `nil` for one that is not
    /// known here.
    public var kind: String?
    /// Whether the mount table names a device of this machine as what it is on; asked of one by FUSE only.
    public var isOnDevice: Bool
    /// Why two names cannot change places in one step (`RENAME_EXCHANGE`); `nil` where they can.
    public var exchangeFailure: Errno?
    /// Whether names that differ only in case are two names.
    public var tellsCase: Bool
    /// Whether a copy can share its bytes with the file that it was made from (`FICLONE`).
    public var sharesBytes: Bool

    /// What a file system can do.
    public init(
        kind: String?, isOnDevice: Bool = false, exchangeFailure: Errno? = nil, tellsCase: Bool = true,
        sharesBytes: Bool = false
    ) {
        self.kind = kind
        self.isOnDevice = isOnDevice
        self.exchangeFailure = exchangeFailure
        self.tellsCase = tellsCase
        self.sharesBytes = sharesBytes
    }

    /// Whether other machines can change files without an event here. Of a kind by FUSE that is not known here it is taken
    /// that they can, unless it is on a device.
    public var isRemote: Bool {
        guard let kind, !isOnDevice else { return false }
        return Self.remoteKinds.contains(kind) || kind.hasPrefix("fuse") && !Self.localKinds.contains(kind)
    }

    private static let remoteKinds: Set = ["nfs", "cifs", "smb", "virtiofs", "9p", "ceph"]

    /// Disks of other systems, which FUSE may mount from a file too, and what shows a directory of this machine anew.
    private static let localKinds: Set = [
        "fuseblk", "fuse.exfat", "fuse.exfat-fuse", "fuse.ntfs", "fuse.ntfs-3g", "fuse.vfat", "fuse.ext2", "fuse.ext4",
        "fuse.apfs", "fuse.hfsfuse", "fuse.bindfs", "fuse.mergerfs", "fuse.unionfs", "fuse.fuse-overlayfs",
        "fuse.encfs", "fuse.gocryptfs", "fuse.cryfs", "fuse.securefs",
    ]

    /// Tries it with two small files in a directory, which are gone when it returns.
    /// - Parameter directory: On the file system in question; that of staged files is on a folder's own.
    /// - Throws: What the system said where no file can be made there.
    public init(tryingIn directory: FilePath) throws(Errno) {
        let mount = Self.isFUSE(directory) ? MountedFileSystem(of: directory) : nil
        kind = mount?.type ?? Self.kind(of: directory)
        isOnDevice = mount?.isOnDevice ?? false
        let name = "doctor-\(getpid())"
        let (first, second) = (directory.appending(name + "-a"), directory.appending(name + "-b"))
        let upper = directory.appending(name.uppercased() + "-A")
        let one = try Self.make(first)
        defer {
            Glibc.close(one)
            unlink(first.string)
        }
        let two = try Self.make(second)
        defer {
            Glibc.close(two)
            unlink(second.string)
        }
        let disk = LinuxDisk()
        exchangeFailure = Self.failure(of: first, second) { first, second throws(Errno) in
            try disk.exchange(DiskName(first, in: AT_FDCWD), DiskName(second, in: AT_FDCWD))
        }
        tellsCase = access(upper.string, F_OK) != 0
        _ = Glibc.write(one, "x", 1)
        sharesBytes = folder_clone(one, two) == 0
    }

    private static func make(_ path: FilePath) throws(Errno) -> Int32 {
        let descriptor = open(path.string, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        return descriptor
    }

    private static func failure(
        of first: FilePath, _ second: FilePath,
        _ body: (UnsafePointer<UInt8>, UnsafePointer<UInt8>) throws(Errno) -> Void
    ) -> Errno? {
        do throws(Errno) {
            try body(Array(first.string.utf8) + [0], Array(second.string.utf8) + [0])
            return nil
        } catch {
            return error
        }
    }

    /// What `statfs` calls the kind of the file system that a path is on; `nil` for one that is not known here.
    public static func kind(of path: FilePath) -> String? {
        let number = folder_file_system(path.string)
        return number < 0 ? nil : kinds[UInt32(truncatingIfNeeded: number)]
    }

    /// `statfs` has one number for all file systems by FUSE.
    private static func isFUSE(_ path: FilePath) -> Bool { kind(of: path) == "fuse" }

    /// The numbers of statfs(2).
    private static let kinds: [UInt32: String] = [
        0xEF53: "ext4", 0x5846_5342: "xfs", 0x9123_683E: "btrfs", 0x2FC1_2FC1: "zfs", 0xF2F5_2010: "f2fs",
        0xCA45_1A4E: "bcachefs", 0x0102_1994: "tmpfs", 0x794C_7630: "overlay", 0x4D44: "vfat", 0x2011_BAB0: "exfat",
        0x5346_544E: "ntfs", 0x7366_746E: "ntfs", 0x6969: "nfs", 0xFF53_4D42: "cifs", 0xFE53_4D42: "smb",
        0x517B: "smb", 0x6573_5546: "fuse", 0x0102_1997: "9p", 0x00C3_6400: "ceph",
    ]
}
