import LocalFolder
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file without a name, mapped into memory in long extents and given out in regions.
final class MappedFile {
    struct Region: Sendable {
        nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer
    }

    private let file: FileDescriptor
    private var extents: [UnsafeMutableRawBufferPointer] = []
    /// Bytes of all extents, and those of the last one that were given out.
    private(set) var size = 0
    private var used = 0
    /// Regions that came back, by their size.
    private var free: [Int: [Region]] = [:]
    /// Pages of files that the process had in memory before.
    private let residentBefore = MappedFile.residentFilePages

    /// `O_TMPFILE`, which Swift does not see (Linux, include/uapi/asm-generic/fcntl.h).
    private static let withoutName = 0o20_000_000 | O_DIRECTORY
    private static let extent = 16 << 20
    /// Bytes that may be in memory before they are put away.
    private static let residentLimit = 32 << 20
    private static let pageSize = sysconf(Int32(_SC_PAGESIZE))

    /// `nil` where the directory takes no file without a name, or its file system does not keep to the room that it gave.
    init?(in directory: FilePath, takesAnyFileSystem: Bool) {
        let options = FileDescriptor.OpenOptions(rawValue: Self.withoutName | O_EXCL | O_CLOEXEC)
        guard takesAnyFileSystem || Self.keepsRoom(directory),
            let file = try? FileDescriptor.open(directory, .readWrite, options: options, permissions: .ownerReadWrite)
        else { return nil }
        self.file = file
    }

    /// Whether a page of a file can be written back whenever it has its room: not so where pages are copied when they are
    /// written, as in btrfs. In tmpfs they would not leave the memory.
    private static func keepsRoom(_ directory: FilePath) -> Bool {
        ["ext4", "xfs"].contains(FileSystemAbilities.kind(of: directory))
    }

    deinit {
        for extent in extents { munmap(extent.baseAddress!, extent.count) }
        try? file.close()
    }

    /// A region of so many bytes; `nil` where the disk has no room for it, or the file may not grow.
    func region(of count: Int, mayGrow: Bool) -> Region? {
        if let region = free[count]?.popLast() { return region }
        // Each begins with a page.
        let room = (count + Self.pageSize - 1) / Self.pageSize * Self.pageSize
        if used + room > extents.last?.count ?? 0 {
            guard mayGrow, addExtent(max(Self.extent, room)) else { return nil }
            limit()
        }
        defer { used += room }
        return Region(bytes: UnsafeMutableRawBufferPointer(rebasing: extents.last![used..<used + count]))
    }

    func free(_ region: Region) { free[region.bytes.count, default: []].append(region) }

    private func addExtent(_ length: Int) -> Bool {
        // A page that has no room on the disk could not be written back: the process would end.
        var code = EINTR
        while code == EINTR { code = posix_fallocate(file.rawValue, off_t(size), off_t(length)) }
        guard code == 0,
            let start = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, file.rawValue, off_t(size)),
            start != MAP_FAILED
        else { return false }
        extents.append(UnsafeMutableRawBufferPointer(start: start, count: length))
        size += length
        used = 0
        return true
    }

    /// Puts all away where much of it is in memory: what is looked at comes back by itself.
    func limit() {
        guard (Self.residentFilePages - residentBefore) * Self.pageSize > Self.residentLimit else { return }
        putAway()
    }

    func putAway() {
        for extent in extents { madvise(extent.baseAddress!, extent.count, MADV_DONTNEED) }
    }

    /// Pages of files that the process has in memory (proc_pid_statm(5)).
    private static var residentFilePages: Int {
        guard let file = try? FileDescriptor.open("/proc/self/statm", .readOnly, options: .closeOnExec) else {
            return 0
        }
        defer { try? file.close() }
        let text = withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
            let count = (try? file.read(into: buffer)) ?? 0
            return String(decoding: buffer[..<count], as: UTF8.self)
        }
        let numbers = text.split(separator: " ")
        return numbers.count > 2 ? Int(numbers[2]) ?? 0 : 0
    }
}
