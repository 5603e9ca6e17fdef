import SyncModel
import SystemPackage

/// What people do with files that refer to others.
extension Person {
    func refer(
        from file: FolderPath, to target: FolderPath, _ number: Int, _ disk: inout SimulatedDisk.State,
        _ ledger: inout Ledger
    ) throws(Errno) {
        let old = try? disk.file(at: file)
        try write(Contents.referring(to: target, after: old?.bytes, by: number), to: file, number, &disk, &ledger)
    }

    /// Takes the reference out of a JSON file.
    func giveUpReference(of file: FolderPath, on disk: inout SimulatedDisk.State, _ ledger: inout Ledger) {
        guard let old = try? disk.file(at: file), ReferredFile.isNamed(in: old.bytes) else { return }
        try? write(Contents.referring(to: nil, after: old.bytes, by: -1), to: file, -1, &disk, &ledger)
    }
}
