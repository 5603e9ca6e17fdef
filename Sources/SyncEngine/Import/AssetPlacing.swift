import CloudKitWire
import RecordMapping
import SyncModel
import SyncPlanning

/// Decides for each asset of one record whether its bytes come from staging, from another path of the folder, or stay;
/// and which files the record leaves behind.
struct AssetPlacing {
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
    private let named: Set<FolderPath>?
    private let trees: SyncTrees

    init(of file: FolderPath, base: BaseEntry?, named: Set<FolderPath>?, trees: SyncTrees) {
        self.file = file
        self.base = base
        self.named = named
        self.trees = trees
    }

    /// - Returns: `nil` where a file is gone that was there when it was decided what to download.
    func place(_ assets: [AttachedAsset], files: [AssetSlot: Downloaded]) -> Placed? {
        var placed = Placed()
        for asset in assets {
            guard let path = asset.path else { continue }
            let known = base?.assets.first { $0.field == asset.slot.field && $0.index == asset.slot.index }
            let checksum = asset.asset.fileChecksum ?? ""
            let local = version(at: path)
            if let file = files[asset.slot] {
                if local?.hash == file.hash || placed.puts(file.hash, at: path) {
                    placed.kept.append(
                        AgreedAsset(
                            field: asset.slot.field, index: asset.slot.index, path: path, hash: file.hash,
                            checksum: checksum))
                    continue
                }
                placed.written.append(
                    Writing.AssetFile(
                        slot: asset.slot, path: path, file: file.file, hash: file.hash, checksum: checksum,
                        replaces: local, keepsCopy: local.map { isEdited($0, at: path) } ?? false))
            } else if let known {
                var agreed = known
                agreed.path = path
                if path == known.path || local?.hash == known.hash || placed.puts(known.hash, at: path) {
                    placed.kept.append(agreed)
                    continue
                }
                guard let source = version(at: known.path) else { return nil }
                let isMoved =
                    local == nil && isLeft(known.path) && !placed.carried.contains { $0.source == known.path }
                placed.carried.append(
                    Writing.CarriedAsset(
                        path: path, source: known.path, version: source, agreed: agreed, replaces: local,
                        keepsCopy: local.map { isEdited($0, at: path) } ?? false, isMoved: isMoved))
            }
        }
        let moved = Set(placed.carried.lazy.filter(\.isMoved).map(\.source))
        for known in base?.assets ?? []
        where !moved.contains(known.path) && !placed.leftOvers.contains(where: { $0.path == known.path }) {
            // What this device edited is a file of its own from now on.
            guard isLeft(known.path), let local = version(at: known.path), local.hash == known.hash else { continue }
            placed.leftOvers.append(Writing.LeftOver(path: known.path, version: local))
        }
        return placed
    }

    private func version(at path: FolderPath) -> LocalVersion? {
        trees.local[path].map { LocalVersion(stamp: $0.stamp, hash: $0.hash) }
    }

    /// Whether nothing has a use for a file that belonged to the record: neither its text, nor another one's, nor a record
    /// of its own.
    private func isLeft(_ path: FolderPath) -> Bool {
        guard let named else { return false }
        return !named.contains(path) && !trees.isAttached(path, besides: file, of: base?.name)
            && trees.record(at: path) == nil
    }

    /// Whether a file has bytes that both sides did not agree on, neither as an asset of the record nor as a file record.
    private func isEdited(_ version: LocalVersion, at path: FolderPath) -> Bool {
        let isAsset = base?.assets.contains { $0.hash == version.hash } ?? false
        return !isAsset && trees.baseRecord(at: path)?.hash != version.hash
    }
}

extension AssetPlacing.Placed {
    /// Whether these bytes are put at a path already, for another field that names it too.
    fileprivate func puts(_ hash: ContentHash, at path: FolderPath) -> Bool {
        written.contains { $0.path == path && $0.hash == hash }
            || carried.contains { $0.path == path && $0.agreed.hash == hash }
    }
}
