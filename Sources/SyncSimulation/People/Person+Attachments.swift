import SyncModel
import SystemPackage

/// What people do with files that belong to a record.
extension Person {
    func attach(
        _ path: FolderPath, to file: FolderPath, _ number: Int, _ disk: inout SimulatedDisk.State,
        _ ledger: inout Ledger
    ) throws(Errno) {
        if (try? disk.file(at: path)) == nil {
            try write(Contents.attachment(by: number), to: path, number, &disk, &ledger)
        }
        let old = try? disk.file(at: file)
        try write(
            Contents.attaching(path, to: file, after: old?.bytes, by: number), to: file, number, &disk, &ledger)
    }

    func detach(
        from file: FolderPath, _ fate: AttachedFate, _ number: Int, _ disk: inout SimulatedDisk.State,
        _ ledger: inout Ledger
    ) throws(Errno) {
        let old = try disk.file(at: file)
        guard let path = AttachedFile.path(in: old.bytes, at: file) else { return }
        try write(Contents.attaching(nil, to: file, after: old.bytes, by: number), to: file, number, &disk, &ledger)
        if fate == .delete { try delete(path, number, &disk, &ledger) }
    }

    func renameAttached(
        to new: FolderPath, in file: FolderPath, _ number: Int, _ disk: inout SimulatedDisk.State,
        _ ledger: inout Ledger
    ) throws(Errno) {
        let old = try disk.file(at: file)
        guard let path = AttachedFile.path(in: old.bytes, at: file), path != new else { return }
        try rename(path, new, number, &disk, &ledger)
        try write(Contents.attaching(new, to: file, after: old.bytes, by: number), to: file, number, &disk, &ledger)
    }

    /// Takes out of a JSON file that it names a file that is not there.
    /// - Parameter elsewhere: What other devices have at a path: who does so gives up the file, which is theirs as well.
    func giveUpAttachment(
        of file: FolderPath, on disk: inout SimulatedDisk.State, _ ledger: inout Ledger,
        elsewhere: (FolderPath) -> [[UInt8]]
    ) {
        guard let old = try? disk.file(at: file) else { return }
        if let path = AttachedFile.path(in: old.bytes, at: file), (try? disk.file(at: path)) == nil {
            for bytes in elsewhere(path) { ledger.deleted(bytes, by: -1) }
        }
        try? write(Contents.attaching(nil, to: file, after: old.bytes, by: -1), to: file, -1, &disk, &ledger)
    }
}
