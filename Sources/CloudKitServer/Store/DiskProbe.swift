import Glibc
import SystemPackage

/// Whether a disk takes what is written there, found out by writing.
enum DiskProbe {
    /// `O_TMPFILE`, which Swift does not see (Linux, include/uapi/asm-generic/fcntl.h): the file has no name, and goes with its
    /// descriptor.
    private static let withoutName = 0o20_000_000 | O_DIRECTORY
    /// In bytes: more than SQLite lacked where it found no room, which is a page at a time, and 32 kB for the index of its log.
    private static let size = 64 << 10

    /// Why a directory's disk takes no more at this moment; `nil` where it takes some, or cannot be asked.
    static func error(writingTo directory: FilePath) -> Errno? {
        do {
            let options = FileDescriptor.OpenOptions(rawValue: withoutName | O_EXCL | O_CLOEXEC)
            let file = try FileDescriptor.open(directory, .writeOnly, options: options, permissions: .ownerReadWrite)
            try file.closeAfter { _ = try file.writeAll([UInt8](repeating: 0, count: size)) }
            return nil
        } catch let error as Errno {
            return error.isOfFullDisk || [.ioError, .readOnlyFileSystem].contains(error) ? error : nil
        } catch {
            return nil  // Not thrown by what is above.
        }
    }
}

extension Errno {
    /// Whether there is no room, on the disk or in a user's share of it.
    var isOfFullDisk: Bool { self == .noSpace || self == .diskQuotaExceeded }
}
