package import CloudKitWire
package import FolderKnowledge
import LocalFolder
package import Logging
import RecordPaths
import RecordTrees
package import StateRows
import StateStorage
package import SyncModel
import SyncTiming

/// Conflict copies: how they get into the store, also those that the folder holds and the store does not know.
package final class ConflictCopies {
    private let environment: SessionEnvironment
    private let logger: Logger
    private let knowledge: Knowledge
    private let committer: Committer

    /// Keeps them in the environment's store.
    package init(_ environment: SessionEnvironment, knowledge: Knowledge, committer: Committer, logger: Logger) {
        (self.environment, self.knowledge) = (environment, knowledge)
        (self.committer, self.logger) = (committer, logger)
    }

    /// Remembers a conflict copy that was made just now, so that a person is told.
    /// - Parameters:
    ///   - hash: Of the version that it is a copy of, as last seen.
    ///   - modified: When and by whom the record was saved; `nil` where that is not known.
    package func note(
        _ copy: FolderPath, of original: FolderPath, record: RecordName, fields: [String], hash: ContentHash?,
        modified: RecordStamp?
    ) throws {
        try environment.store.addConflict(
            ConflictRow(
                copy: copy, original: original, record: record, fields: fields,
                hash: hash ?? ContentHash(bytes: repeatElement(0, count: 32))!,
                atMilliseconds: environment.clock.milliseconds,
                zone: ConflictRow.SavedVersion(user: modified?.userRecordName, milliseconds: modified?.timestamp)))
        let author = knowledge.author(user: modified?.userRecordName, device: modified?.deviceID)
        try committer.commit([
            Outcome(change: committer.journal(JournalEntry.conflict, by: author, path: original, record: record))
        ])
        logger.notice(
            "Both sides changed a file; the version that lost is in a conflict copy",
            metadata: ["path": "\(original)", "copy": "\(copy)"])
    }

    /// Remembers conflict copies that a look found and the store lacks: the process ended or the state failed between the copy and
    /// its row, a directory with the copy was renamed, or the state is new. Otherwise they would lie there with nobody told.
    package func adopt(_ copies: [FolderPath]) throws {
        guard !copies.isEmpty else { return }
        let known = try Set(environment.store.conflicts().map(\.copy))
        for copy in copies where !known.contains(copy) {
            guard let original = ConflictCopyName.original(of: copy), let hash = hash(of: copy) else { continue }
            let isStructured = knowledge.paths.structuredType(of: original) != nil
            let name =
                knowledge.trees.record(at: original)
                ?? RecordNaming.recordName(for: original, isStructured: isStructured)
            try environment.store.addConflict(
                ConflictRow(
                    copy: copy, original: original, record: name, fields: [], hash: hash,
                    atMilliseconds: environment.clock.milliseconds))
            logger.notice("A conflict copy waits", metadata: ["path": "\(original)", "copy": "\(copy)"])
        }
    }

    /// `nil` where the file cannot be read now: the next look at it asks again.
    private func hash(of path: FolderPath) -> ContentHash? {
        guard let file = try? environment.reader.open(path) else { return nil }
        do {
            while try file.next() != nil {}
            guard case .unchanged(let hash) = try file.finish() else { return nil }
            return hash
        } catch {
            return nil
        }
    }

    /// Conflicts whose copy is still there: a person settles one by deleting the copy.
    package func open() throws -> [ConflictRow] {
        try environment.store.conflicts().filter { conflict in
            do throws(FolderError) {
                _ = try environment.reader.open(conflict.copy)
                return true
            } catch {
                // Only its absence settles it.
                guard error.code == .notFound || error.code == .notAFile else { return true }
            }
            try environment.store.removeConflict(copy: conflict.copy)
            return false
        }
    }
}
