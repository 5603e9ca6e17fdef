import CloudKitWire
import FileCustody
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
        leaveOutWhatGoesOverLeftAssets(trees)
        keepSharedFiles()
        leaveTogether(trees)
    }

    private mutating func leaveOut(where isMeant: (Writing) -> Bool) {
        let isOut = writings.map(isMeant)
        // Mostly none goes.
        guard isOut.contains(true) else { return }
        leftOut += zip(writings, isOut).filter(\.1).map(\.0)
        writings = zip(writings, isOut).filter { !$0.1 }.map(\.0)
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
        leaveOut(before: keepers) { $0.assets.map(\.path) + $0.carriedAssets.map(\.path) }
    }

    /// Leaves out the records of a chunk whose bytes go over a file that another one of it had there, and has no more: what
    /// becomes of that file is known once that one is written, and nobody needs a copy of it then.
    private mutating func leaveOutWhatGoesOverLeftAssets(_ trees: SyncTrees) {
        guard writings.contains(where: { !$0.copiedPaths.isEmpty }) else { return }
        var leavers: [FolderPath: Set<RecordName>] = [:]
        for writing in writings {
            let name = writing.receiving.entry.name
            let kept = Set(writing.keptAssets.map(\.path))
            for asset in trees.base[name]?.assets ?? [] where !kept.contains(asset.path) {
                guard trees.local[asset.path]?.hash == asset.hash else { continue }
                leavers[asset.path, default: []].insert(name)
            }
        }
        leaveOut(before: leavers, going: \.copiedPaths)
    }

    /// Leaves out the records that go to where others are to be written first. Of two that would wait for each other, one goes on.
    /// - Parameters:
    ///   - first: Those others, by the path.
    ///   - paths: Where a record goes.
    private mutating func leaveOut(
        before first: [FolderPath: Set<RecordName>], going paths: (Writing) -> [FolderPath]
    ) {
        guard !first.isEmpty else { return }
        var names: Set<RecordName> = []
        leaveOut { writing in
            let name = writing.receiving.entry.name
            let others = paths(writing).reduce(into: Set()) { $0.formUnion(first[$1] ?? []) }.subtracting(names)
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

    /// Takes away a file that all who had it as an asset leave in this chunk: to each of them alone, the others have it still.
    private mutating func leaveTogether(_ trees: SyncTrees) {
        var givers: [FolderPath: [Int]] = [:]
        for (index, writing) in writings.enumerated() {
            for path in Set(writing.givenAssets.map(\.path)) { givers[path, default: []].append(index) }
        }
        guard givers.contains(where: { $0.value.count > 1 }) else { return }
        let used = Set(writings.flatMap { $0.assetPaths + [$0.path] })
        for (path, indices) in givers.sorted(by: { $0.key < $1.key }) where indices.count > 1 && !used.contains(path) {
            let last = indices[indices.count - 1]
            let name = writings[last].receiving.entry.name
            let others = Set(indices.map { writings[$0].receiving.entry.name }).subtracting([name])
            let custody = trees.custody(of: path).without(others)
            guard let file = custody.file, let asset = writings[last].givenAssets.first(where: { $0.path == path }),
                custody.goesToHistory(with: asset, of: name, at: writings[last].path)
            else { continue }
            if !moveOnce(from: path) {
                let version = LocalVersion(stamp: file.stamp, hash: file.hash)
                writings[last].leftOvers.append(Writing.LeftOver(path: path, version: version))
            }
        }
    }

    /// Moves a file to the last place that it is carried to; `false` where it is carried nowhere.
    private mutating func moveOnce(from source: FolderPath) -> Bool {
        for index in writings.indices.reversed() {
            guard let asset = writings[index].carriedAssets.lastIndex(where: { $0.source == source }) else { continue }
            guard writings[index].carriedAssets[asset].replaces == nil else { return false }
            writings[index].carriedAssets[asset].isMoved = true
            return true
        }
        return false
    }
}
