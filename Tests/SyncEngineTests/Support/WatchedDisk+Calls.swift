import LocalFolder
import SyncModel
import Synchronization
import SystemPackage

/// The calls that are watched for little, or passed on as they are.
extension WatchedDisk {
    func openRoot(_ path: UnsafePointer<UInt8>) throws(Errno) -> Int32 { try disk.openRoot(path) }
    func close(_ descriptor: Int32) { disk.close(descriptor) }
    func status(_ descriptor: Int32) throws(Errno) -> FileStatus {
        var status = try disk.status(descriptor)
        if state.withLock(\.isMountedAnew) { status.stamp.device += 1 }
        return status
    }
    func status(of name: UnsafePointer<UInt8>, in directory: Int32) throws(Errno) -> FileStatus {
        try disk.status(of: spelled(name, in: directory), in: directory)
    }
    func tellsCase(of name: UnsafePointer<UInt8>, in directory: Int32) -> Bool { !state.withLock(\.takesAnyCase) }
    func list(_ directory: Int32, _ body: (UnsafePointer<UInt8>, _ length: Int, EntryKind) -> Void) throws(Errno) {
        state.withLock { $0.listings += 1 }
        try disk.list(directory, body)
    }
    func renameOver(_ name: DiskName, to new: DiskName) throws(Errno) {
        try checkLife()
        try disk.renameOver(name, to: new)
    }
    func link(_ name: DiskName, to new: DiskName) throws(Errno) {
        try checkLife()
        if state.withLock(\.hasPlainRenamesOnly) { throw .notPermitted }
        try disk.link(name, to: new)
    }
    func makeDirectory(_ name: DiskName, mode: UInt32) throws(Errno) {
        try checkLife()
        if isTaken(name) { throw .fileExists }
        try disk.makeDirectory(name, mode: mode)
    }
    func removeFile(_ name: DiskName) throws(Errno) {
        try checkLife()
        try disk.removeFile(name)
    }
    func removeDirectory(_ name: DiskName) throws(Errno) {
        try checkLife()
        try disk.removeDirectory(name)
    }
    func setMode(_ descriptor: Int32, _ mode: UInt32) throws(Errno) { try disk.setMode(descriptor, mode) }
    func setOwner(_ descriptor: Int32, user: UInt32, group: UInt32) throws(Errno) {
        try disk.setOwner(descriptor, user: user, group: group)
    }
    func setModified(_ descriptor: Int32, _ time: Int64) throws(Errno) { try disk.setModified(descriptor, time) }
    func copyAttributes(from old: Int32, to new: Int32) -> Int { disk.copyAttributes(from: old, to: new) }
    func hasWriter(_ descriptor: Int32) -> Bool? { disk.hasWriter(descriptor) }
    func random() -> UInt64 { disk.random() }
}
