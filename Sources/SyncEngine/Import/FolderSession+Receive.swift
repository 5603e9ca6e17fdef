import CloudKitClient
import CloudKitWire
import FolderKnowledge
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
            guard !isStopping, !isPaused, !isDatabasePaused else { return }
            let some = actions[start..<min(start + Self.chunk, actions.count)]
            let planned = plannedBytes(of: some)
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
            leaveOutWhatGoesOverKeptAssets(&writings)
            settleSharedFiles(&writings)
            let results = await Self.write(writings, with: receiver)
            try take(results, of: writings)
            meter.complete(files: some.count, bytes: planned)
        }
        let names = fetches.takeLookUps()
        guard !names.isEmpty else { return }
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
        guard let name = action.record, let entry = knowledge.trees.remote[name], entry.changeTag == action.changeTag,
            let record = try knowledge.remoteRecord(named: name)
        else {
            superseded(action)
            return nil
        }
        let agreed = knowledge.trees.base[name]?.assets ?? []
        var downloads: [AssetSlot: AssetDownload] = [:]
        if entry.recordType == knowledge.paths.fileType {
            // A record that was received since the plan was made names it as its asset.
            guard !knowledge.trees.isAttached(action.path) else {
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
            let witnesses = AssetWitnesses(of: file)
            if !keepsLocal, !hasContent(file, content, witnesses, action: action, agreed: agreed) {
                downloads[AssetSlot(field: ContentSource.fileField)] = AssetDownload(
                    asset: content, witnesses: witnesses, path: action.path)
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
        var missing: [AssetSlot: Asset] = [:]
        for (slot, asset) in record.assets {
            guard let known = agreed.first(where: { $0.slot == slot }), known.checksum == asset.fileChecksum else {
                missing[slot] = asset
                continue
            }
            let isRenewed =
                knowledge.trees.local[known.path]?.hash != known.hash && isNews(renewals[slot], of: known, in: name)
            if isRenewed { renewedHere.insert(slot) }
            if isRenewed || knowledge.trees.place(of: known, namedBy: action.path) == nil { missing[slot] = asset }
        }
        var found: [AssetSlot: AssetBytes] = [:]
        if !missing.isEmpty {
            let hints = RecordHints(of: record.fields)
            for attached in rendering(of: record, as: entry.recordType, at: action.path).assets {
                guard let asset = missing[attached.slot] else { continue }
                let witnesses = AssetWitnesses(of: asset, hints: hints)
                if let bytes = bytesHere(of: attached, witnesses, namedBy: action.path) {
                    found[attached.slot] = bytes
                } else {
                    downloads[attached.slot] = AssetDownload(asset: asset, witnesses: witnesses, path: attached.path)
                }
            }
        }
        var receiving = Receiving(action: action, entry: entry, record: record, downloads: downloads)
        receiving.found = found
        receiving.renewedAssets = renewedHere
        return receiving
    }

    /// The file that has an asset's bytes, where its record or this device's text says that it lies: the state may be lost, and
    /// the files are there.
    private func bytesHere(
        of asset: AttachedAsset, _ witnesses: AssetWitnesses, namedBy file: FolderPath
    ) -> AssetBytes? {
        let named = knowledge.trees.local[file]?.form.attachments.first {
            $0.field == asset.slot.field && $0.index == asset.slot.index
        }
        for path in [asset.path, named?.path].compactMap(\.self) {
            guard let entry = knowledge.trees.local[path], witnesses.vouch(for: entry.hash, size: entry.stamp.size),
                let reading = try? reader.open(path), reading.stamp == entry.stamp,
                let start = try? reading.next(maxBytes: AssetNaming.sniffedBytes) ?? []
            else { continue }
            let version = LocalVersion(stamp: entry.stamp, hash: entry.hash)
            return AssetBytes(place: .folder(path, version), hash: entry.hash, firstBytes: start)
        }
        return nil
    }

    /// Whether the folder's file has the bytes of a file record already, by checksum or by hash and size.
    private func hasContent(
        _ file: FileRecord, _ content: Asset, _ witnesses: AssetWitnesses, action: Action, agreed: [AgreedAsset]
    ) -> Bool {
        guard let local = action.local else { return false }
        if let known = agreed.first {
            if known.checksum == content.fileChecksum, known.hash == local.hash { return true }
            // Other bytes with the same hash: another program changed them, and only them.
            if !known.checksum.isEmpty, known.checksum != content.fileChecksum, known.hash == file.sha256 {
                return false
            }
        }
        return witnesses.vouch(for: local.hash, size: local.stamp.size)
    }

    func downloadFailed(_ receiving: Receiving, _ failure: Receiver.Failure) {
        let action = receiving.action
        logger.info("A download failed", metadata: ["path": "\(action.path)", "reason": "\(failure.reason)"])
        if let problem = failure.problem { return hold(action, problem) }
        if let key = RetryKey(action) {
            if case .retry(let after, let pause) = failure.reaction {
                waitAfterFailure(key, after: after, pausing: pause, for: failure.obstacle)
            } else {
                waitAfterFailure(key, after: nil, pausing: .item)
            }
        }
        // Its URL expired, or the record changed: a new look at the record has a new one.
        if failure.reaction == .lookUpAndMerge { fetches.oweLookUp(of: [receiving.entry.name]) }
        if case .hold(let hold) = failure.reaction {
            self.hold(action, .refused(action.path, hold, .download, reason: failure.reason))
        }
    }
}

extension Problem {
    static func noContent(_ path: FolderPath) -> Problem {
        Problem(
            .serverRefused, message: "\(path): its record has no content.",
            remedy: "Save the file on a device that has it, or delete the record.")
    }
}
