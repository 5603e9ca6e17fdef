import CloudKitWire
import FolderKnowledge
import FolderObserving
import LocalFolder
import RecordMapping
import RecordReceiving
import RecordSending
import RecordTrees
import SessionCore
import StateRows
import SyncModel

/// What was written for received records becomes what both sides agreed on.
extension Importer {
    func take(_ results: [WriteResult], of writings: [Writing]) throws {
        var outcomes: [Outcome] = []
        var arrived: [(writing: Writing, files: [LocalFile])] = []
        for (writing, result) in zip(writings, results) {
            let action = writing.receiving.action
            switch result {
            case .done(let done):
                for asset in writing.keptAssets where asset.file == nil && !knowledge.isReadOnly {
                    knowledge.notePutThere(asset, of: writing.receiving.entry.name, at: writing.path)
                }
                outcomes.append(try outcome(of: writing, done))
                // What was carried may be a person's edit.
                let carried = done.carriedAssets.filter { $0.file.hash == $0.agreed.hash }
                arrived.append((writing, done.assets.map(\.file) + carried.map(\.file)))
                setbacks.succeeded(action)
                if done.file.path == .ignoreFile { observer.looks.owe(.ignoreFile) }
                for (copy, original) in done.conflictCopies { try keepConflict(copy, of: original, in: writing) }
            case .superseded(let remains):
                observer.superseded(action)
                try take(remains, of: writing, into: &outcomes)
            case .held(let problem, let remains, let place):
                setbacks.hold(action, problem, at: place)
                try take(remains, of: writing, into: &outcomes)
            case .refused(let reaction, let reason):
                downloadFailed(writing.receiving, Receiver.Failure(reaction: reaction, reason: reason))
            }
        }
        try committer.commit(received: outcomes)
        // Only now is it known what each record of the chunk names.
        for (writing, files) in arrived { work.noteSharedAssets(of: writing, files) }
        try knowledge.storeProvenance()
        try committer.receiveAgain(UnnamedAssets(knowledge).givingWay(to: outcomes))
    }

    /// What is left of a writing that did not come to its end. Assets that have gone where the zone has them are the record's still:
    /// otherwise they would be files that a person made.
    private func take(
        _ remains: WriteResult.Remains, of writing: Writing, into outcomes: inout [Outcome]
    ) throws {
        for (copy, original) in remains.copies { try keepConflict(copy, of: original, in: writing) }
        let name = writing.receiving.entry.name
        guard !remains.moved.isEmpty, var base = knowledge.trees.base[name] else { return }
        var outcome = Outcome()
        for (agreed, file, source) in remains.moved {
            for index in base.assets.indices where base.assets[index].slot == agreed.slot {
                (base.assets[index].path, base.assets[index].file) = (file.path, file.stamp.file)
            }
            outcome.removedLocal.append(source)
            outcome.local.append(
                LocalEntry(path: file.path, stamp: file.stamp, hash: file.hash, form: .file, isSettled: file.isSettled))
        }
        base.isPartial = true
        outcome.base = .agreed(base, document: try knowledge.baseDocument(of: name))
        outcomes.append(outcome)
    }

    private func outcome(of writing: Writing, _ done: WriteResult.Done) throws -> Outcome {
        let (action, entry) = (writing.receiving.action, writing.receiving.entry)
        var assets = writing.keptAssets
        var local: [LocalEntry] = []
        for (slot, file, checksum) in done.assets {
            assets.append(
                AgreedAsset(
                    field: slot.field, index: slot.index, path: file.path, hash: file.hash, checksum: checksum,
                    file: file.stamp.file))
            local.append(
                LocalEntry(path: file.path, stamp: file.stamp, hash: file.hash, form: .file, isSettled: file.isSettled))
            if !file.isSettled { observer.lookAgain(at: file.path, isUnsettled: true) }
        }
        for (known, file) in done.carriedAssets {
            var agreed = known
            agreed.file = file.stamp.file
            assets.append(agreed)
            local.append(
                LocalEntry(path: file.path, stamp: file.stamp, hash: file.hash, form: .file, isSettled: file.isSettled))
            if !file.isSettled { observer.lookAgain(at: file.path, isUnsettled: true) }
        }
        if !done.file.isSettled { observer.lookAgain(at: done.file.path, isUnsettled: true) }
        let form: FileForm
        if let document = writing.document {
            form = .structured(
                recordType: entry.recordType,
                attachments: Incoming(knowledge: knowledge, reader: environment.reader).attachments(
                    named: document, of: writing.receiving)
                    ?? assets.map { SyncModel.Attachment(field: $0.field, index: $0.index, path: $0.path) })
        } else {
            let isAgreed = writing.agreedHash.map { $0 == done.file.hash } ?? true
            form = try observer.forms.form(of: done.file, agreedOn: isAgreed ? knowledge.fileType : nil) ?? .file
        }
        local.append(
            LocalEntry(
                path: done.file.path, stamp: done.file.stamp, hash: done.file.hash, form: form,
                // A file that was kept as it is was not read again.
                isSettled: done.file.isSettled && observer.restless.isProven(done.file.path)))
        var base = agreed(on: writing, hash: done.file.hash, executable: done.file.stamp.executable, assets: assets)
        (base.file, base.modified) = (done.file.stamp.file, done.file.stamp.modified)
        // What both sides had before was written when it was, though the file is an edit of it by now.
        if base.hash != done.file.hash, let former = knowledge.trees.base[base.name], former.hash == base.hash {
            base.modified = former.modified
        }
        var outcome = Outcome(
            base: .agreed(base, document: writing.agreed?.document ?? writing.document),
            local: local, removedLocal: done.removed)
        if writing.isOverStaleHash || !isWithoutEffect(done) {
            outcome.change = committer.journal(
                action.outlivesDeletion
                    ? JournalEntry.keptEditThere
                    : writing.isOverStaleHash ? JournalEntry.staleHash : JournalEntry.received,
                by: writing.agreed == nil ? author(of: writing.receiving.record) : .merge,
                path: done.file.path, record: entry.name)
        }
        return outcome
    }

    /// What both sides agree on once a record is written; which file it has is told by what became of it.
    /// - Parameters:
    ///   - hash: Of the file as it is written.
    ///   - executable: Whether it can be executed.
    ///   - assets: Of a structured record.
    func agreed(on writing: Writing, hash: ContentHash, executable: Bool, assets: [AgreedAsset]) -> BaseEntry {
        let (action, entry) = (writing.receiving.action, writing.receiving.entry)
        let trees = knowledge.trees
        let isStructured = writing.document != nil
        let hash = writing.agreed?.hash ?? writing.agreedHash ?? hash
        let assets =
            isStructured
            ? assets
            : entry.assets.filter { $0.field == ContentSource.fileField }.map {
                AgreedAsset(field: $0.field, index: nil, path: writing.path, hash: hash, checksum: $0.checksum)
            }
        var base = BaseEntry(
            name: entry.name, recordType: entry.recordType,
            // Of a file that was renamed here the zone is still to be told.
            path: action.local.flatMap { _ in trees.base[entry.name]?.path } ?? writing.path,
            hash: hash, executable: isStructured ? executable : writing.receiving.isExecutable,
            changeTag: entry.changeTag, createdMilliseconds: entry.createdMilliseconds,
            assets: assets.sorted { ($0.field, $0.index ?? -1) < ($1.field, $1.index ?? -1) }, file: .unknown,
            standing: writing.standing(in: trees, isReadOnly: knowledge.isReadOnly))
        base.note(renewalsIn: writing.receiving.record.fields, fileType: knowledge.fileType)
        return base
    }

    /// Whether the folder has all of a record's version as it was before that came, as after a move, or where both sides have the
    /// same and it is only found out: there is nothing to tell.
    private func isWithoutEffect(_ done: WriteResult.Done) -> Bool {
        done.assets.isEmpty && done.carriedAssets.isEmpty && done.removed.isEmpty && done.conflictCopies.isEmpty
            && knowledge.trees.local[done.file.path]?.stamp == done.file.stamp
    }

    private func keepConflict(_ copy: FolderPath, of original: FolderPath, in writing: Writing) throws {
        let receiving = writing.receiving
        let isOfZone = ConflictCopyName.isOfZone(copy)
        try conflictCopies.note(
            copy, of: original, record: receiving.entry.name,
            fields: (isOfZone ? writing.lostThere?.fields : writing.conflict) ?? [],
            hash: isOfZone
                ? writing.agreed?.hash
                : receiving.action.local?.hash ?? knowledge.trees.local[original]?.hash ?? writing.agreed?.hash,
            modified: receiving.record.modified)
    }

    private func author(of record: Record) -> Author {
        knowledge.author(user: record.modified?.userRecordName, device: record.modified?.deviceID)
    }
}
