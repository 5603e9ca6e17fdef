import CloudKitWire
import FolderKnowledge
import RecordMapping
import StateStorage
import SyncModel
import SyncPlanning

/// Where the files go that a received record names.
extension FolderSession {
    /// Where assets go that have no path by their author: beside the file under a name that their first bytes call for, or
    /// where they were under a name of another kind. Two fields may name one file, but only while they hold the same bytes.
    func assetPaths(
        _ assets: [AttachedAsset], of receiving: Receiving, files: [AssetSlot: AssetBytes], base: BaseEntry?
    ) -> [AssetSlot: FolderPath] {
        var chosen: [AssetSlot: FolderPath] = [:]
        var holders: [FolderPath: Asset] = [:]
        func isFree(_ path: FolderPath, for asset: Asset) -> Bool {
            guard let holder = holders[path] else { return true }
            return RecordChanges.isSame(.asset(holder), .asset(asset))
        }
        for asset in assets.filter({ $0.path != nil }) + assets.filter({ $0.path == nil }) {
            let slot = asset.slot
            let known = base?.asset(in: slot)
            let firstBytes = files[slot]?.firstBytes
            var path =
                asset.path
                ?? known.flatMap {
                    currentPath(of: $0, as: asset.asset, of: receiving, isNew: firstBytes != nil)
                }
            if let wanted = path, !isFree(wanted, for: asset.asset) { path = nil }
            let place =
                path
                ?? ownPath(of: asset.asset, of: receiving) {
                    AssetNaming.path(beside: $0, field: slot.field, index: slot.index, firstBytes: firstBytes ?? [])
                }
            if place != asset.path { chosen[slot] = place }
            holders[place] = asset.asset
        }
        return chosen
    }

    /// Where an asset stays or comes to that this device knows; `nil` where new bytes decide on its name.
    ///
    /// Every device calls it alike: what this one alone knows of new bytes says nothing, and with its JSON file's name in its
    /// own it is named anew when that changes. Where no author can say where an asset lies, a name may look like that and
    /// be a person's: there it stays, but takes no file record's place.
    private func currentPath(
        of known: AgreedAsset, as asset: Asset, of receiving: Receiving, isNew: Bool
    ) -> FolderPath? {
        guard knowledge.schema.hasHintsField(receiving.entry.recordType) else {
            return isNew && knowledge.trees.isClaimed(known.path, besidesFilesWith: asset.fileChecksum)
                ? nil : known.path
        }
        if isNew { return nil }
        let named = { (file: FolderPath) in
            AssetNaming.path(of: known.path, field: known.field, index: known.index, beside: file)
        }
        return named(receiving.action.path) == nil
            ? known.path : ownPath(of: asset, of: receiving) { named($0) ?? known.path }
    }

    /// The first name of an asset without one of its own that no other record has a use for: with its file's name in it, or
    /// else with what the file would be called if it had to give way.
    private func ownPath(
        of asset: Asset, of receiving: Receiving, naming name: (FolderPath) -> FolderPath
    ) -> FolderPath {
        let (file, record) = (receiving.action.path, receiving.entry.name)
        let places = [file] + knowledge.trees.claims.places(of: record, beside: file).prefix(4)
        return places.lazy.map(name).first { path in
            isFree(path, for: asset.fileChecksum, of: record, at: file)
                && (receiving.namedBeside[path] ?? []).allSatisfy {
                    $0.record == record || RecordChanges.isSame(.asset($0.asset), .asset(asset))
                }
        } ?? name(file)
    }

    /// What the records of a chunk call their assets, for those of others that have no name.
    func namedAssets(_ receivings: [Receiving]) -> NamedAssets {
        var named: NamedAssets = [:]
        for receiving in receivings
        where receiving.entry.recordType != knowledge.paths.fileType && !receiving.entry.assets.isEmpty {
            let rendering = rendering(
                of: receiving.record, as: receiving.entry.recordType, at: receiving.action.path)
            for asset in rendering.assets {
                guard let path = asset.path else { continue }
                named[path, default: []].append((receiving.entry.name, asset.asset))
            }
        }
        return named
    }

    /// Whether a record says of an asset that somebody put it anew, and this device neither knows that nor did it itself.
    func isNews(_ renewal: String?, of known: AgreedAsset, in name: RecordName) -> Bool {
        guard let renewal, renewal != known.renewal else { return false }
        return !knowledge.unanswered(name).contains { version in
            version.entry.assets.contains {
                $0.slot == known.slot && $0.renewal == renewal
            }
        }
    }

    /// Stores what was received, and remembers which files it let go as assets.
    func commit(received outcomes: [Outcome]) throws {
        let released = outcomes.flatMap(assetsReleased)
        try commit(outcomes)
        for asset in released
        where knowledge.trees.local[asset.path] != nil && knowledge.trees.baseRecord(at: asset.path) == nil {
            knowledge.noteLetGo(asset)
        }
    }

    /// The assets that a received record has no more where they were, while the file here still named them: nobody here took
    /// them out of it.
    private func assetsReleased(by outcome: Outcome) -> [AgreedAsset] {
        let (name, after): (RecordName, [AgreedAsset])
        switch outcome.base {
        case .unchanged: return []
        case .agreed(let entry, _): (name, after) = (entry.name, entry.assets)
        case .removed(let removed): (name, after) = (removed, [])
        }
        guard let base = knowledge.trees.base[name], base.recordType != knowledge.paths.fileType,
            let named = knowledge.trees.local[base.path]?.form.attachments
        else { return [] }
        return base.assets.filter { asset in
            named.contains { $0.path == asset.path } && !after.contains { $0.path == asset.path }
                && !knowledge.trees.isFromElsewhere(asset.path)
        }
    }

    /// The files that a structured file names, as the mapping reads it; `nil` where it cannot.
    func attachments(named document: [UInt8], of receiving: Receiving) -> [SyncModel.Attachment]? {
        let path = receiving.action.path
        guard
            case .structured(let type, let parsed) = StructuredFile.classify(document, at: path, paths: knowledge.paths),
            let draft = try? StructuredDraft(
                document: parsed, recordType: type, file: path, remote: receiving.record.fields,
                context: knowledge.mappingContext())
        else { return nil }
        return draft.attachments.map {
            SyncModel.Attachment(field: $0.slot.field, index: $0.slot.index, path: $0.path)
        }
    }

    /// Leaves out the file records of a chunk at whose paths other records of it have assets from now on: put there as well,
    /// their bytes would be taken for an edit of the asset. Where they are shown is planned anew.
    func leaveOutAttachedFiles(_ writings: inout [Writing]) {
        let attached = Set(writings.filter { $0.document != nil }.flatMap(\.assetPaths))
        writings.removeAll { writing in
            guard writing.document == nil, attached.contains(writing.path) else { return false }
            superseded(writing.receiving.action)
            return true
        }
    }

    /// Leaves out the records of a chunk whose bytes go over a file that another one of it comes to have, or says to be put
    /// there: it gets a conflict copy once that one is known.
    func leaveOutWhatGoesOverKeptAssets(_ writings: inout [Writing]) {
        var keepers: [FolderPath: Set<RecordName>] = [:]
        for writing in writings where !writing.keptAssets.isEmpty {
            let name = writing.receiving.entry.name
            let agreed = knowledge.trees.base[name]?.assets ?? []
            let renewals = RecordHints.renewedAssets(of: writing.receiving.record.fields)
            for asset in writing.keptAssets {
                let isKnown = agreed.contains { $0.path == asset.path && $0.hash == asset.hash }
                if !isKnown || renewals[asset.slot] != nil { keepers[asset.path, default: []].insert(name) }
            }
        }
        guard !keepers.isEmpty else { return }
        // Of two that would wait for each other, one goes on.
        var leftOut: Set<RecordName> = []
        writings.removeAll { writing in
            let name = writing.receiving.entry.name
            let paths = writing.assets.map(\.path) + writing.carriedAssets.map(\.path)
            let others = paths.reduce(into: Set()) { $0.formUnion(keepers[$1] ?? []) }.subtracting(leftOut)
            guard others.contains(where: { $0 != name }) else { return false }
            leftOut.insert(name)
            superseded(writing.receiving.action)
            return true
        }
    }

    /// Keeps a file where it is that one record of a chunk leaves and another one of it names from now on.
    func settleSharedFiles(_ writings: inout [Writing]) {
        guard writings.contains(where: { !$0.carriedAssets.isEmpty || !$0.leftOvers.isEmpty }) else { return }
        let kept = Set(writings.flatMap { $0.keptAssets.map(\.path) })
        for index in writings.indices {
            for asset in writings[index].carriedAssets.indices
            where kept.contains(writings[index].carriedAssets[asset].source) {
                writings[index].carriedAssets[asset].isMoved = false
            }
            writings[index].leftOvers.removeAll { kept.contains($0.path) }
        }
    }
}
