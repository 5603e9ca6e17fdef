import LocalFolder
import SystemPackage
import Testing

@Suite("What the mount table says of a file system")
struct MountedFileSystemTests {
    private static let table = """
        22 27 0:21 / /proc rw,relatime - proc proc rw
        27 1 254:0 / / rw,relatime shared:1 master:2 - ext4 /dev/vda rw,discard
        42 27 7:0 / /media/a\\040stick rw,nosuid,nodev - fuseblk /dev/loop0 rw,user_id=0,blksize=4096
        43 27 0:52 / /mnt/far rw shared:7 - fuse.sshfs me@far:/home/me rw,user_id=1000
        44 27 0:53 / /mnt/x rw - fuse /dev/fuse rw
        45 27 0:54 / /mnt/y rw - tmpfs one rw
        46 27 0:54 / /mnt/y rw - tmpfs two rw
        47 27 259:300 / /mnt/z rw - ext4 /dev/nvme0n1p300 rw
        48 27 0:55 / /mnt/broken rw -
        """

    @Test(
        "It is found by its device, and its source tells whether it is on one",
        arguments: [
            (254, 0, "ext4", "/dev/vda", true), (7, 0, "fuseblk", "/dev/loop0", true),
            (0, 52, "fuse.sshfs", "me@far:/home/me", false), (0, 53, "fuse", "/dev/fuse", false),
            (0, 54, "tmpfs", "two", false), (259, 300, "ext4", "/dev/nvme0n1p300", true),
        ] as [(UInt64, UInt64, String, String, Bool)])
    func found(major: UInt64, minor: UInt64, type: String, source: String, isOnDevice: Bool) throws {
        let device = minor & 0xFF | major << 8 | (minor & ~0xFF) << 12
        let mounted = try #require(MountedFileSystem(device: device, in: Self.table))
        #expect(mounted.type == type && mounted.source == source && mounted.isOnDevice == isOnDevice)
    }

    @Test("A device that is not there, and a line that breaks off, tell nothing")
    func notFound() {
        #expect(MountedFileSystem(device: 0x0901, in: Self.table) == nil)
        #expect(MountedFileSystem(device: 55, in: Self.table) == nil)
        #expect(MountedFileSystem(device: 0, in: "") == nil)
    }

    @Test("This machine's own table tells of /proc")
    func own() {
        #expect(MountedFileSystem(of: "/proc")?.type == "proc")
        #expect(MountedFileSystem(of: "/nowhere/at/all") == nil)
    }
}
