import CloudKitWire
import FolderKnowledge
import RecordMapping
import RecordSending
import StateStorage
import SyncModel
import SyncPlanning

/// Lost answers. What goes out is remembered first, durably: when the server turns out to have taken it, this device
/// knows its own version again, also after a crash, and a further edit is one on top of it and no conflict.
extension FolderSession {
    /// Remembers what is about to be sent. Nothing may be sent where this throws.
    func noteSent(_ sendings: [Sending]) throws {
        try knowledge.noteSent(sendings.compactMap(\.version))
    }

    /// Forgets a version that the server surely has not, because it refused it or never got it.
    func forgetSent(_ sending: Sending) throws {
        if let version = sending.version { try knowledge.forgetSent(version) }
    }

    /// Takes those records as agreed on that are in the zone just as this device sent them, and forgets what was sent of
    /// those that the zone has unchanged: the next one to save the same may be another device.
    /// - Parameter names: Of the records that were asked for since they were sent; `nil` for all.
    func recognizeSent(_ names: [RecordName]? = nil) throws {
        guard knowledge.hasUnanswered else { return }
        var outcomes: [Outcome] = []
        for name in knowledge.unansweredNames where names?.contains(name) ?? true {
            let versions = knowledge.unanswered(name)
            let row = try knowledge.remoteRow(named: name)
            guard row?.entry.changeTag != knowledge.trees.base[name]?.changeTag else {
                try knowledge.forgetSent(name)
                continue
            }
            guard let row else { continue }
            let record = try Record.decode(row.record)
            guard let sent = versions.last(where: { isSame($0, as: record, row.entry) }) else { continue }
            var entry = sent.entry
            entry.changeTag = row.entry.changeTag
            entry.createdMilliseconds = row.entry.createdMilliseconds
            for index in entry.assets.indices {
                let asset = entry.assets[index]
                entry.assets[index].checksum =
                    row.entry.assets.first { $0.field == asset.field && $0.index == asset.index }?.checksum ?? ""
            }
            entry.note(renewalsIn: record.fields, fileType: knowledge.paths.fileType)
            // Where what was sent is equal to what was there, it may be another device's version that is there now.
            if let base = knowledge.trees.base[name], base.isRenewed, base.hash == entry.hash {
                entry.standing = base.standing
            }
            outcomes.append(
                Outcome(
                    base: .agreed(entry, document: sent.document),
                    change: journal(JournalEntry.sent, by: .person, path: entry.path, record: name)))
        }
        try commit(outcomes)
    }

    /// Whether a record is what was sent, as far as a file can show it.
    private func isSame(_ sent: SentVersion, as record: Record, _ remote: RemoteEntry) -> Bool {
        let entry = sent.entry
        guard entry.recordType.utf8.elementsEqual(remote.recordType.utf8) else { return false }
        guard let document = sent.document else {
            let file = FileRecord(fields: record.fields)
            return file.sha256 == entry.hash && file.isExecutable == entry.executable
                && file.content?.size == file.size
        }
        // What the server calls the bytes of an asset is known only where both sides agreed on them before.
        let agreed = knowledge.trees.base[entry.name]
        let hasSameAssets = entry.assets.allSatisfy { asset in
            guard let known = agreed?.asset(in: asset.slot) else { return false }
            return known.hash == asset.hash
                && remote.assets.contains {
                    $0.field == asset.field && $0.index == asset.index && $0.checksum == known.checksum
                }
        }
        guard hasSameAssets, remote.assets.count == entry.assets.count else { return false }
        var places: [AssetSlot: FolderPath] = [:]
        for asset in entry.assets { places[asset.slot] = asset.path }
        let rendering = knowledge.rendering(of: record, as: entry.recordType, at: entry.path)
        return rendering.output(current: document, assetPaths: places).bytes == document
    }
}

extension Sending {
    /// The version that the zone has once this is done; `nil` for a deletion.
    fileprivate var version: SentVersion? {
        draft.map { SentVersion(entry: $0.entry(name: name, remote: nil), document: $0.document) }
    }
}

extension BaseEntry {
    /// Notes what a record says of its file and its assets besides their bytes.
    ///
    /// A file record has no field for it. But of a file with the same bytes its time alone is saved where it was put anew, and
    /// never otherwise.
    mutating func note(renewalsIn fields: [String: Field], fileType: String) {
        guard recordType != fileType else {
            if !assets.isEmpty { assets[0].renewal = FileRecord(fields: fields).renewal }
            return
        }
        renewal = RecordHints.renewedTag(of: fields) ?? ""
        let renewals = RecordHints.renewedAssets(of: fields)
        for index in assets.indices {
            assets[index].renewal = renewals[assets[index].slot] ?? ""
        }
    }
}
