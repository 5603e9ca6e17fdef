import LocalFolder
import SyncModel
import Synchronization
import SystemPackage

/// The machine's disk without what some file systems lack, and with somebody who saves at the worst moment.
final class LimitedDisk: FolderDisk {
    /// A step after which somebody saves.
    enum Step: Sendable {
        case link, rename, read
    }

    private let disk = LinuxDisk()
    private let hasLinks: Bool
    private let save = Mutex<(step: Step, body: @Sendable () -> Void)?>(nil)

    /// Neither exchanges two files nor refuses to rename over one, as NFS and most of FUSE.
    /// - Parameter hasLinks: Not so on exFAT.
    init(hasLinks: Bool) {
        self.hasLinks = hasLinks
    }

    /// Does something once, after the next step of a kind.
    func afterNext(_ step: Step, _ body: @escaping @Sendable () -> Void) {
        save.withLock { $0 = (step, body) }
    }

    /// Whether no such step came.
    var isWaiting: Bool { save.withLock { $0 != nil } }

    private func passed(_ step: Step) {
        let body = save.withLock { save in
            guard save?.step == step else { return nil as (@Sendable () -> Void)? }
            defer { save = nil }
            return save?.body
        }
        body?()
    }

    func exchange(_ name: DiskName, _ other: DiskName) throws(Errno) { throw .invalidArgument }
    func renameNew(_ name: DiskName, to new: DiskName) throws(Errno) { throw .invalidArgument }

    func link(_ name: DiskName, to new: DiskName) throws(Errno) {
        guard hasLinks else { throw .notPermitted }
        try disk.link(name, to: new)
        passed(.link)
    }

    func renameOver(_ name: DiskName, to new: DiskName) throws(Errno) {
        try disk.renameOver(name, to: new)
        passed(.rename)
    }

    // MARK: What is passed on

    func openRoot(_ path: UnsafePointer<UInt8>) throws(Errno) -> Int32 { try disk.openRoot(path) }
    func open(
        _ path: UnsafePointer<UInt8>, beneath directory: Int32, _ mode: OpenMode, sameMount: Bool
    ) throws(Errno) -> Int32 {
        try disk.open(path, beneath: directory, mode, sameMount: sameMount)
    }
    func close(_ descriptor: Int32) { disk.close(descriptor) }
    func status(_ descriptor: Int32) throws(Errno) -> FileStatus { try disk.status(descriptor) }
    func status(of name: UnsafePointer<UInt8>, in directory: Int32) throws(Errno) -> FileStatus {
        try disk.status(of: name, in: directory)
    }
    func list(_ directory: Int32, _ body: (UnsafePointer<UInt8>, _ length: Int, EntryKind) -> Void) throws(Errno) {
        try disk.list(directory, body)
    }
    func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        let count = try disk.read(descriptor, into: buffer)
        passed(.read)
        return count
    }
    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
        try disk.write(descriptor, bytes)
    }
    func sync(_ descriptor: Int32) throws(Errno) { try disk.sync(descriptor) }
    func syncFileSystem(_ descriptor: Int32) throws(Errno) { try disk.syncFileSystem(descriptor) }
    func makeDirectory(_ name: DiskName, mode: UInt32) throws(Errno) { try disk.makeDirectory(name, mode: mode) }
    func removeFile(_ name: DiskName) throws(Errno) { try disk.removeFile(name) }
    func removeDirectory(_ name: DiskName) throws(Errno) { try disk.removeDirectory(name) }
    func setMode(_ descriptor: Int32, _ mode: UInt32) throws(Errno) { try disk.setMode(descriptor, mode) }
    func setOwner(_ descriptor: Int32, user: UInt32, group: UInt32) throws(Errno) {
        try disk.setOwner(descriptor, user: user, group: group)
    }
    func setModified(_ descriptor: Int32, _ time: Int64) throws(Errno) { try disk.setModified(descriptor, time) }
    func copyAttributes(from old: Int32, to new: Int32) -> Int { disk.copyAttributes(from: old, to: new) }
    func hasWriter(_ descriptor: Int32) -> Bool? { disk.hasWriter(descriptor) }
    func random() -> UInt64 { disk.random() }
}
