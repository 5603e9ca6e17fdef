package import CloudKitWire
import RecordMapping
import RecordTrees
import StateRows
package import SyncModel

/// What was sent of a record without an answer, seen beside what the zone has of it.
extension Knowledge {
    /// What both sides agree on of a record's assets. Where the zone has other bytes by now, and this device sent them, those:
    /// what this device makes of the file since is an edit on top of them, and they are no other side's.
    /// - Parameter record: As the zone has it.
    package func agreedAssets(of name: RecordName, in record: Record) -> [AgreedAsset] {
        var agreed = trees.base[name]?.assets ?? []
        let sent = unanswered(name)
        guard !sent.isEmpty, !agreed.isEmpty else { return agreed }
        let assets = record.assets
        for index in agreed.indices {
            let slot = agreed[index].slot
            guard let asset = assets[slot], asset.fileChecksum != agreed[index].checksum else { continue }
            let witnesses = witnesses(of: asset, in: record)
            guard let own = sent.last(where: { $0.entry.asset(in: slot).map { witnesses.areOf($0.hash) } ?? false })
            else { continue }
            agreed[index] = own.entry.asset(in: slot)!
            agreed[index].checksum = asset.fileChecksum ?? ""
        }
        return agreed
    }

    /// Whether an asset of a record has just these bytes, as far as the record tells.
    package func isOf(_ hash: ContentHash, _ asset: Asset, in record: Record) -> Bool {
        witnesses(of: asset, in: record).areOf(hash)
    }

    /// Whether something else was sent of a record than a file's bytes are, so that these are an edit of what the zone may have,
    /// although they are what both sides agreed on.
    package func isPutBack(_ hash: ContentHash, of name: RecordName) -> Bool {
        unanswered(name).contains { $0.entry.hash != hash }
    }

    /// The `sha256` of a file record is none of them: other programs change its content alone.
    private func witnesses(of asset: Asset, in record: Record) -> AssetWitnesses {
        AssetWitnesses(of: asset, hints: RecordHints(of: record.fields))
    }
}
