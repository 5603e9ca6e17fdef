import LocalFolder
import Logging
import RecordMapping
import StateStorage
import SyncModel
import SyncPlanning

/// Conflict copies that the folder holds and the store does not know.
extension FolderSession {
    /// Remembers conflict copies that a whole scan found and the store lacks: the process ended between the copy and
    /// its row, or the state is new. Otherwise they would lie there with nobody told.
    func adopt(conflictCopies: [FolderPath]) throws {
        guard !conflictCopies.isEmpty else { return }
        let known = try Set(environment.store.conflicts().map(\.copy))
        for copy in conflictCopies where !known.contains(copy) {
            guard let original = ConflictCopyName.original(of: copy), let hash = hash(of: copy) else { continue }
            let isStructured = paths.structuredType(of: original) != nil
            let name = trees.record(at: original) ?? RecordNaming.recordName(for: original, isStructured: isStructured)
            try environment.store.addConflict(
                ConflictRow(
                    copy: copy, original: original, record: name, fields: [], hash: hash,
                    atMilliseconds: environment.clock.milliseconds))
            hasConflicts = true
            logger.notice("A conflict copy waits", metadata: ["path": "\(original)", "copy": "\(copy)"])
        }
    }

    /// `nil` where the file cannot be read now: the next whole scan asks again.
    private func hash(of path: FolderPath) -> ContentHash? {
        guard let file = try? reader.open(path) else { return nil }
        do {
            while try file.next() != nil {}
            guard case .unchanged(let hash) = try file.finish() else { return nil }
            return hash
        } catch {
            return nil
        }
    }
}
