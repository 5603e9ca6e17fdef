import FileCustody
import RecordTrees
import SyncModel

/// Finds the files that were renamed, so that their records keep their names and nothing is sent again.
///
/// A file stays bound to its record by path: an editor that saves by writing a new file over the old name edits the
/// record. Only a record whose path is empty now, or taken over by the untouched file of another record (a swap), is
/// looked for elsewhere: first the same file (device and inode), also one that is held, then what took such a file's place where
/// it was seen before, then what is where the zone has moved such a record to, and then, among what is left, the same content
/// where exactly one record and one file have it. A file where a new record of the zone is shown is that one's, and one that a
/// person takes out of a record, as it was there, has come from there, wherever it lies now.
struct MoveDetection {
    private let trees: SyncTrees
    private let isUnobserved: @Sendable (FolderPath) -> Bool

    /// - Parameter isUnobserved: Whether the folder's state at a path is unknown: what is not seen there was not renamed.
    init(_ trees: SyncTrees, isUnobserved: @escaping @Sendable (FolderPath) -> Bool) {
        self.trees = trees
        self.isUnobserved = isUnobserved
    }

    /// Where the files of moved records are now.
    func moves() -> [RecordName: FolderPath] {
        var moves = swaps()
        var lost = trees.dirtyRecords.filter { name in
            guard moves[name] == nil, let base = trees.base[name] else { return false }
            return !trees.isBound(base) && !trees.isShadowed(name) && !isUnobserved(base.path)
        }
        let found = Set(moves.values)
        var strays = trees.dirtyPaths.filter {
            trees.isStray($0) && !found.contains($0) && trees.custody(of: $0).silentHolders.isEmpty
        }
        guard !lost.isEmpty, !strays.isEmpty else { return moves }

        for path in strays {
            guard let entry = trees.local[path], let name = trees.baseName(of: entry.file), lost.contains(name),
                let base = trees.base[name],
                trees.isMute(entry.form, of: base) || trees.canBind(entry.form, to: base)
            else { continue }
            moves[name] = path
            lost.remove(name)
            strays.remove(path)
        }
        // Each looks among what the one before it left: a file is one record's.
        for find in [replacedAfterMove, movedAlike] {
            for (name, path) in find(lost, strays) {
                moves[name] = path
                lost.remove(name)
                strays.remove(path)
            }
        }
        for (name, path) in uniqueContents(lost: lost, strays: strays) { moves[name] = path }
        return moves
    }

    /// Records whose files were moved to a place where another file is by now: an editor that saves by writing a new file over
    /// the old name does that.
    private func replacedAfterMove(lost: Set<RecordName>, strays: Set<FolderPath>) -> [(RecordName, FolderPath)] {
        lost.compactMap { name in
            guard let path = trees.provenance.moves[name], strays.contains(path), let entry = trees.local[path],
                let base = trees.base[name], trees.canBind(entry.form, to: base),
                // Another record's file that was renamed over it is that one's.
                trees.baseName(of: entry.file) == nil
            else { return nil }
            return (name, path)
        }
    }

    /// Records whose files are where the zone has moved them to: somebody brought this folder level by hand, or put back what a
    /// backup had. Nothing but the path tells that. What has other bytes may be another file altogether
    /// (`SyncTrees.isUnrelated`), and is merged as such.
    private func movedAlike(lost: Set<RecordName>, strays: Set<FolderPath>) -> [(RecordName, FolderPath)] {
        let alike: [(RecordName, FolderPath)] = lost.compactMap { name in
            guard let base = trees.base[name], let path = trees.path(of: name), path != base.path,
                trees.remote[name]?.path == path, strays.contains(path), let entry = trees.local[path],
                trees.canBind(entry.form, to: base), !isAnAsset(path),
                // Another record's file that was renamed to here is that one's.
                trees.baseName(of: entry.file) == nil
            else { return nil }
            return (name, path)
        }
        guard !alike.isEmpty else { return [] }
        // As is one that was renamed by a copy: nobody did that in the zone, so that it was not done to be level with it.
        let sources = Dictionary(uniqueKeysWithValues: uniqueContents(lost: lost, strays: strays).map { ($1, $0) })
        return alike.filter { name, path in
            guard let source = sources[path], source != name else { return true }
            return trees.base[source]?.isUnchanged(in: trees.remote[source]) != true
        }
    }

    /// Files that took over each other's names.
    private func swaps() -> [RecordName: FolderPath] {
        let displaced = displacedFiles()
        guard !displaced.isEmpty else { return [:] }
        var moves: [RecordName: FolderPath] = [:]
        for path in trees.dirtyPaths {
            guard let there = trees.local[path], let base = displaced[there.file],
                there.isUntouched(since: base.ownFile),
                // What a structured file names is its asset there, and no record's own.
                trees.canBind(there.form, to: base), !trees.isAttached(path)
            else { continue }
            // Of the names that one file has, the first.
            moves[base.name] = min(moves[base.name] ?? path, path)
        }
        // A chain that does not close would bind two records to one file: leave those to the paths, link by link from its
        // open end.
        let named = Dictionary(grouping: moves.keys) { trees.base[$0]!.path }
        var taken = Set(moves.values)
        var open = named.filter { !taken.contains($0.key) }.flatMap(\.value)
        while let name = open.popLast() {
            guard let place = moves.removeValue(forKey: name), taken.remove(place) != nil else { continue }
            open += named[place] ?? []
        }
        return moves
    }

    /// The records in whose places the untouched files of others are, by their own files.
    private func displacedFiles() -> [FileIdentity: BaseEntry] {
        var displaced: [FileIdentity: BaseEntry] = [:]
        for name in trees.dirtyRecords {
            guard let base = trees.base[name], let here = trees.local[base.path],
                let file = trees.file(of: base), here.file != file,
                let other = trees.baseEntry(of: here.file)?.ownFile, here.isUntouched(since: other)
            else { continue }
            displaced[file] = base
        }
        return displaced
    }

    private func uniqueContents(lost: Set<RecordName>, strays: Set<FolderPath>) -> [(RecordName, FolderPath)] {
        var records: [ContentHash: [RecordName]] = [:]
        for name in lost {
            let base = trees.base[name]!
            // What became another record's asset where it was went nowhere: an equal file is a copy of it.
            if trees.isAttached(base.path), trees.local[base.path]?.hash == base.hash { continue }
            records[base.hash, default: []].append(name)
        }
        var files: [ContentHash: [FolderPath]] = [:]
        for path in strays where !isOfNewRecord(path) && !isAnAsset(path) {
            if let entry = trees.local[path], entry.stamp.size > 0 { files[entry.hash, default: []].append(path) }
        }
        return files.compactMap { hash, paths in
            guard paths.count == 1, let names = records[hash], names.count == 1, let base = trees.base[names[0]],
                trees.canBind(trees.local[paths[0]]!.form, to: base)
            else { return nil }
            return (names[0], paths[0])
        }
    }

    /// Whether what is at a path is what both sides have as an asset, here or where it was renamed from.
    private func isAnAsset(_ path: FolderPath) -> Bool {
        let custody = trees.custody(of: path)
        return custody.isAsAgreedAsset || custody.isRenamedAsset
    }

    /// Whether what is at a path becomes the file of a record that only the zone has: it is one also once it is not looked at
    /// any more.
    private func isOfNewRecord(_ path: FolderPath) -> Bool {
        trees.record(at: path).map { trees.base[$0] == nil } ?? false
    }
}
