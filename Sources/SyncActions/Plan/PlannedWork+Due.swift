import CloudKitWire
import FileCustody
import FolderKnowledge
import FolderObserving
import RecordReceiving
import RecordTrees
import SessionCore
import SyncModel
import SyncTiming

/// What waits although it could be done: for a file that may come back, or for somebody else to do it.
extension PlannedWork {
    /// When an action may be carried out; `nil`: at once.
    func due(_ action: Action) -> SteadyInstant? {
        deletionDue(action) ?? sharedAssetsDue(action) ?? copyDue(action)
    }

    /// When a copy may be sent again of a file that never rests.
    private func copyDue(_ action: Action) -> SteadyInstant? {
        switch action.kind {
        case .createRecord, .updateRecord(content: true, _): break
        case .updateRecord, .deleteRecord, .writeFile, .moveFile, .deleteFile, .reconcile, .forget: return nil
        }
        let files = [action.path] + (knowledge.trees.local[action.path]?.form.attachments.map(\.path) ?? [])
        return files.compactMap { observer.restless.due($0) }.max()
    }

    /// When a deletion may be sent, or the new record that follows the deleted one; `nil` for other actions, and where it
    /// need not wait.
    private func deletionDue(_ action: Action) -> SteadyInstant? {
        guard !(action.kind == .deleteRecord && isReplaced(action)) else { return nil }
        return deletions.due(leaving(with: action)).map(observer.rules.due)
    }

    /// The records that a deletion takes away, or that a new record follows: the one whose asset its file was, or that had
    /// its path and is of another kind.
    func leaving(with action: Action) -> [RecordName] {
        switch (action.kind, action.record) {
        case (.deleteRecord, let name?): [name]
        case (.createRecord, nil): leaving(with: knowledge.trees.custody(of: action.path))
        default: []
        }
    }

    private func leaving(with custody: Custody) -> [RecordName] {
        custody.silentHolders + [custody.outgrownRecord].compactMap(\.self)
    }

    /// Whether the file of a record to be deleted is not merely missing: another record's file stands in its place,
    /// above it or below it. The zone has to be rid of the one before the other can have the path.
    func isReplaced(_ action: Action) -> Bool {
        let path = action.record.flatMap { knowledge.trees.base[$0]?.path } ?? action.path
        return knowledge.trees.local[path] != nil || knowledge.trees.hasFiles(below: path)
            || path.ancestors.contains { knowledge.trees.local[$0] != nil }
    }

    // MARK: Files that several records have

    /// Notes that files came from the zone with one record which others here name as well.
    func noteSharedAssets(of writing: Writing, _ files: [LocalFile]) {
        arrivals.forgetDue(now: now)
        for file in files
        where knowledge.trees.custody(of: file.path)
            .isAttached(besides: writing.path, of: writing.receiving.entry.name)
        {
            arrivals.note(file.path, now: now, using: random)
            knowledge.noteArrival(of: file.hash, at: file.path)
            // The push that tells of the other ones may be lost.
            fetches.schedulePoll(by: now.advanced(by: SharedArrivals.grace))
        }
    }

    /// When a record may be sent that counts as edited for such files alone.
    private func sharedAssetsDue(_ action: Action) -> SteadyInstant? {
        guard case .updateRecord = action.kind,
            let base = action.record.flatMap({ knowledge.trees.base[$0] }),
            let entry = knowledge.trees.local[action.path], entry.path == base.path, entry.hash == base.hash,
            !base.isRenewed, !base.isPartial, base.changeTag == action.changeTag
        else { return nil }
        var due: SteadyInstant?
        for attachment in entry.form.attachments {
            let hash = knowledge.trees.local[attachment.path]?.hash
            let isAgreed = base.assets.contains {
                $0.field == attachment.field && $0.index == attachment.index && $0.hash == hash
            }
            if isAgreed { continue }
            guard let hash, knowledge.trees.provenance[attachment.path].arrived == hash else { return nil }
            let custody = knowledge.trees.custody(of: attachment.path)
            let isChanging = custody.isBeingReceived(hash)
            // A person here takes it out of the record that it came with: with what is sent of that one, the zone would have
            // the bytes no more.
            if !isChanging, custody.isBeingTakenOut(hash, besides: base.name) { return nil }
            let patience = isChanging ? now.advanced(by: SharedArrivals.grace) : arrivals.due(attachment.path, now: now)
            due = max(due ?? patience, patience)
        }
        return due
    }
}
