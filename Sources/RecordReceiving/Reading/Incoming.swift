import CloudKitWire
package import FolderKnowledge
package import LocalFolder
import RecordMapping
import RecordPaths
import RecordTrees
import StateRows
package import SyncModel

/// What records of the zone bring into the folder: which bytes have to come, what is written, and where.
///
/// It reads what is known and the files that are there, and changes nothing. It is for one question, or for one batch: the trees are
/// those of when it was made, and would be copied at their next change.
package struct Incoming {
    let knowledge: Knowledge
    let trees: SyncTrees
    let reader: FolderReader

    package init(knowledge: Knowledge, reader: FolderReader) {
        (self.knowledge, self.reader, trees) = (knowledge, reader, knowledge.trees)
    }

    package enum Arrival {
        case receiving(Receiving)
        /// What is known moved on since the plan.
        case superseded
        case held(Problem)
    }

    /// What an action has to bring into the folder.
    package func receiving(_ action: Action) throws -> Arrival {
        guard let name = action.record, let entry = trees.remote[name], entry.changeTag == action.changeTag,
            let record = try knowledge.remoteRecord(named: name)
        else { return .superseded }
        let agreed = knowledge.agreedAssets(of: name, in: record)
        var downloads: [AssetSlot: AssetDownload] = [:]
        if entry.recordType == knowledge.fileType {
            // A record that was received since the plan was made names it as its asset.
            guard !trees.isAttached(action.path) else { return .superseded }
            let file = FileRecord(fields: record.fields)
            guard let content = file.content else { return .held(.noContent(action.path)) }
            // Where its time alone is another one, somebody put a file with the same bytes in its place.
            let isUnchangedThere = agreed.first.map {
                !$0.checksum.isEmpty && $0.checksum == content.fileChecksum
                    && ($0.renewal.isEmpty || $0.renewal == file.renewal)
            }
            let keepsLocal = action.kind == .reconcile && isUnchangedThere == true && !isOverUnrelated(action)
            let witnesses = AssetWitnesses(of: file)
            if !keepsLocal, !hasContent(file, content, witnesses, action: action, agreed: agreed) {
                downloads[AssetSlot(field: ContentSource.fileField)] = AssetDownload(
                    asset: content, witnesses: witnesses, path: action.path)
            }
            var receiving = Receiving(action: action, entry: entry, record: record, downloads: downloads)
            receiving.keepsLocalContent = keepsLocal
            receiving.isOverUnrelated = isOverUnrelated(action)
            receiving.isExecutable = file.isExecutable
            // Any client may write any time: one that nanoseconds cannot (after 2262) leaves the time of writing.
            receiving.modified = file.modified.flatMap { time in
                let (nanoseconds, isBeyond) = time.multipliedReportingOverflow(by: 1_000_000)
                return isBeyond ? nil : nanoseconds
            }
            return .receiving(receiving)
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
                trees.local[known.path]?.hash != known.hash && isNews(renewals[slot], of: known, in: name)
            if isRenewed { renewedHere.insert(slot) }
            if isRenewed || trees.place(of: known, namedBy: action.path) == nil { missing[slot] = asset }
        }
        var found: [AssetSlot: AssetBytes] = [:]
        if !missing.isEmpty {
            let hints = RecordHints(of: record.fields)
            for attached in knowledge.rendering(of: record, as: entry.recordType, at: action.path).assets {
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
        receiving.isOverUnrelated = isOverUnrelated(action)
        return .receiving(receiving)
    }

    /// Whether a record comes over a file that is there by its path alone. Where this device sent the record there, without an
    /// answer, what is there is an edit of that.
    private func isOverUnrelated(_ action: Action) -> Bool {
        guard let name = action.record, let base = trees.base[name] else { return false }
        return trees.isUnrelated(action.path, to: base)
            && !knowledge.unanswered(name).contains { $0.entry.path == action.path }
    }

    /// The file that has an asset's bytes, where its record or this device's text says that it lies: the state may be lost, and
    /// the files are there.
    private func bytesHere(
        of asset: AttachedAsset, _ witnesses: AssetWitnesses, namedBy file: FolderPath
    ) -> AssetBytes? {
        let named = trees.local[file]?.form.attachments.first {
            $0.field == asset.slot.field && $0.index == asset.slot.index
        }
        for path in [asset.path, named?.path].compactMap(\.self) {
            guard let entry = trees.local[path], witnesses.vouch(for: entry.hash, size: entry.stamp.size),
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
}

extension Problem {
    static func noContent(_ path: FolderPath) -> Problem {
        Problem(
            .serverRefused, message: "\(path): its record has no content.",
            remedy: "Save the file on a device that has it, or delete the record.")
    }
}
