import CFolderCalls
import SyncModel
package import SystemPackage

/// The machine's own file systems.
package struct LinuxDisk: FolderDisk {
    /// Whether the folder's disk keeps who may execute a file. FAT, exFAT and most shares do not.
    private let keepsModes: Bool

    /// - Parameter keepsModes: Where not, what the system says of it is nobody's word (``FileStamp/isModeKept``), and no
    ///   mode is set.
    package init(keepsModes: Bool = true) {
        self.keepsModes = keepsModes
    }

    package func openRoot(_ path: UnsafePointer<UInt8>) throws(Errno) -> Int32 {
        try check(folder_open_root(path))
    }

    package func open(
        _ path: UnsafePointer<UInt8>, beneath directory: Int32, _ mode: OpenMode, sameMount: Bool
    ) throws(Errno) -> Int32 {
        try check(folder_open_beneath(directory, path, folder_open_mode(mode.rawValue), sameMount ? 1 : 0))
    }

    package func close(_ descriptor: Int32) {
        _ = folder_close(descriptor)
    }

    package func status(_ descriptor: Int32) throws(Errno) -> FileStatus {
        var status = folder_stat()
        try check(folder_stat(descriptor, &status))
        return told(FileStatus(status))
    }

    package func status(of name: UnsafePointer<UInt8>, in directory: Int32) throws(Errno) -> FileStatus {
        var status = folder_stat()
        try check(folder_stat_at(directory, name, &status))
        return told(FileStatus(status))
    }

    private func told(_ status: FileStatus) -> FileStatus {
        guard !keepsModes else { return status }
        var status = status
        status.stamp.mode = FileStamp.unkeptMode
        return status
    }

    package func tellsCase(of name: UnsafePointer<UInt8>, in directory: Int32) -> Bool {
        (try? status(of: Array(String(cString: name).uppercased().utf8) + [0], in: directory)) == nil
    }

    package func list(
        _ directory: Int32, _ body: (UnsafePointer<UInt8>, _ length: Int, EntryKind) -> Void
    ) throws(Errno) {
        guard let listing = folder_list(directory) else { throw .noMemory }
        defer { folder_list_end(listing) }
        var name: UnsafePointer<UInt8>!
        var length = 0
        var kind: UInt32 = 0
        while try check(folder_list_next(listing, &name, &length, &kind)) == 1 {
            body(name, length, EntryKind(rawValue: kind) ?? .unknown)
        }
    }

    package func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        try check(folder_read(descriptor, buffer.baseAddress, buffer.count))
    }

    package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
        try check(folder_write(descriptor, bytes.baseAddress, bytes.count))
    }

    package func sync(_ descriptor: Int32) throws(Errno) {
        try check(folder_sync(descriptor))
    }

    package func syncFileSystem(_ descriptor: Int32) throws(Errno) {
        try check(folder_sync_file_system(descriptor))
    }

    package func exchange(_ name: DiskName, _ other: DiskName) throws(Errno) {
        try check(folder_exchange(name.directory, name.name, other.directory, other.name))
    }

    package func renameNew(_ name: DiskName, to new: DiskName) throws(Errno) {
        try check(folder_rename_new(name.directory, name.name, new.directory, new.name))
    }

    package func renameOver(_ name: DiskName, to new: DiskName) throws(Errno) {
        try check(folder_rename_over(name.directory, name.name, new.directory, new.name))
    }

    package func link(_ name: DiskName, to new: DiskName) throws(Errno) {
        try check(folder_link(name.directory, name.name, new.directory, new.name))
    }

    package func makeDirectory(_ name: DiskName, mode: UInt32) throws(Errno) {
        try check(folder_make_directory(name.directory, name.name, mode))
    }

    package func removeFile(_ name: DiskName) throws(Errno) {
        try check(folder_remove_file(name.directory, name.name))
    }

    package func removeDirectory(_ name: DiskName) throws(Errno) {
        try check(folder_remove_directory(name.directory, name.name))
    }

    package func setMode(_ descriptor: Int32, _ mode: UInt32) throws(Errno) {
        guard keepsModes else { return }
        try check(folder_set_mode(descriptor, mode))
    }

    package func setOwner(_ descriptor: Int32, user: UInt32, group: UInt32) throws(Errno) {
        try check(folder_set_owner(descriptor, user, group))
    }

    package func setModified(_ descriptor: Int32, _ time: Int64) throws(Errno) {
        try check(folder_set_modified(descriptor, time))
    }

    package func copyAttributes(from old: Int32, to new: Int32) -> Int {
        Int(max(0, folder_copy_attributes(old, new)))
    }

    package func hasWriter(_ descriptor: Int32) -> Bool? {
        let answer = folder_has_writer(descriptor)
        return answer < 0 ? nil : answer == 1
    }

    package func space(_ descriptor: Int32) -> DiskSpace? {
        var space = DiskSpace(available: 0, size: 0)
        return folder_space(descriptor, &space.available, &space.size) == 0 ? space : nil
    }

    package func random() -> UInt64 { folder_random() }
}

extension LinuxDisk {
    /// Passes a count on, or throws the error number that a call answered with.
    private func check(_ result: Int64) throws(Errno) -> Int {
        if result < 0 { throw Errno(rawValue: Int32(-result)) }
        return Int(result)
    }

    @discardableResult
    private func check(_ result: Int32) throws(Errno) -> Int32 {
        if result < 0 { throw Errno(rawValue: -result) }
        return result
    }
}

extension FileStatus {
    fileprivate init(_ status: folder_stat) {
        self.init(
            kind: EntryKind(rawValue: status.kind) ?? .unknown,
            stamp: FileStamp(
                device: status.device, inode: status.inode, size: status.size, modified: status.modified,
                changed: status.changed, mode: status.mode, born: status.born),
            links: status.links, user: status.user, group: status.group)
    }
}
