import FileCustody
package import FolderKnowledge
import RecordMapping
import RecordPaths
import RecordTrees
package import StateRows
package import SyncModel

/// Assets that nobody named, and what else comes to their names or leaves them.
///
/// Which name such an asset has depends on what other records are called, and on nothing else: not on who was there first,
/// nor on what a device happened to see in between.
package struct UnnamedAssets {
    private let knowledge: Knowledge

    package init(_ knowledge: Knowledge) { self.knowledge = knowledge }

    /// A file of a record: as its own, or as its asset.
    package struct HeldFile: Hashable {
        package let path: FolderPath
        let checksum: String
    }

    /// What the records of some outcomes hold now.
    package func heldFiles(_ outcomes: [Outcome]) -> Set<HeldFile> {
        let trees = knowledge.trees
        var held: Set<HeldFile> = []
        for outcome in outcomes {
            let name: RecordName
            switch outcome.base {
            case .unchanged, .partial: continue
            case .agreed(let entry, _): name = entry.name
            case .removed(let removed): name = removed
            }
            guard let base = trees.base[name] else { continue }
            for asset in base.assets { held.insert(HeldFile(path: asset.path, checksum: asset.checksum)) }
        }
        return held
    }

    /// The records whose assets can take names now that are free for them: received once more, they come to them.
    /// - Parameter paths: Where something came, went, or has other bytes.
    package func takingFreedNames(at paths: Set<FolderPath>) throws -> [BaseEntry] {
        var again: [RecordName: BaseEntry] = [:]
        for path in paths {
            for file in AssetNaming.files(naming: path) {
                guard let owner = knowledge.trees.baseRecord(at: file),
                    knowledge.schema.hasHintsField(owner.recordType),
                    try owner.assets.contains(where: { try canBeCalled(path, $0, of: owner) })
                else { continue }
                again[owner.name] = owner
            }
        }
        return Array(again.values)
    }

    /// Whether this is the first name of an asset that has another one, which nobody gave it.
    private func canBeCalled(_ path: FolderPath, _ asset: AgreedAsset, of owner: BaseEntry) throws -> Bool {
        guard asset.path != path,
            AssetNaming.path(of: asset.path, field: asset.field, index: asset.index, beside: owner.path) == path,
            knowledge.trees.custody(of: path).isFree(for: asset.checksum, of: owner.name, at: owner.path)
        else { return false }
        // A new file there gets a record of its own.
        if let local = knowledge.trees.local[path], local.hash != asset.hash { return false }
        return try hasUnnamedAsset(at: asset.path, owner)
    }

    /// The records whose assets give way to file records that came to their paths and are shown beside them, or to other assets
    /// that are called so: received once more, they name them as a device does that gets to know both at once.
    package func givingWay(to outcomes: [Outcome]) throws -> [BaseEntry] {
        var again: [RecordName: BaseEntry] = [:]
        for case .agreed(let entry, _) in outcomes.map(\.base) {
            for (path, checksum) in try pathsTaken(by: entry) {
                for owner in knowledge.trees.custody(of: path).namingRecords
                where knowledge.schema.hasHintsField(owner.recordType) {
                    guard owner.name != entry.name, again[owner.name] == nil,
                        owner.assets.contains(where: { $0.path == path && $0.checksum != checksum }),
                        try hasUnnamedAsset(at: path, owner)
                    else { continue }
                    again[owner.name] = owner
                }
            }
        }
        return Array(again.values)
    }

    /// Where a record leaves no place for an asset that nobody named, unless that has these bytes.
    private func pathsTaken(by entry: BaseEntry) throws -> [(path: FolderPath, checksum: String?)] {
        guard entry.recordType == knowledge.fileType else {
            let shared = entry.assets.filter {
                knowledge.trees.custody(of: $0.path).isAttached(besides: entry.path, of: entry.name)
            }
            return try shared.filter { try !hasUnnamedAsset(at: $0.path, entry) }.map { ($0.path, $0.checksum) }
        }
        guard let claimed = knowledge.trees.remote[entry.name]?.path, claimed != entry.path else { return [] }
        return [(claimed, nil)]
    }

    /// Whether an asset at a path is called as one without a name of its own is, and its author gave it none.
    private func hasUnnamedAsset(at path: FolderPath, _ owner: BaseEntry) throws -> Bool {
        guard let record = try knowledge.remoteRecord(named: owner.name) else { return false }
        return knowledge.rendering(of: record, as: owner.recordType, at: owner.path).assets.contains { asset in
            guard asset.path == nil, let known = owner.asset(in: asset.slot), known.path == path else { return false }
            return AssetNaming.path(of: path, field: known.field, index: known.index, beside: owner.path) != nil
        }
    }
}
