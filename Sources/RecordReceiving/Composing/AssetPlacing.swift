import CloudKitWire
import FileCustody
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
        /// Those that this text names no more, whoever else has a use for the file.
        var given: [AgreedAsset] = []
        /// The records for which alone files are copied first, and that may be about to go.
        var awaited: Set<RecordName> = []
    }

    /// The structured file.
    private let file: FolderPath
    private let base: BaseEntry?
    /// What its new text names; `nil` where that cannot be told.
    private let named: [SyncModel.Attachment]?
    private let namedPaths: Set<FolderPath>
    /// What was sent of the record without an answer.
    private let sent: [BaseEntry]
    private let trees: SyncTrees

    init(
        of file: FolderPath, base: BaseEntry?, named: [SyncModel.Attachment]?, sent: [BaseEntry] = [], trees: SyncTrees
    ) {
        self.file = file
        self.base = base
        self.named = named
        self.sent = sent
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
                let isAwaited =
                    trees.custody(of: known.path).isAwaited(known.hash) && trees.place(of: known, namedBy: file) == nil
                if known.checksum == checksum, !changed.contains(asset.slot), !isAwaited {
                    placed.kept.append(agreed(known, at: renamed ?? known.path))
                    continue
                }
                // Other bytes than this device took out of the record are a file of their own from now on, as are those that
                // were not here to be taken out.
                path = renamed ?? files[asset.slot].map { place(of: $0.hash, checksum, beside: path) } ?? path
            }
            let local = version(at: path)
            let isUnchanged = known?.checksum == checksum && !changed.contains(asset.slot)
            let isHere = isUnchanged && local != nil && known.map { isKept($0, at: path) } ?? false
            if let bytes = files[asset.slot], !isHere {
                var agreed = AgreedAsset(
                    field: asset.slot.field, index: asset.slot.index, path: path, hash: bytes.hash, checksum: checksum)
                if local?.hash == bytes.hash || placed.puts(bytes.hash, at: path)
                    || trees.custody(of: path).isAttachedAsAgreed(bytes.hash)
                {
                    agreed.file =
                        placed.puts(bytes.hash, at: path) ? nil : trees.custody(of: path).agreedFile(as: known)
                    placed.kept.append(agreed)
                    continue
                }
                let keepsCopy = isCopied(at: path, noting: &placed)
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
                        keepsCopy: isCopied(at: path, noting: &placed), isMoved: isMoved))
            }
        }
        let moved = Set(placed.carried.lazy.filter(\.isMoved).map(\.source))
        let namedHere = trees.local[file].map { Set($0.form.attachments.map(\.path)) } ?? []
        let isTextMoved = base.map { $0.path == file && trees.isTextMoved(of: $0) } ?? false
        for known in base?.assets ?? []
        where !moved.contains(known.path) && !placed.leftOvers.contains(where: { $0.path == known.path }) {
            // What this device edited, or took out of the record and kept, is a file of its own from now on.
            guard named != nil, !namedPaths.contains(known.path), namedHere.contains(known.path) || isTextMoved,
                let local = version(at: known.path), local.hash == known.hash
            else { continue }
            guard trees.custody(of: known.path).goesToHistory(with: known, of: base?.name, at: file) else {
                placed.given.append(known)
                continue
            }
            placed.leftOvers.append(Writing.LeftOver(path: known.path, version: local))
        }
        return placed
    }

    /// What both sides agree on of an asset whose bytes stay what they were.
    private func agreed(_ known: AgreedAsset, at path: FolderPath) -> AgreedAsset {
        var agreed = known
        agreed.path = path
        if trees.local[path]?.hash == known.hash {
            agreed.file = trees.custody(of: path).agreedFile(as: known)
        } else if path != known.path {
            agreed.file = nil
        }
        return agreed
    }

    /// Whether what is at an asset's path stays there, be it an edit of the asset.
    private func isKept(_ known: AgreedAsset, at path: FolderPath) -> Bool {
        path == known.path && !trees.custody(of: path).isRemnant(over: known)
    }

    private func version(at path: FolderPath) -> LocalVersion? {
        trees.local[path].map { LocalVersion(stamp: $0.stamp, hash: $0.hash) }
    }

    /// Where the new text names a file that this device renamed, with the bytes that both sides agreed on; `nil` where it
    /// has other bytes, or belongs to others too.
    private func newPath(of known: AgreedAsset) -> FolderPath? {
        named?.first { attachment in
            attachment.field == known.field && trees.local[attachment.path]?.hash == known.hash
                && isUnused(attachment.path)
        }?.path
    }

    /// Where bytes go that no text here names: not over a file with a record of its own, of which they would seem to be an edit.
    private func place(of hash: ContentHash, _ checksum: String, beside path: FolderPath) -> FolderPath {
        let custody = trees.custody(of: path)
        guard let record = base?.name, custody.isKeptAsItsOwn, custody.file?.hash != hash else { return path }
        return trees.claims.places(of: record, beside: path).prefix(4).first { place in
            let custody = trees.custody(of: place)
            return custody.file == nil && custody.isFree(for: checksum, of: record, at: file)
        } ?? path
    }

    /// Whether no other record has a use for a file.
    private func isUnused(_ path: FolderPath) -> Bool {
        let custody = trees.custody(of: path)
        return !custody.isAttached(besides: file, of: base?.name) && custody.shownRecord == nil
    }

    /// Whether nothing has a use for a file that belonged to the record: not even its own new text.
    private func isLeft(_ path: FolderPath) -> Bool {
        named != nil && !namedPaths.contains(path) && trees.custody(of: path).isLeft(by: base?.name, at: file)
    }

    /// Whether what is at a path has to be copied before the record's bytes go there.
    /// - Parameter placed: Gets the records for which alone that is so.
    private func isCopied(at path: FolderPath, noting placed: inout Placed) -> Bool {
        let custody = trees.custody(of: path)
        if isCopiedAnyway(custody) { return true }
        guard custody.isCopied(beforeAssetOf: base, at: file, hasBytesElsewhere: hasElsewhere(custody)) else {
            return false
        }
        placed.awaited.formUnion(recordsToGo(custody))
        return true
    }

    /// The records for which alone what is at a path has to be copied before the record's bytes go there.
    func recordsToGo(from path: FolderPath) -> Set<RecordName> {
        guard trees.local[path] != nil else { return [] }
        let custody = trees.custody(of: path)
        let isCopied = custody.isCopied(beforeAssetOf: base, at: file, hasBytesElsewhere: hasElsewhere(custody))
        return isCopied && !isCopiedAnyway(custody) ? recordsToGo(custody) : []
    }

    private func recordsToGo(_ custody: Custody) -> Set<RecordName> {
        custody.recordsToGo(beforeAssetOf: base, at: file, hasBytesElsewhere: hasElsewhere(custody))
    }

    /// Whether a file is copied, whoever has it.
    private func isCopiedAnyway(_ custody: Custody) -> Bool {
        if let file = custody.file, trees.isTakenOutElsewhere(file, besides: base?.name) { return true }
        return isPutBack(custody.file, at: custody.path)
    }

    /// Whether the record has an asset with a file's bytes, where nothing else has taken its place.
    private func hasElsewhere(_ custody: Custody) -> Bool {
        base?.assets.contains { $0.hash == custody.file?.hash && !isReplaced($0) } ?? false
    }

    /// Whether a file is as both sides agreed on it for an asset, of which other bytes were sent since: that is an edit as well.
    private func isPutBack(_ file: LocalEntry?, at path: FolderPath) -> Bool {
        guard let file, base?.assets.contains(where: { $0.path == path && $0.hash == file.hash }) ?? false else {
            return false
        }
        return sent.contains { $0.assets.contains { $0.path == path && $0.hash != file.hash } }
    }

    /// Whether there is another file where an asset was: a person moved it away, and may have it nowhere else.
    private func isReplaced(_ known: AgreedAsset) -> Bool {
        trees.local[known.path].map { $0.hash != known.hash } ?? false
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
        if local[known.path] != nil, !custody(of: known.path).isSucceeded(known) { return known.path }
        return local[file]?.form.attachments.first {
            $0.field == known.field && local[$0.path]?.hash == known.hash
        }?.path
    }
}
