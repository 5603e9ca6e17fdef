import CloudKitWire
import RecordMapping
import StateStorage
import SyncModel
import SyncPlanning

/// Lost answers. What goes out is remembered first, durably: when the server turns out to have taken it, this device
/// knows its own version again, also after a crash, and a further edit is one on top of it and no conflict.
extension FolderSession {
    /// Remembers what is about to be sent. Nothing may be sent where this throws.
    func noteSent(_ sendings: [Sending]) throws {
        var versions: [SentVersion] = []
        for sending in sendings {
            guard let draft = sending.draft else { continue }
            let version = SentVersion(
                entry: draft.entry(name: sending.name, remote: nil), document: draft.document)
            versions.append(version)
            unanswered.note(version)
        }
        try environment.store.noteSent(versions)
    }

    /// Forgets a version that the server surely has not, because it refused it or never got it.
    func forgetSent(_ sending: Sending) throws {
        guard let hash = sending.draft?.version.hash, unanswered.forget(hash, of: sending.name) else { return }
        try environment.store.forgetSent(sending.name, hash: hash)
    }

    /// Takes those records as agreed on that are in the zone just as this device sent them, and forgets what was sent of
    /// those that the zone has unchanged: the next one to save the same may be another device.
    /// - Parameter names: Of the records that were asked for since they were sent; `nil` for all.
    func recognizeSent(_ names: [RecordName]? = nil) throws {
        guard !unanswered.isEmpty else { return }
        var outcomes: [Outcome] = []
        for name in unanswered.names where names?.contains(name) ?? true {
            let versions = unanswered[name]
            let row = try environment.store.remoteRow(name)
            guard row?.entry.changeTag != trees.base[name]?.changeTag else {
                for version in versions { try environment.store.forgetSent(name, hash: version.entry.hash) }
                unanswered.forget(name)
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
            entry.note(renewalsIn: record.fields, fileType: paths.fileType)
            // Where what was sent is equal to what was there, it may be another device's version that is there now.
            if let base = trees.base[name], base.isRenewed, base.hash == entry.hash { entry.standing = base.standing }
            outcomes.append(
                Outcome(
                    base: .agreed(entry, document: sent.document),
                    change: journal(JournalEntry.sent, by: .person, path: entry.path, record: name)))
        }
        try commit(outcomes)
        for case .agreed(let entry, _) in outcomes.map(\.base) { unanswered.forget(entry.name) }
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
        let agreed = trees.base[entry.name]
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
        let rendering = rendering(of: record, as: entry.recordType, at: entry.path)
        return rendering.output(current: document, assetPaths: places).bytes == document
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
