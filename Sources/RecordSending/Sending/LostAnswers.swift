import CloudKitWire
package import FolderKnowledge
import RecordMapping
import RecordTrees
package import StateRows
package import SyncModel
import WireCoding

/// Which of the versions that were sent without an answer the zone has.
package struct LostAnswers {
    private let knowledge: Knowledge

    package init(_ knowledge: Knowledge) { self.knowledge = knowledge }

    /// - Parameter names: Of the records that were asked for since they were sent; `nil` for all.
    /// - Returns: The versions that the zone has, as both sides agree on them, and the records that it has as before. Of others
    ///   it has what somebody else sent.
    package func recognized(_ names: [RecordName]?) throws -> (taken: [SentVersion], unchanged: [RecordName]) {
        var taken: [SentVersion] = []
        var unchanged: [RecordName] = []
        for name in knowledge.unansweredNames where names?.contains(name) ?? true {
            let base = knowledge.trees.base[name]
            let row = try knowledge.remoteRow(named: name)
            guard row?.entry.changeTag != base?.changeTag else {
                unchanged.append(name)
                continue
            }
            guard let row else { continue }
            let record = try Record.decode(row.record)
            guard let sent = knowledge.unanswered(name).last(where: { isSame($0, as: record, row.entry) }) else {
                continue
            }
            var entry = sent.entry
            entry.changeTag = row.entry.changeTag
            entry.createdMilliseconds = row.entry.createdMilliseconds
            for index in entry.assets.indices {
                let asset = entry.assets[index]
                entry.assets[index].checksum =
                    row.entry.assets.first { $0.field == asset.field && $0.index == asset.index }?.checksum ?? ""
            }
            entry.note(renewalsIn: record.fields, fileType: knowledge.fileType)
            // Where what was sent is equal to what was there, it may be another device's version that is there now.
            if let base, base.isRenewed, base.hash == entry.hash { entry.standing = base.standing }
            taken.append(SentVersion(entry: entry, document: sent.document))
        }
        return (taken, unchanged)
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
        let assets = record.assets
        guard assets.count == entry.assets.count,
            entry.assets.allSatisfy({ asset in assets[asset.slot].map { isOf(asset, $0, record) } ?? false })
        else { return false }
        var places: [AssetSlot: FolderPath] = [:]
        for asset in entry.assets { places[asset.slot] = asset.path }
        let rendering = knowledge.rendering(of: record, as: entry.recordType, at: entry.path)
        return rendering.output(current: document, assetPaths: places).bytes == document
    }

    /// Whether the zone has the bytes of an asset that was sent: by the server's name for them, where both sides agreed on them
    /// before, or by what the record tells of them.
    private func isOf(_ sent: AgreedAsset, _ asset: Asset, _ record: Record) -> Bool {
        let known = knowledge.trees.base[RecordName(record.recordName ?? "")]?.asset(in: sent.slot)
        if let known, known.hash == sent.hash, known.checksum == asset.fileChecksum { return true }
        return knowledge.isOf(sent.hash, asset, in: record)
    }
}
