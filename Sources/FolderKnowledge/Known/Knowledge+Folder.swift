import RecordTrees
import StateStorage
package import SyncModel

/// What a look at the folder tells, and what is known of its files besides.
extension Knowledge {
    /// Takes in files as they are now, and that others are gone.
    /// - Returns: The new ones, and those of which nothing changed that anybody could be told of.
    /// - Throws: `StateError`.
    package func take(
        _ upserts: [LocalEntry], removals: [FolderPath]
    ) throws -> (new: [LocalEntry], touched: [LocalEntry]) {
        try store.commitLocal(upserts: upserts, removals: removals)
        for path in removals { setLocal(nil, at: path) }
        let (new, touched) = changes(upserts)
        for entry in upserts { setLocal(entry, at: entry.path) }
        let resaved = upserts.compactMap(trees.touched)
        if !resaved.isEmpty {
            try store.note(files: resaved)
            for base in resaved { trees.setBase(base, named: base.name) }
        }
        return (new, touched)
    }

    private func changes(_ upserts: [LocalEntry]) -> (new: [LocalEntry], touched: [LocalEntry]) {
        let known = trees.local
        return (
            upserts.filter { !known.contains($0.path) }, upserts.filter { $0.isSameContent(as: known[$0.path]) }
        )
    }

    /// Takes in what files are, whose bytes are as they were last seen.
    /// - Returns: Where that changed.
    /// - Throws: `StateError`.
    package func take(_ forms: [FolderPath: FileForm]) throws -> [FolderPath] {
        let changed = forms.sorted { $0.key < $1.key }.compactMap { path, form -> LocalEntry? in
            guard var entry = trees.local[path], entry.form != form else { return nil }
            entry.form = form
            return entry
        }
        guard !changed.isEmpty else { return [] }
        try store.commitLocal(upserts: changed, removals: [])
        for entry in changed { setLocal(entry, at: entry.path) }
        return changed.map(\.path)
    }

    /// Takes a file into the tree once it is stored; `nil`: that it is gone.
    func setLocal(_ entry: LocalEntry?, at path: FolderPath) {
        trees.setLocal(entry, at: path)
        if entry?.lacksTarget ?? false { lackingTarget.insert(path) } else { lackingTarget.remove(path) }
    }

    /// Notes that the files of some records count as edited, whatever their bytes.
    package func note(_ standings: [RecordName: BaseEntry.Standing]) throws {
        guard !standings.isEmpty else { return }
        try store.note(standings)
        for (name, standing) in standings { trees.note(standing, of: name) }
    }

    // MARK: Provenance

    /// Stores what the trees came to know of files without an action.
    package func storeProvenance() throws {
        let unstored = trees.unstored
        try store.note(unstored.provenance, files: unstored.files)
        trees.noteStored()
    }

    /// Finds the files that assets are, where only their paths are known.
    package func findFilesOfAssets() { trees.findFilesOfAssets() }

    /// Notes that a file was put where nobody looked, equal to what was there before or new.
    package func noteUncovered(_ path: FolderPath) {
        trees.noteUncovered(path)
        if trees.baseRecord(at: path) == nil { trees.noteUnwatched(path) }
    }

    /// Notes that a record is to have an asset no more with which the zone may have been told that a person put it there.
    package func noteLeft(_ asset: AgreedAsset, by name: RecordName) { trees.noteLeft(asset, by: name) }

    /// Notes that a record came whose asset has the bytes of a file that a person may have put there while nobody looked.
    /// - Parameter file: The structured file of the record.
    package func notePutThere(_ asset: AgreedAsset, of name: RecordName, at file: FolderPath) {
        trees.notePutThere(asset, of: name, at: file)
    }

    /// Notes that a person took a file out of a record, while others may name it.
    package func noteTakenOut(_ path: FolderPath) { trees.noteTakenOut(path) }

    /// Forgets that files were taken out of records, where all is done that the zone had by the fetch after that.
    package func forgetTakenOutFiles() { trees.forgetTakenOutFiles() }

    /// Notes that a fetch came to its end.
    package func noteFetch() { trees.noteFetch() }

    /// Notes that a look at the whole folder came to its end.
    package func noteWholeLook() { trees.noteWholeLook() }

    /// Notes that records get a file once more that others went over where a person had moved it.
    package func noteAwaited(_ file: AgreedFile) { trees.noteAwaited(file) }

    /// Notes that a record let go of an asset.
    package func noteLetGo(_ asset: AgreedAsset) { trees.noteLetGo(asset) }

    /// Notes that a file came with a record that others name too.
    package func noteArrival(of hash: ContentHash, at path: FolderPath) { trees.noteArrival(of: hash, at: path) }

    /// Forgets ``noteArrival(of:at:)``.
    package func forgetArrival(at path: FolderPath) { trees.forgetArrival(at: path) }
}

extension LocalEntry {
    package var lacksTarget: Bool {
        if case .held(let problem) = form { problem.code == .referenceRefused } else { false }
    }

    fileprivate func isSameContent(as old: LocalEntry?) -> Bool {
        hash == old?.hash && form == old?.form && stamp.mode == old?.stamp.mode && stamp.modified == old?.stamp.modified
    }
}
