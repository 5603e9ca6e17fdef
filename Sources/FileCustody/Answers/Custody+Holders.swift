package import SyncModel

/// Who has the file, and as what.
extension Custody {
    /// Whether a structured file names it as an asset.
    package var isAttached: Bool { !texts.isEmpty }

    /// The records whose structured files name it.
    package var namingRecords: [BaseEntry] { texts.compactMap(\.record) }

    /// The record whose file is here, or was when both sides last agreed.
    package var ownHolder: OwnHolder? { ownHolders.first(where: \.isBound) ?? ownHolders.first }

    /// A record that has it as its own.
    package func ownHolder(_ name: RecordName) -> OwnHolder? { ownHolders.first { $0.record.name == name } }

    /// The record that is shown here: the one whose file it is, or else the zone's.
    package var shownRecord: RecordName? {
        if let name = ownHolder?.record.name { return name }
        return claims.first.flatMap { isShown($0) ? $0.zone.name : nil }
    }

    /// The record whose text is here and names a file that is gone, while the zone has that file as its asset still: nobody told
    /// the zone that it is gone, and nothing brings it here again. `nil` where there is none.
    package var recordMissingFile: BaseEntry? {
        guard file == nil else { return nil }
        return texts.first { text in
            text.isBound
                && assetHolders.contains { holder in
                    holder.record.name == text.record?.name
                        && holder.record.assets.contains { $0.path == path && holder.isCurrent($0) }
                }
        }?.record
    }

    /// What both sides agree on of the asset that the file is, with nothing on its way that would change it.
    package var agreedAsset: AgreedAsset? {
        texts.lazy.filter(\.isCurrent).compactMap { $0.asset(at: path) }.first
    }

    /// Whether both sides agree that it is an asset of other records than this one: if their texts do not name it here any
    /// more, a person took it out, and it is a file of its own from now on.
    package func isAgreedAsset(besides name: RecordName? = nil) -> Bool {
        assetHolders.contains { $0.record.name != name }
    }

    /// Whether it has the bytes that both sides agree on for it as an asset.
    package var isAsAgreedAsset: Bool {
        guard let file else { return false }
        return assetHolders.contains { $0.hasAsset(file.hash, at: path) }
    }

    /// The records that had it as an asset when both sides last agreed, and whose own files cannot say now whether it still is
    /// one. It is no file of its own before they can, or their records are deleted.
    package var silentHolders: [RecordName] { assetHolders.filter(\.isSilent).map(\.record.name) }

    /// Whether it is an asset of other records than this one, or may be: a structured file names it, or one did that is broken
    /// or gone now.
    /// - Parameter text: The structured file of this record.
    package func isAttached(besides text: FolderPath, of name: RecordName?) -> Bool {
        texts.contains { $0.path != text } || isSilentlyAttached(besides: name)
    }

    /// The same with other bytes than these.
    package func isAttached(
        besides text: FolderPath, of name: RecordName?, asOtherThan checksum: String?
    ) -> Bool {
        guard let checksum, !isSilentlyAttached(besides: name) else { return isAttached(besides: text, of: name) }
        return texts.contains { other in
            other.path != text
                && !(other.record?.assets.contains {
                    $0.path == path && $0.checksum == checksum && $0.hash == file?.hash
                } ?? false)
        }
    }

    private func isSilentlyAttached(besides name: RecordName?) -> Bool {
        assetHolders.contains { $0.isSilent && $0.record.name != name }
    }

    /// Whether another structured file than this one names it with bytes that the zone does not know it with.
    package func isNamedAnew(besides text: FolderPath) -> Bool {
        texts.contains { other in
            other.path != text
                && !(other.record?.assets.contains { $0.path == path && $0.hash == file?.hash } ?? false)
        }
    }

    /// Whether no other record has a use for the path, unless with these bytes. A file record with the same bytes is in nobody's
    /// way: a start after a crash may have taken the asset itself for a file, before it came to the file that names it.
    package func isFree(for checksum: String?, of name: RecordName, at text: FolderPath) -> Bool {
        !isAttached(besides: text, of: name, asOtherThan: checksum) && !isClaimed(besidesFilesWith: checksum)
    }

    /// Whether records claim the path, other than those of files with these very bytes, which are not shown beside an asset.
    package func isClaimed(besidesFilesWith checksum: String?) -> Bool {
        claims.contains { claim in
            guard let checksum, claim.isFileRecord else { return true }
            return claim.checksum != checksum
        }
    }

    /// Whether the zone has these bytes as an asset of another record here.
    /// - Parameter identity: The file that both sides agreed on for it; any where `nil`.
    package func isCurrent(
        _ hash: ContentHash, besides name: RecordName?, as identity: FileIdentity? = nil
    ) -> Bool {
        hasCurrentAsset(hash, besides: name) { identity == nil || $0.file == identity }
    }

    /// Whether the zone has these bytes as an asset of another record here, of which it says that somebody put it there in the
    /// place of an equal one.
    package func isPutAnew(_ hash: ContentHash, besides name: RecordName?) -> Bool {
        hasCurrentAsset(hash, besides: name) { !$0.renewal.isEmpty }
    }

    private func hasCurrentAsset(
        _ hash: ContentHash, besides name: RecordName?, where isMeant: (AgreedAsset) -> Bool
    ) -> Bool {
        assetHolders.contains { holder in
            holder.record.name != name
                && holder.record.assets.contains { asset in
                    asset.path == path && asset.hash == hash && isMeant(asset) && holder.isCurrent(asset)
                }
        }
    }

    /// Whether a person took it out of a record, with the bytes that it was agreed on with, and the zone does not know it yet.
    /// - Parameter name: A record that is not asked about.
    package func isBeingTakenOut(_ hash: ContentHash, besides name: RecordName?) -> Bool {
        assetHolders.contains { holder in
            guard holder.record.name != name, let text = holder.text, text.hash != holder.record.hash,
                holder.hasAsset(hash, at: path)
            else { return false }
            return !text.form.attachments.contains { $0.path == path }
        }
    }

    /// Whether the file where an asset was is somebody else's by now, that came there with other bytes: one of its own, or
    /// another record's asset.
    package func isSucceeded(_ known: AgreedAsset) -> Bool {
        if provenance.overwritten.contains(known.hash) { return true }
        if let own = ownHolder, own.isFileRecord, own.record.hash != known.hash, own.zone != nil { return true }
        if claims.contains(where: { isArrived($0, besides: known) }) { return true }
        return assetHolders.contains { holder in
            holder.record.assets.contains { $0.path == path && $0.hash != known.hash }
        }
    }

    /// Whether the file is likely what a new file record of the zone brought here before a crash: it has neither the bytes of
    /// the asset nor another size than that one's. If it is a person's after all, it is kept beside what the zone has.
    private func isArrived(_ claim: PathClaim, besides known: AgreedAsset) -> Bool {
        guard let file, file.hash != known.hash, claim.isFileRecord, claim.isHolder, claim.record == nil else {
            return false
        }
        return claim.zone.assets.contains { $0.size == file.stamp.size }
    }
}
