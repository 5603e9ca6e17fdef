import CloudKitClient
import CloudKitWire
import LocalFolder
import Logging
import RecordMapping
import StateStorage
import SyncModel
import SyncPlanning

/// Bringing the zone's changes into the folder: download into staging, compose, write, store.
extension FolderSession {
    /// Records received at a time: their files become durable together, and so do their base rows.
    private static let chunk = 200
    /// How often it is asked whether a disk that was too full has room again.
    private static let diskCheckInterval = Duration.seconds(5)

    /// Writes and reconciles what the actions call for.
    func receive(_ actions: [Action]) async throws {
        let meter = progress
        let receiver = Receiver(
            database: environment.database, writer: environment.writer, onBytes: { meter.add(bytes: $0) })
        for start in stride(from: 0, to: actions.count, by: Self.chunk) {
            guard !isStopping, !isDatabasePaused else { return }
            let some = actions[start..<min(start + Self.chunk, actions.count)]
            var room = DiskRoom(environment.diskSpace(), reserve: environment.configuration.diskReserve)
            let receivings = try some.compactMap { action -> Receiving? in
                guard var receiving = try receiving(action) else { return nil }
                guard room.take(receiving.neededBytes) else {
                    // Nothing was transferred: this can be asked again soon.
                    hold(action, .diskAlmostFull(action.path), for: Self.diskCheckInterval)
                    return nil
                }
                receiving.attempts = RetryKey(action).map { retry.failures(of: $0) } ?? 0
                return receiving
            }
            let downloads = await receiver.download(receivings)
            let named = namedAssets(receivings)
            var writings: [Writing] = []
            for (var receiving, download) in zip(receivings, downloads) {
                receiving.namedBeside = named
                switch download {
                case .success(let files):
                    if let writing = try compose(receiving, files) { writings.append(writing) }
                case .failure(let failure): downloadFailed(receiving, failure)
                }
            }
            leaveOutAttachedFiles(&writings)
            leaveOutWhatGoesOverRenewedAssets(&writings)
            settleSharedFiles(&writings)
            let results = await Self.write(writings, with: receiver)
            try take(results, of: writings)
            meter.add(files: some.count)
        }
        guard !needLookUp.isEmpty else { return }
        let names = needLookUp
        needLookUp = []
        try await lookUp(names)
    }

    /// Off the session's own executor: writing blocks for the disk.
    @concurrent
    private static func write(_ writings: [Writing], with receiver: Receiver) async -> [WriteResult] {
        receiver.write(writings)
    }

    // MARK: What is to come

    /// What an action has to bring into the folder; `nil` where the trees moved on since the plan.
    private func receiving(_ action: Action) throws -> Receiving? {
        guard let name = action.record, let entry = trees.remote[name], entry.changeTag == action.changeTag,
            let record = try remoteRecord(named: name)
        else {
            superseded(action)
            return nil
        }
        let agreed = trees.base[name]?.assets ?? []
        var downloads: [AssetSlot: Asset] = [:]
        if entry.recordType == paths.fileType {
            // A record that was received since the plan was made names it as its asset.
            guard !trees.isAttached(action.path) else {
                superseded(action)
                return nil
            }
            let file = FileRecord(fields: record.fields)
            guard let content = file.content else {
                hold(action, .noContent(action.path))
                return nil
            }
            // Where its time alone is another one, somebody put a file with the same bytes in its place.
            let isUnchangedThere = agreed.first.map {
                !$0.checksum.isEmpty && $0.checksum == content.fileChecksum
                    && ($0.renewal.isEmpty || $0.renewal == file.renewal)
            }
            let keepsLocal = action.kind == .reconcile && isUnchangedThere == true
            if !keepsLocal, !hasContent(file, content, action: action, agreed: agreed) {
                downloads[AssetSlot(field: ContentSource.fileField)] = content
            }
            var receiving = Receiving(action: action, entry: entry, record: record, downloads: downloads)
            receiving.keepsLocalContent = keepsLocal
            receiving.isExecutable = file.isExecutable
            // Any client may write any time: one that nanoseconds cannot (after 2262) leaves the time of writing.
            receiving.modified = file.modified.flatMap { time in
                let (nanoseconds, isBeyond) = time.multipliedReportingOverflow(by: 1_000_000)
                return isBeyond ? nil : nanoseconds
            }
            return receiving
        }
        let renewals = RecordHints.renewedAssets(of: record.fields)
        var renewedHere: Set<AssetSlot> = []
        for (slot, asset) in record.assets {
            guard let known = agreed.first(where: { $0.slot == slot }), known.checksum == asset.fileChecksum else {
                downloads[slot] = asset
                continue
            }
            let isRenewed = trees.local[known.path]?.hash != known.hash && isNews(renewals[slot], of: known, in: name)
            if isRenewed { renewedHere.insert(slot) }
            if isRenewed || trees.place(of: known, namedBy: action.path) == nil { downloads[slot] = asset }
        }
        var receiving = Receiving(action: action, entry: entry, record: record, downloads: downloads)
        receiving.renewedAssets = renewedHere
        return receiving
    }

    /// Whether the folder's file has the bytes of a file record already, by checksum or by hash and size.
    private func hasContent(
        _ file: FileRecord, _ content: Asset, action: Action, agreed: [AgreedAsset]
    ) -> Bool {
        guard let local = action.local else { return false }
        if let known = agreed.first {
            if known.checksum == content.fileChecksum, known.hash == local.hash { return true }
            // Other bytes with the same hash: another program changed them, and only them.
            if !known.checksum.isEmpty, known.checksum != content.fileChecksum, known.hash == file.sha256 {
                return false
            }
        }
        return file.sha256 == local.hash && content.size == local.stamp.size
    }

    private func downloadFailed(_ receiving: Receiving, _ failure: Receiver.Failure) {
        let action = receiving.action
        logger.info("A download failed", metadata: ["path": "\(action.path)", "reason": "\(failure.reason)"])
        if let problem = failure.problem { return hold(action, problem) }
        if let key = RetryKey(action) {
            if case .retry(let after, let pause) = failure.reaction {
                waitAfterFailure(key, after: after, pausing: pause)
            } else {
                waitAfterFailure(key, after: nil, pausing: .item)
            }
        }
        // Its URL expired, or the record changed: a new look at the record has a new one.
        if failure.reaction == .lookUpAndMerge { needLookUp.append(receiving.entry.name) }
        if case .hold(let hold) = failure.reaction {
            self.hold(action, .refused(action.path, hold, reason: failure.reason))
        }
    }

    // MARK: Outcomes

    private func take(_ results: [WriteResult], of writings: [Writing]) throws {
        var outcomes: [Outcome] = []
        var arrived: [(writing: Writing, files: [LocalFile])] = []
        for (writing, result) in zip(writings, results) {
            let action = writing.receiving.action
            switch result {
            case .done(let done):
                outcomes.append(try outcome(of: writing, done))
                // What was carried may be a person's edit.
                let carried = done.carriedAssets.filter { $0.file.hash == $0.agreed.hash }
                arrived.append((writing, done.assets.map(\.file) + carried.map(\.file)))
                if let key = RetryKey(action) { succeeded(key) }
                if done.file.path == Self.ignoreFile { owed.paths.insert(Self.ignoreFile) }
                for (copy, original) in done.conflictCopies { try keepConflict(copy, of: original, in: writing) }
            case .superseded(let copies):
                superseded(action)
                for (copy, original) in copies { try keepConflict(copy, of: original, in: writing) }
            case .held(let problem, let copies):
                hold(action, problem)
                for (copy, original) in copies { try keepConflict(copy, of: original, in: writing) }
            case .refused(let reaction, let reason):
                downloadFailed(writing.receiving, Receiver.Failure(reaction: reaction, reason: reason))
            }
        }
        try commit(received: outcomes)
        // Only now is it known what each record of the chunk names.
        for (writing, files) in arrived { noteSharedAssets(of: writing, files) }
        try renameAssets(besides: outcomes)
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
        var form = FileForm.file
        if let document = writing.document {
            form = .structured(
                recordType: entry.recordType,
                attachments: attachments(named: document, of: writing.receiving)
                    ?? assets.map { SyncModel.Attachment(field: $0.field, index: $0.index, path: $0.path) })
        }
        if !isStructured {
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
                isSettled: done.file.isSettled && !unsettled.contains(done.file.path)))
        var base = BaseEntry(
            name: entry.name, recordType: entry.recordType,
            // Of a file that was renamed here the zone is still to be told.
            path: action.local.flatMap { _ in trees.base[entry.name]?.path } ?? done.file.path,
            hash: writing.agreed?.hash ?? writing.agreedHash ?? done.file.hash,
            executable: isStructured ? done.file.stamp.executable : writing.receiving.isExecutable,
            changeTag: entry.changeTag, createdMilliseconds: entry.createdMilliseconds,
            assets: assets.sorted { ($0.field, $0.index ?? -1) < ($1.field, $1.index ?? -1) },
            file: done.file.stamp.file, modified: done.file.stamp.modified,
            standing: standing(of: writing))
        base.note(renewalsIn: writing.receiving.record.fields, fileType: paths.fileType)
        unanswered[entry.name] = nil
        let author: Author = writing.agreed == nil ? .device(writing.receiving.record.modified?.deviceID) : .merge
        return Outcome(
            base: .agreed(base, document: writing.agreed?.document ?? writing.document),
            local: local, removedLocal: done.removed,
            change: journal(
                action.outlivesDeletion ? JournalEntry.keptEditThere : "receive", by: author,
                path: done.file.path, record: entry.name))
    }

    private func keepConflict(_ copy: FolderPath, of original: FolderPath, in writing: Writing) throws {
        let receiving = writing.receiving
        try keepConflict(
            copy, of: original, record: receiving.entry.name, fields: writing.conflict ?? [],
            hash: receiving.action.local?.hash ?? trees.local[original]?.hash ?? writing.agreed?.hash,
            device: receiving.record.modified?.deviceID)
    }
}

extension Problem {
    static func noContent(_ path: FolderPath) -> Problem {
        Problem(
            .serverRefused, message: "\(path): its record has no content.",
            remedy: "Save the file on a device that has it, or delete the record.")
    }
}
