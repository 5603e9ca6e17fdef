import FileCustody
import FolderKnowledge
import FolderObserving
import FolderWriting
import LocalFolder
import ProblemSentences
import RecordTrees
import SessionCore
import StateRows
package import SyncModel

/// Removals in the folder.
extension Importer {
    /// Moves the files of deleted records into history.
    package func deleteFiles(_ actions: [Action]) throws {
        let deletions = actions.filter { $0.kind == .deleteFile }
        // Where the process ends in the midst of it, what belonged to a record goes the next time.
        let names = deletions.compactMap(\.record).filter { !belongings(of: $0).isEmpty }
        try knowledge.note(Dictionary(names.map { ($0, .leaving) }) { first, _ in first })
        var gone: Set<RecordName> = []
        try together(deletions) { try deleteFile($0, with: &gone, in: $1) }
    }

    /// Forgets records that both sides are without.
    package func forget(_ actions: [Action]) throws {
        let forgotten = actions.filter { $0.kind == .forget && $0.record != nil }
        func isLeaving(_ action: Action) -> Bool { knowledge.trees.base[action.record!]?.standing == .leaving }
        try committer.commit(forgotten.filter { !isLeaving($0) }.map { Outcome(base: .removed($0.record!)) })
        var gone: Set<RecordName> = []
        try together(forgotten.filter(isLeaving)) { action, batch in
            var outcome = Outcome(base: .removed(action.record!))
            if deleteBelongings(of: action, with: &gone, noting: &outcome, in: batch) { return outcome }
            outcome.base = .unchanged
            return outcome.removedLocal.isEmpty ? nil : outcome
        }
    }

    /// Where another record was agreed on with the file that is at a path now; `nil` where there is none, or the file has both
    /// names.
    private func placeLeft(for path: FolderPath) -> FolderPath? {
        guard let entry = knowledge.trees.local[path], let place = knowledge.trees.formerPath(ofUntouched: entry) else {
            return nil
        }
        let isLinked = environment.reader.stamp(of: place).map { entry.stamp.file.isSame(as: $0.file) } ?? false
        return isLinked ? nil : place
    }

    /// Moves the file of a deleted record into history, and the assets that belonged to it; `nil` where that was not
    /// possible.
    /// - Parameter gone: The records whose files went with this one's.
    private func deleteFile(
        _ action: Action, with gone: inout Set<RecordName>, in batch: WriteBatch
    ) throws -> Outcome? {
        guard let name = action.record, let version = action.local else {
            observer.superseded(action)
            return nil
        }
        // A record that was received since the plan was made has it as its asset, be it that a person here takes it out of that.
        let custody = knowledge.trees.custody(of: action.path)
        guard !custody.isAttached, custody.ownHolder(name).map({ !custody.isTakenOut($0) }) ?? false else {
            knowledge.mark(name)
            knowledge.mark(action.path)
            return nil
        }
        // One that was received since has this very file: a person moved it here, and it is no version of this record's.
        if let place = placeLeft(for: action.path) {
            observer.superseded(action)
            observer.looks.owe(place)
            return nil
        }
        var outcome = Outcome(base: .removed(name))
        do throws(FolderError) {
            switch try environment.writer.delete(
                action.path, expecting: version.stamp, version.hash, batch: batch)
            {
            case .done: outcome.removedLocal.append(action.path)
            case .superseded(_, let copy):
                observer.superseded(action)
                note(copy, of: action.path, name, version)
                return nil
            case .blocked(let reason):
                setbacks.hold(action, .blocked(action.path, reason))
                return nil
            }
        } catch {
            setbacks.hold(action, .cannotWrite(action.path, error))
            return nil
        }
        // What belonged to it and could not go would be a new file once its record is forgotten.
        if !deleteBelongings(of: action, with: &gone, noting: &outcome, in: batch) { outcome.base = .unchanged }
        work.deletions.note([name], inZone: false, now: now)
        outcome.change = committer.journal(
            JournalEntry.fileDeleted, by: knowledge.authorOfDeletion, path: action.path, record: name)
        return outcome
    }

    /// The assets of a record that have files of their own.
    private func belongings(of name: RecordName) -> [AgreedAsset] {
        guard let base = knowledge.trees.base[name] else { return [] }
        return base.assets.filter { $0.path != base.path }
    }

    /// Moves what belonged to a deleted record into history, as both sides agreed on it. What several have goes with the last
    /// of them.
    /// - Parameter gone: The records that went with this one, which is one of them from now on.
    /// - Returns: Whether all of it is gone, but what a person edited meanwhile: the rest is tried again.
    private func deleteBelongings(
        of action: Action, with gone: inout Set<RecordName>, noting outcome: inout Outcome, in batch: WriteBatch
    ) -> Bool {
        guard let name = action.record else { return true }
        var isGone = true
        defer { gone.insert(name) }
        for asset in belongings(of: name) where asset.path != action.path {
            let custody = knowledge.trees.custody(of: asset.path).without(gone)
            guard custody.goesToHistory(with: asset, of: name, at: action.path), let local = custody.file else {
                continue
            }
            do throws(FolderError) {
                switch try environment.writer.delete(asset.path, expecting: local.stamp, local.hash, batch: batch) {
                case .done: outcome.removedLocal.append(asset.path)
                case .superseded: break
                case .blocked(let reason):
                    setbacks.hold(action, .blocked(asset.path, reason), at: asset.path)
                    isGone = false
                }
            } catch {
                setbacks.hold(action, .cannotWrite(asset.path, error), at: asset.path)
                isGone = false
            }
        }
        return isGone
    }
}
