import CloudKitWire
import FolderKnowledge
import LocalFolder
import ProblemSentences
import RecordMapping
import RecordReceiving
import RecordSending
import StateStorage
import SyncModel
import SyncPlanning

/// What was written for received records becomes what both sides agreed on.
extension FolderSession {
    func take(_ results: [WriteResult], of writings: [Writing]) throws {
        var outcomes: [Outcome] = []
        var arrived: [(writing: Writing, files: [LocalFile])] = []
        for (writing, result) in zip(writings, results) {
            let action = writing.receiving.action
            switch result {
            case .done(let done):
                for asset in writing.keptAssets where asset.file == nil && !isReadOnly {
                    knowledge.notePutThere(asset, of: writing.receiving.entry.name, at: writing.path)
                }
                outcomes.append(try outcome(of: writing, done))
                // What was carried may be a person's edit.
                let carried = done.carriedAssets.filter { $0.file.hash == $0.agreed.hash }
                arrived.append((writing, done.assets.map(\.file) + carried.map(\.file)))
                if let key = RetryKey(action) { succeeded(key) }
                if done.file.path == Self.ignoreFile { looks.owe(Self.ignoreFile) }
                for (copy, original) in done.conflictCopies { try keepConflict(copy, of: original, in: writing) }
            case .superseded(let copies):
                superseded(action)
                for (copy, original) in copies { try keepConflict(copy, of: original, in: writing) }
            case .held(let problem, let copies, let place):
                hold(action, problem, at: place)
                for (copy, original) in copies { try keepConflict(copy, of: original, in: writing) }
            case .refused(let reaction, let reason):
                downloadFailed(writing.receiving, Receiver.Failure(reaction: reaction, reason: reason))
            }
        }
        try commit(received: outcomes)
        // Only now is it known what each record of the chunk names.
        for (writing, files) in arrived { noteSharedAssets(of: writing, files) }
        try knowledge.storeProvenance()
        try receiveAgain(UnnamedAssets(knowledge).givingWay(to: outcomes))
    }

    /// Stores what was received, and remembers which files it let go as assets.
    func commit(received outcomes: [Outcome]) throws {
        let released = outcomes.flatMap(assetsReleased)
        try commit(outcomes)
        for asset in released
        where knowledge.trees.local[asset.path] != nil && knowledge.trees.baseRecord(at: asset.path) == nil {
            knowledge.noteLetGo(asset)
        }
    }

    /// The assets that a received record has no more where they were, while the file here still named them: nobody here took
    /// them out of it.
    private func assetsReleased(by outcome: Outcome) -> [AgreedAsset] {
        let (name, after): (RecordName, [AgreedAsset])
        switch outcome.base {
        case .unchanged: return []
        case .agreed(let entry, _): (name, after) = (entry.name, entry.assets)
        case .removed(let removed): (name, after) = (removed, [])
        }
        guard let base = knowledge.trees.base[name], base.recordType != knowledge.paths.fileType,
            let named = knowledge.trees.local[base.path]?.form.attachments
        else { return [] }
        return base.assets.filter { asset in
            named.contains { $0.path == asset.path } && !after.contains { $0.path == asset.path }
                && !knowledge.trees.isFromElsewhere(asset.path)
        }
    }

    private func outcome(of writing: Writing, _ done: WriteResult.Done) throws -> Outcome {
        let (action, entry) = (writing.receiving.action, writing.receiving.entry)
        let isStructured = writing.document != nil
        var assets = writing.keptAssets
        var local: [LocalEntry] = []
        for (slot, file, checksum) in done.assets {
            assets.append(
                AgreedAsset(
                    field: slot.field, index: slot.index, path: file.path, hash: file.hash, checksum: checksum,
                    file: file.stamp.file))
            local.append(
                LocalEntry(path: file.path, stamp: file.stamp, hash: file.hash, form: .file, isSettled: file.isSettled))
            if !file.isSettled { lookAgain(at: file.path, isUnsettled: true) }
        }
        for (known, file) in done.carriedAssets {
            var agreed = known
            agreed.file = file.stamp.file
            assets.append(agreed)
            local.append(
                LocalEntry(path: file.path, stamp: file.stamp, hash: file.hash, form: .file, isSettled: file.isSettled))
            if !file.isSettled { lookAgain(at: file.path, isUnsettled: true) }
        }
        if !done.file.isSettled { lookAgain(at: done.file.path, isUnsettled: true) }
        let form: FileForm
        if let document = writing.document {
            form = .structured(
                recordType: entry.recordType,
                attachments: Incoming(knowledge: knowledge, reader: reader).attachments(
                    named: document, of: writing.receiving)
                    ?? assets.map { SyncModel.Attachment(field: $0.field, index: $0.index, path: $0.path) })
        } else {
            let isAgreed = writing.agreedHash.map { $0 == done.file.hash } ?? true
            form = try forms.form(of: done.file, agreedOn: isAgreed ? knowledge.paths.fileType : nil) ?? .file
            assets = entry.assets.filter { $0.field == ContentSource.fileField }.map {
                AgreedAsset(
                    field: $0.field, index: nil, path: done.file.path, hash: writing.agreedHash ?? done.file.hash,
                    checksum: $0.checksum)
            }
        }
        local.append(
            LocalEntry(
                path: done.file.path, stamp: done.file.stamp, hash: done.file.hash, form: form,
                // A file that was kept as it is was not read again.
                isSettled: done.file.isSettled && restless.isProven(done.file.path)))
        var base = BaseEntry(
            name: entry.name, recordType: entry.recordType,
            // Of a file that was renamed here the zone is still to be told.
            path: action.local.flatMap { _ in knowledge.trees.base[entry.name]?.path } ?? done.file.path,
            hash: writing.agreed?.hash ?? writing.agreedHash ?? done.file.hash,
            executable: isStructured ? done.file.stamp.executable : writing.receiving.isExecutable,
            changeTag: entry.changeTag, createdMilliseconds: entry.createdMilliseconds,
            assets: assets.sorted { ($0.field, $0.index ?? -1) < ($1.field, $1.index ?? -1) },
            file: done.file.stamp.file, modified: done.file.stamp.modified,
            standing: writing.standing(in: knowledge.trees, isReadOnly: isReadOnly))
        base.note(renewalsIn: writing.receiving.record.fields, fileType: knowledge.paths.fileType)
        let author: Author = writing.agreed == nil ? .device(writing.receiving.record.modified?.deviceID) : .merge
        return Outcome(
            base: .agreed(base, document: writing.agreed?.document ?? writing.document),
            local: local, removedLocal: done.removed,
            change: journal(
                action.outlivesDeletion
                    ? JournalEntry.keptEditThere
                    : writing.isOverStaleHash ? JournalEntry.staleHash : JournalEntry.received,
                by: author,
                path: done.file.path, record: entry.name))
    }

    /// Notes that records are to be received as if they had changed in the zone.
    func receiveAgain(_ entries: [BaseEntry]) throws {
        try commit(
            entries.map { entry in
                var unknown = entry
                unknown.changeTag = ""
                return Outcome(base: .agreed(unknown, document: try knowledge.baseDocument(of: entry.name)))
            })
    }

    private func keepConflict(_ copy: FolderPath, of original: FolderPath, in writing: Writing) throws {
        let receiving = writing.receiving
        let isOfZone = ConflictCopyName.isOfZone(copy)
        try keepConflict(
            copy, of: original, record: receiving.entry.name,
            fields: (isOfZone ? writing.lostThere?.fields : writing.conflict) ?? [],
            hash: isOfZone
                ? writing.agreed?.hash
                : receiving.action.local?.hash ?? knowledge.trees.local[original]?.hash ?? writing.agreed?.hash,
            device: receiving.record.modified?.deviceID)
    }
}
