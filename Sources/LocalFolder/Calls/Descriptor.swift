import CFolderCalls
import SyncModel
import SystemPackage

/// An open file or directory, closed when it goes out of scope.
struct Descriptor: ~Copyable, Sendable {
    let raw: Int32

    init(owning raw: Int32) {
        self.raw = raw
    }

    deinit {
        _ = folder_close(raw)
    }
}

/// What a name stands for.
enum EntryKind: UInt32 {
    case file = 0
    case directory = 1
    case symlink = 2
    case fifo = 3
    case socket = 4
    case device = 5
    case unknown = 6
}

/// What `stat` says of one name or descriptor.
struct FileStatus {
    var raw: folder_stat

    var kind: EntryKind { EntryKind(rawValue: raw.kind) ?? .unknown }

    var stamp: FileStamp {
        FileStamp(
            device: raw.device, inode: raw.inode, size: raw.size, modified: raw.modified, changed: raw.changed,
            mode: raw.mode)
    }
}

/// Passes a result on, or throws the error number that a call answered with.
@discardableResult
func check(_ result: Int32) throws(Errno) -> Int32 {
    if result < 0 { throw Errno(rawValue: -result) }
    return result
}

extension FolderPath {
    /// The path as the kernel takes it.
    var terminated: [UInt8] { bytes + [0] }
    /// The last name as the kernel takes it.
    var terminatedName: [UInt8] { name + [0] }
}

// The calls, on descriptors and NUL-terminated names.
extension Descriptor {
    static func open(
        beneath directory: borrowing Descriptor, _ path: [UInt8], _ mode: folder_open_mode, sameMount: Bool = false
    ) throws(Errno) -> Descriptor {
        Descriptor(owning: try check(folder_open_beneath(directory.raw, path, mode, sameMount ? 1 : 0)))
    }

    func status() throws(Errno) -> FileStatus {
        var status = folder_stat()
        try check(folder_stat(raw, &status))
        return FileStatus(raw: status)
    }

    /// What a name in this directory stands for, a symbolic link standing for itself.
    func status(of name: [UInt8]) throws(Errno) -> FileStatus {
        var status = folder_stat()
        try check(folder_stat_at(raw, name, &status))
        return FileStatus(raw: status)
    }

    func sync() throws(Errno) {
        try check(folder_sync(raw))
    }

    /// Fills the buffer from the file, and gives the count of bytes, 0 at the file's end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        let count = folder_read(raw, buffer.baseAddress, buffer.count)
        if count < 0 { throw Errno(rawValue: Int32(-count)) }
        return Int(count)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        var rest = bytes
        while !rest.isEmpty {
            let count = folder_write(raw, rest.baseAddress, rest.count)
            if count < 0 { throw Errno(rawValue: Int32(-count)) }
            rest = UnsafeRawBufferPointer(rebasing: rest[Int(count)...])
        }
    }

    /// The names in this directory, with their kinds as far as the listing tells them.
    func names() throws(Errno) -> [[UInt8]] {
        guard let listing = folder_list(raw) else { throw .noMemory }
        defer { folder_list_end(listing) }
        var names: [[UInt8]] = []
        var name: UnsafePointer<UInt8>?
        var length = 0
        var kind: UInt32 = 0
        while try check(folder_list_next(listing, &name, &length, &kind)) == 1 {
            names.append(Array(UnsafeBufferPointer(start: name, count: length)))
        }
        return names
    }
}
