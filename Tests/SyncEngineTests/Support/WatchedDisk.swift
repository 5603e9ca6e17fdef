import Foundation
import LocalFolder
import SyncModel
import Synchronization
import SystemPackage

/// The machine's disk, with a record of what was made durable on it, and faults where a test wants them.
final class WatchedDisk: FolderDisk {
    struct State {
        var durable: Set<UInt64> = []
        var fileSystemSyncs = 0
        var unreadable: Set<UInt64> = []
        var syncError: Errno?
        var damaged: Set<UInt64> = []
        var writeError: Errno?
        var exchangeError: Errno?
        var isMountedAnew = false
        var hasPlainRenamesOnly = false
        var takesAnyCase = false
        var isGone = false
        var listings = 0
        var immovable: Set<String> = []
        var afterReading: [UInt64: @Sendable () -> Void] = [:]
        /// Descriptors that were read to the end.
        var readToEnd: Set<Int32> = []
        var afterPlacing: [(start: String, body: @Sendable () -> Void)] = []
    }

    let disk = LinuxDisk()
    private let folder: FilePath
    let state = Mutex(State())

    init(of folder: FilePath) {
        self.folder = folder
    }

    /// How often everything was synced at once.
    var fileSystemSyncs: Int { state.withLock(\.fileSystemSyncs) }

    /// Lets every sync fail, or none.
    func failSyncs(with error: Errno?) {
        state.withLock { $0.syncError = error }
    }

    /// Lets nothing be written into a file, or everything.
    func failWrites(with error: Errno?) {
        state.withLock { $0.writeError = error }
    }

    /// Lets no sync of these paths alone succeed any more, whatever they are called later.
    func damage(_ paths: String...) {
        let inodes = paths.compactMap { Self.inode(of: folder.appending($0)) }
        state.withLock { $0.damaged.formUnion(inodes) }
    }

    /// Lets every path be synced again.
    func damageNothing() {
        state.withLock { $0.damaged = [] }
    }

    /// Lets the disk rename over whatever is there and in no other way, and make no links, as exFAT by FUSE does.
    func renamePlainly() {
        state.withLock {
            $0.hasPlainRenamesOnly = true
            $0.exchangeError = .invalidArgument
        }
    }

    /// Lets a file answer to its name in upper and lower case, as on exFAT, vfat and most shares.
    func takeNamesInAnyCase() {
        state.withLock { $0.takesAnyCase = true }
    }

    /// Lets nothing be changed any more, in the midst of a change: so the folder stands after a crash.
    func crash() {
        state.withLock { $0.isGone = true }
    }

    func checkLife() throws(Errno) {
        if state.withLock(\.isGone) { throw .ioError }
    }

    /// How often a directory was listed.
    var listings: Int { state.withLock(\.listings) }

    /// A path beneath a directory as it is on the disk: a name that is not there may be there in other letters.
    func spelled(_ path: UnsafePointer<UInt8>, in directory: Int32) -> [UInt8] {
        let asked = String(cString: path)
        guard state.withLock(\.takesAnyCase) else { return Array(asked.utf8) + [0] }
        var found = ""
        for name in asked.split(separator: "/").map({ String($0) }) {
            found += (found.isEmpty ? "" : "/") + listed(name, in: found, beneath: directory)
        }
        return Array((found.isEmpty ? asked : found).utf8) + [0]
    }

    /// Whether something answers to a name that has it in other letters.
    func isTaken(_ name: DiskName) -> Bool {
        spelled(name.name, in: name.directory) != Array(String(cString: name.name).utf8) + [0]
    }

    private func listed(_ name: String, in parent: String, beneath directory: Int32) -> String {
        let place = Array((parent.isEmpty ? "." : parent).utf8) + [0]
        guard let opened = try? disk.open(place, beneath: directory, .directory, sameMount: false) else { return name }
        defer { disk.close(opened) }
        var found: String?
        try? disk.list(opened) { entry, _, _ in
            let entry = String(cString: entry)
            if entry == name || found == nil && entry.lowercased() == name.lowercased() { found = entry }
        }
        return found ?? name
    }

    /// Gives the disk another number, as one has that was pulled out and is back.
    func mountAnew() {
        state.withLock { $0.isMountedAnew = true }
    }

    /// Lets no file take another one's place, or every one.
    func failExchanges(with error: Errno?) {
        state.withLock { $0.exchangeError = error }
    }

    /// Lets no file of these names be moved to a free one, in whatever directory it is.
    func keepInPlace(_ names: String...) {
        state.withLock { $0.immovable = Set(names) }
    }

    /// Lets nobody open these paths any more, whatever they are called later.
    func deny(_ paths: String...) {
        let inodes = paths.compactMap { Self.inode(of: folder.appending($0)) }
        state.withLock { $0.unreadable.formUnion(inodes) }
    }

    /// Lets everybody open everything again.
    func denyNothing() {
        state.withLock { $0.unreadable = [] }
    }

    /// Does something each time that a file, whatever it is called later, was read to its end.
    func afterReading(_ path: String, _ body: @escaping @Sendable () -> Void) {
        guard let inode = Self.inode(of: folder.appending(path)) else { return }
        state.withLock { $0.afterReading[inode] = body }
    }

    /// Does something the next time that a file comes to a free name that starts so, in whatever directory.
    func afterPlacing(_ start: String, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.afterPlacing.append((start, body)) }
    }

    /// Loses what was not synced, as a file system does that allots space late: those files are there, and empty.
    func losePower() throws {
        for path in try paths() where !state.withLock({ $0.durable.contains(path.inode) }) && !path.isDirectory {
            try Data().write(to: URL(filePath: path.path.string))
        }
    }

    /// What is in the folder and was never made durable.
    func lostWithPower() throws -> Set<String> {
        Set(try paths().filter { path in !state.withLock { $0.durable.contains(path.inode) } }.map(\.name))
    }

    private func paths() throws -> [(name: String, path: FilePath, inode: UInt64, isDirectory: Bool)] {
        try (FileManager.default.subpathsOfDirectory(atPath: folder.string) + [""]).compactMap { name in
            guard !name.hasPrefix(".zonefolder") else { return nil }
            let path = name.isEmpty ? folder : folder.appending(name)
            var status = stat()
            guard lstat(path.string, &status) == 0 else { return nil }
            return (name, path, UInt64(status.st_ino), status.st_mode & S_IFMT == S_IFDIR)
        }
    }

    private static func inode(of path: FilePath) -> UInt64? {
        var status = stat()
        return lstat(path.string, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    // MARK: What is watched

    func open(
        _ path: UnsafePointer<UInt8>, beneath directory: Int32, _ mode: OpenMode, sameMount: Bool
    ) throws(Errno) -> Int32 {
        if mode == .new || mode == .write { try checkLife() }
        let opened = try disk.open(spelled(path, in: directory), beneath: directory, mode, sameMount: sameMount)
        let inode = try disk.status(opened).stamp.inode
        _ = state.withLock { $0.readToEnd.remove(opened) }
        if state.withLock({ $0.unreadable.contains(inode) }) {
            disk.close(opened)
            throw .permissionDenied
        }
        return opened
    }

    func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        let count = try disk.read(descriptor, into: buffer)
        // The file had no more than it was asked for.
        if count < buffer.count, state.withLock({ $0.readToEnd.insert(descriptor).inserted }) {
            let inode = try disk.status(descriptor).stamp.inode
            state.withLock { $0.afterReading[inode] }?()
        }
        return count
    }

    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
        if let error = state.withLock(\.writeError) { throw error }
        return try disk.write(descriptor, bytes)
    }

    func sync(_ descriptor: Int32) throws(Errno) {
        if let error = state.withLock(\.syncError) { throw error }
        let inode = try disk.status(descriptor).stamp.inode
        if state.withLock({ $0.damaged.contains(inode) }) { throw .ioError }
        try disk.sync(descriptor)
        state.withLock { _ = $0.durable.insert(inode) }
    }

    func syncFileSystem(_ descriptor: Int32) throws(Errno) {
        if let error = state.withLock(\.syncError) { throw error }
        try disk.syncFileSystem(descriptor)
        let inodes = (try? paths().map(\.inode)) ?? []
        state.withLock {
            $0.durable.formUnion(inodes)
            $0.fileSystemSyncs += 1
        }
    }

    func exchange(_ name: DiskName, _ other: DiskName) throws(Errno) {
        try checkLife()
        if let error = state.withLock(\.exchangeError) { throw error }
        try disk.exchange(name, other)
    }

    func renameNew(_ name: DiskName, to new: DiskName) throws(Errno) {
        try checkLife()
        let old = String(cString: name.name)
        if state.withLock({ $0.immovable.contains(old) }) { throw .ioError }
        if state.withLock(\.hasPlainRenamesOnly) { throw .invalidArgument }
        if isTaken(new) { throw .fileExists }
        try disk.renameNew(name, to: new)
        let leaf = String(cString: new.name)
        let body = state.withLock { state in
            state.afterPlacing.firstIndex { leaf.hasPrefix($0.start) }.map { state.afterPlacing.remove(at: $0).body }
        }
        body?()
    }
}
