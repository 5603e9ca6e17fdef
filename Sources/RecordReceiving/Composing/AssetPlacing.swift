import CloudKitWire
import FolderKnowledge
import RecordMapping
import RecordTrees
import SyncModel

/// Decides for each asset of one record whether its bytes come from staging, from another path of the folder, or stay;
/// and which files the record leaves behind.
///
/// Where both sides edited the record, the merged text decides: a file that this device renamed gets the zone's bytes under
/// its new name, and one that it took out of the record is not brought back.
package struct AssetPlacing {
    struct Placed {
        var written: [Writing.AssetFile] = []
        var carried: [Writing.CarriedAsset] = []
        var kept: [AgreedAsset] = []
        var leftOvers: [Writing.LeftOver] = []
    }

    /// The structured file.
    private let file: FolderPath
    private let base: BaseEntry?
    /// What its new text names; `nil` where that cannot be told.
    private let named: [SyncModel.Attachment]?
    private let namedPaths: Set<FolderPath>
    private let trees: SyncTrees

    init(of file: FolderPath, base: BaseEntry?, named: [SyncModel.Attachment]?, trees: SyncTrees) {
        self.file = file
        self.base = base
        self.named = named
        namedPaths = Set((named ?? []).map(\.path))
        self.trees = trees
    }

    /// - Parameter renewed: Those that count as changed, although their bytes are what both sides agreed on.
    /// - Returns: `nil` where a file is gone that was there when it was decided what to download.
    func place(
        _ assets: [AttachedAsset], files: [AssetSlot: AssetBytes], renewed changed: Set<AssetSlot>
    ) -> Placed? {
        var placed = Placed()
        for asset in assets {
            guard var path = asset.path else { continue }
            let known = base?.asset(in: asset.slot)
            let checksum = asset.asset.fileChecksum ?? ""
            if let known, named != nil, !namedPaths.contains(path) {
                let renamed = newPath(of: known)
                if known.checksum == checksum, !changed.contains(asset.slot) {
                    placed.kept.append(agreed(known, at: renamed ?? known.path))
                    continue
                }
                // Other bytes than this device took out of the record are a file of their own from now on.
                path = renamed ?? path
            }
            let local = version(at: path)
            let isUnchanged = known?.checksum == checksum && !changed.contains(asset.slot)
            let isHere = isUnchanged && path == known?.path && local != nil
            if let bytes = files[asset.slot], !isHere {
                var agreed = AgreedAsset(
                    field: asset.slot.field, index: asset.slot.index, path: path, hash: bytes.hash, checksum: checksum)
                if local?.hash == bytes.hash || placed.puts(bytes.hash, at: path)
                    || isAttachedAsAgreed(path, bytes.hash)
                {
                    agreed.file = placed.puts(bytes.hash, at: path) ? nil : agreedFile(at: path, known)
                    placed.kept.append(agreed)
                    continue
                }
                let keepsCopy = local.map { isEdited($0, at: path) } ?? false
                switch bytes.place {
                case .staging(let file):
                    placed.written.append(
                        Writing.AssetFile(
                            slot: asset.slot, path: path, file: file, hash: bytes.hash, checksum: checksum,
                            replaces: local, keepsCopy: keepsCopy))
                case .folder(let source, let version):
                    guard self.version(at: source)?.stamp == version.stamp else { return nil }
                    placed.carried.append(
                        Writing.CarriedAsset(
                            path: path, source: source, version: version, agreed: agreed, replaces: local,
                            keepsCopy: keepsCopy, isMoved: false))
                }
            } else if let known {
                let agreed = agreed(known, at: path)
                if isHere || local?.hash == known.hash || placed.puts(known.hash, at: path) {
                    placed.kept.append(agreed)
                    continue
                }
                guard let place = trees.place(of: known, namedBy: file), let source = version(at: place) else {
                    return nil
                }
                let isMoved = local == nil && isLeft(place) && !placed.carried.contains { $0.source == place }
                placed.carried.append(
                    Writing.CarriedAsset(
                        path: path, source: place, version: source, agreed: agreed, replaces: local,
                        keepsCopy: local.map { isEdited($0, at: path) } ?? false, isMoved: isMoved))
            }
        }
        let moved = Set(placed.carried.lazy.filter(\.isMoved).map(\.source))
        let namedHere = trees.local[file].map { Set($0.form.attachments.map(\.path)) } ?? []
        for known in base?.assets ?? []
        where !moved.contains(known.path) && !placed.leftOvers.contains(where: { $0.path == known.path }) {
            // What this device edited, or took out of the record and kept, is a file of its own from now on.
            guard namedHere.contains(known.path), isLeft(known.path), let local = version(at: known.path),
                local.hash == known.hash
            else { continue }
            placed.leftOvers.append(Writing.LeftOver(path: known.path, version: local))
        }
        return placed
    }

    /// What both sides agree on of an asset whose bytes stay what they were.
    private func agreed(_ known: AgreedAsset, at path: FolderPath) -> AgreedAsset {
        var agreed = known
        agreed.path = path
        if trees.local[path]?.hash == known.hash {
            agreed.file = agreedFile(at: path, known)
        } else if path != known.path {
            agreed.file = nil
        }
        return agreed
    }

    /// Which file an asset is that stays as it is; `nil` where a person put it there from elsewhere, or may have done so while
    /// nobody looked, which is still to be told.
    private func agreedFile(at path: FolderPath, _ known: AgreedAsset?) -> FileIdentity? {
        let file = trees.local[path]?.stamp.file
        if known?.path == path && known?.file == file { return file }
        return trees.isFromElsewhere(path) || trees.isUnwatched(path) ? nil : file
    }

    private func version(at path: FolderPath) -> LocalVersion? {
        trees.local[path].map { LocalVersion(stamp: $0.stamp, hash: $0.hash) }
    }

    /// Where the new text names a file that this device renamed, with the bytes that both sides agreed on; `nil` where it
    /// has other bytes, or belongs to others too.
    private func newPath(of known: AgreedAsset) -> FolderPath? {
        named?.first { attachment in
            attachment.field == known.field && trees.local[attachment.path]?.hash == known.hash
                && !trees.isAttached(attachment.path, besides: file, of: base?.name)
                && trees.record(at: attachment.path) == nil
        }?.path
    }

    /// Whether nothing has a use for a file that belonged to the record: not even its own new text.
    private func isLeft(_ path: FolderPath) -> Bool {
        named != nil && !namedPaths.contains(path) && trees.isLeft(path, by: base?.name, at: file)
    }

    /// Whether these are the bytes that both sides agreed on for a file of its own that is there. Who attached it took it as it
    /// was, so that what this device wrote to it since is an edit of the asset.
    private func isAttachedAsAgreed(_ path: FolderPath, _ hash: ContentHash) -> Bool {
        guard trees.local[path] != nil, let known = trees.baseRecord(at: path), known.hash == hash else { return false }
        return known.recordType == trees.fileRecordType && !trees.isAgreedAsset(path, besides: known.name)
    }

    /// Whether there is another file where an asset was: a person moved it away, and may have it nowhere else.
    private func isReplaced(_ known: AgreedAsset) -> Bool {
        trees.local[known.path].map { $0.hash != known.hash } ?? false
    }

    /// Whether a file is another record's asset, which went over this one's equal file: it is none of its versions.
    private func isPutOver(_ own: AgreedAsset, by version: LocalVersion) -> Bool {
        // Somebody else did so, and here there is but one of the two.
        if trees.isPutAnew(version.hash, at: own.path, besides: base?.name) { return true }
        guard let file = own.file, file != version.stamp.file else { return false }
        return trees.isNamedAnew(own.path, besides: self.file)
            || trees.isCurrent(version.hash, at: own.path, besides: base?.name, as: version.stamp.file)
    }

    /// Whether a file has bytes that both sides did not agree on, neither as an asset of the record nor as a file record
    /// that the zone has no more, or that another structured file names it with them first. One that it has still is
    /// somebody's file: should the text that names the asset not get to its place, the bytes put there would be taken for an
    /// edit of it.
    private func isEdited(_ version: LocalVersion, at path: FolderPath) -> Bool {
        // The person who put it there may have it nowhere else, though it is equal to the one that was there.
        if trees.isFromElsewhere(path) || trees.baseRecord(at: path)?.standing == .confirmed { return true }
        // Who took it out of another record kept it, whatever becomes of this one's.
        if trees.isBeingTakenOut(path, version.hash, besides: base?.name) { return true }
        let own = base?.assets.first { $0.path == path && $0.hash == version.hash }
        if let own, isPutOver(own, by: version) { return true }
        let hasArrived = trees.provenance[path].arrived == version.hash
        if hasArrived, !trees.isCurrent(version.hash, at: path, besides: base?.name) { return false }
        if own == nil, trees.isNamedAnew(path, besides: file) { return true }
        let known = trees.baseRecord(at: path)
        let isFileOfItsOwn =
            known?.recordType == trees.fileRecordType && known.map { trees.remote[$0.name] != nil } ?? false
        // The zone has it as another record's asset: its own record is gone for that, or it went over to that one.
        let isAnothersNow = trees.isCurrent(version.hash, at: path, besides: base?.name)
        // It may have been the asset before, at another path: now it is more than that.
        if own != nil || !isFileOfItsOwn && !isAnothersNow,
            base?.assets.contains(where: { $0.hash == version.hash && !isReplaced($0) }) ?? false
        {
            return false
        }
        return known?.hash != version.hash || isFileOfItsOwn || isAnothersNow
    }
}

extension AssetPlacing.Placed {
    /// Whether these bytes are put at a path already, for another field that names it too.
    fileprivate func puts(_ hash: ContentHash, at path: FolderPath) -> Bool {
        written.contains { $0.path == path && $0.hash == hash }
            || carried.contains { $0.path == path && $0.agreed.hash == hash }
    }
}

extension SyncTrees {
    /// Where an asset's file is: where both sides agreed that it is, or, with the agreed bytes, where the structured file
    /// names it from now on; `nil` where its bytes are not in the folder.
    func place(of known: AgreedAsset, namedBy file: FolderPath) -> FolderPath? {
        if local[known.path] != nil, !isSucceeded(known) { return known.path }
        return local[file]?.form.attachments.first {
            $0.field == known.field && local[$0.path]?.hash == known.hash
        }?.path
    }
}
