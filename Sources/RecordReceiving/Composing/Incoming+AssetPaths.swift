import CloudKitWire
import FileCustody
import FolderKnowledge
import RecordMapping
import RecordPaths
import RecordTrees
import StateRows
package import SyncModel

/// Where the files go that a received record names.
extension Incoming {
    /// Where assets go that have no path by their author: beside the file under a name that their first bytes call for, or
    /// where they were under a name of another kind. Two fields may name one file, but only while they hold the same bytes.
    func assetPaths(
        _ assets: [AttachedAsset], of receiving: Receiving, files: [AssetSlot: AssetBytes], base: BaseEntry?
    ) -> [AssetSlot: FolderPath] {
        var chosen: [AssetSlot: FolderPath] = [:]
        var holders: [FolderPath: Asset] = [:]
        func isFree(_ path: FolderPath, for asset: Asset) -> Bool {
            guard let holder = holders[path] else { return isGiven(path, to: receiving, base: base) }
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

    /// Whether a record may have its asset at a path. Whoever may write one record alone is given no file of others by it: its bytes
    /// would take that file's place, and what is written there afterwards would be sent to them.
    private func isGiven(_ path: FolderPath, to receiving: Receiving, base: BaseEntry?) -> Bool {
        let record = receiving.record
        let author = knowledge.author(user: record.modified?.userRecordName, device: record.modified?.deviceID)
        guard case .other = author, record.isSharedAlone, !knowledge.isShared,
            !(base?.assets.contains { $0.path == path } ?? false)
        else { return true }
        let custody = trees.custody(of: path)
        return custody.file == nil && custody.shownRecord == nil
            && !custody.isAttached(besides: receiving.action.path, of: receiving.entry.name)
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
            return isNew && trees.custody(of: known.path).isClaimed(besidesFilesWith: asset.fileChecksum)
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
        let places = [file] + trees.claims.places(of: record, beside: file).prefix(4)
        return places.lazy.map(name).first { path in
            trees.custody(of: path).isFree(for: asset.fileChecksum, of: record, at: file)
                && (receiving.namedBeside[path] ?? []).allSatisfy {
                    $0.record == record || RecordChanges.isSame(.asset($0.asset), .asset(asset))
                }
        } ?? name(file)
    }

    /// What the records of a chunk call their assets, for those of others that have no name.
    package func namedAssets(_ receivings: [Receiving]) -> NamedAssets {
        var named: NamedAssets = [:]
        for receiving in receivings
        where receiving.entry.recordType != knowledge.fileType && !receiving.entry.assets.isEmpty {
            let rendering = knowledge.rendering(
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

    /// The files that a structured file names, as the mapping reads it; `nil` where it cannot.
    package func attachments(named document: [UInt8], of receiving: Receiving) -> [SyncModel.Attachment]? {
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
}
