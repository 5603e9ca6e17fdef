import CloudKitWire
import FolderKnowledge
import RecordMapping
package import RecordTrees
import SyncModel

/// Writings that become durable together, none of which undoes what another one does.
package struct WritingChunk {
    package private(set) var writings: [Writing]
    /// Those that would: they are planned anew.
    package private(set) var leftOut: [Writing] = []

    /// - Parameter trees: As they were when the writings were composed.
    package init(_ composed: [Writing], trees: SyncTrees) {
        writings = composed
        leaveOutAttachedFiles()
        leaveOutWhatGoesOverKeptAssets(trees)
        keepSharedFiles()
    }

    private mutating func leaveOut(where isMeant: (Writing) -> Bool) {
        let split = writings.reduce(into: (kept: [Writing](), out: [Writing]())) { parts, writing in
            if isMeant(writing) { parts.out.append(writing) } else { parts.kept.append(writing) }
        }
        writings = split.kept
        leftOut += split.out
    }

    /// Leaves out the file records of a chunk at whose paths other records of it have assets from now on: put there as well,
    /// their bytes would be taken for an edit of the asset. Where they are shown is planned anew.
    private mutating func leaveOutAttachedFiles() {
        let attached = Set(writings.filter { $0.document != nil }.flatMap(\.assetPaths))
        leaveOut { $0.document == nil && attached.contains($0.path) }
    }

    /// Leaves out the records of a chunk whose bytes go over a file that another one of it comes to have, or says to be put
    /// there: it gets a conflict copy once that one is known.
    private mutating func leaveOutWhatGoesOverKeptAssets(_ trees: SyncTrees) {
        var keepers: [FolderPath: Set<RecordName>] = [:]
        for writing in writings where !writing.keptAssets.isEmpty {
            let name = writing.receiving.entry.name
            let agreed = trees.base[name]?.assets ?? []
            let renewals = RecordHints.renewedAssets(of: writing.receiving.record.fields)
            for asset in writing.keptAssets {
                let isKnown = agreed.contains { $0.path == asset.path && $0.hash == asset.hash }
                if !isKnown || renewals[asset.slot] != nil { keepers[asset.path, default: []].insert(name) }
            }
        }
        guard !keepers.isEmpty else { return }
        // Of two that would wait for each other, one goes on.
        var names: Set<RecordName> = []
        leaveOut { writing in
            let name = writing.receiving.entry.name
            let paths = writing.assets.map(\.path) + writing.carriedAssets.map(\.path)
            let others = paths.reduce(into: Set()) { $0.formUnion(keepers[$1] ?? []) }.subtracting(names)
            guard others.contains(where: { $0 != name }) else { return false }
            names.insert(name)
            return true
        }
    }

    /// Keeps a file where it is that one record of a chunk leaves and another one of it names from now on.
    private mutating func keepSharedFiles() {
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
