public import SyncModel

/// What happened to files that no tree tells: noted when it happens, forgotten when it decides nothing any more.
extension SyncTrees {
    // MARK: What happens

    /// A person took a file out of a record, and it is not known yet who else did.
    public mutating func noteTakenOut(_ path: FolderPath) { provenance[path].takenOut = .unasked }

    /// The zone's changes were asked for, and are known.
    public mutating func noteFetch() {
        for path in provenance.takenOut { provenance[path].takenOut = .asked }
    }

    /// The zone let a file go as an asset. Of one that became another record's file what is at its path now is no version: a
    /// person put that there beside it.
    public mutating func noteLetGo(_ asset: AgreedAsset) {
        guard asset.file != nil else { return }
        provenance[asset.path].letGo = asset.hash
    }

    /// Bytes came from the zone with one record to a path that others here name as well.
    public mutating func noteArrival(of hash: ContentHash, at path: FolderPath) {
        provenance[path].arrived = hash
        for name in baseByAsset[path] ?? [] {
            for asset in base[name]?.assets ?? [] where asset.path == path && asset.hash != hash {
                provenance[path].overwritten.insert(asset.hash)
            }
        }
    }

    /// A person here decided over bytes that came with a record: they are this device's own from now on.
    public mutating func forgetArrival(at path: FolderPath) { provenance[path].arrived = nil }

    /// A file is there that nobody looked at until now, and that both sides know nothing of.
    public mutating func noteUnwatched(_ path: FolderPath) { provenance[path].isUnwatched = true }

    /// A record goes on with another file at the same path, or with none. Where it is another record's file, a person moves files
    /// about, and the one of before may be in a place that nobody looked at yet.
    mutating func noteParted(_ old: BaseEntry, for entry: BaseEntry?) {
        guard let entry, entry.path == old.path else { return provenance[old.path].parted = nil }
        guard entry.file != old.file else { return }
        let isSwapped = provenance[old.path].origin?.file == entry.file && file(of: old) != nil
        provenance[old.path].parted = isSwapped ? old.ownFile : nil
    }

    /// What of it changed is stored.
    public mutating func noteProvenanceStored() { provenance.noteStored() }

    // MARK: What decides nothing any more

    /// Forgets that files were taken out of records, where all is done that the zone had by the fetch after that.
    public mutating func forgetTakenOutFiles() {
        for path in provenance.takenOut where provenance[path].takenOut == .asked {
            let own = baseName(at: path).map { [$0] } ?? []
            let isSettled = (own + (baseByAsset[path] ?? [])).allSatisfy {
                base[$0]?.changeTag == remote[$0]?.changeTag
            }
            if isSettled { provenance[path].takenOut = nil }
        }
    }

    /// Nothing of a zone is known of the files that came from it any more.
    public mutating func forgetProvenance() { provenance.removeAll() }

    /// Forgets what told of another file than the one that is at a path now.
    mutating func forgetProvenance(at path: FolderPath, besides entry: LocalEntry?) {
        var known = provenance[path]
        if known.origin?.file != entry?.file { known.origin = nil }
        if known.arrived != entry?.hash { known.arrived = nil }
        if let entry {
            known.overwritten.remove(entry.hash)
        } else {
            (known.letGo, known.overwritten, known.isUnwatched) = (nil, [], false)
        }
        provenance[path] = known
    }

    /// Forgets what the trees came to say after it was stored: the end of a process came between.
    mutating func forgetOutdatedProvenance() {
        for path in provenance.paths {
            forgetProvenance(at: path, besides: local[path])
            if baseName(at: path) != nil { (provenance[path].letGo, provenance[path].isUnwatched) = (nil, false) }
            forgetOrigins(of: baseRecords(at: path).map(\.ownFile))
            if let file = provenance[path].origin?.file, assetPaths[file] == path { provenance[path].origin = nil }
            if let file = provenance[path].parted?.file, baseName(of: file) != nil || assetPaths[file] != nil {
                provenance[path].parted = nil
            }
        }
    }

    /// Forgets what does not count for the files of a record that both sides agree on.
    mutating func forgetProvenance(settledBy entry: BaseEntry) {
        for path in [entry.path] + entry.assets.map(\.path) { provenance[path].letGo = nil }
        provenance[entry.path].isUnwatched = false
    }

    /// A record has these files as its own from now on, where it has them: nobody put them there from elsewhere.
    mutating func forgetOrigins(of files: some Sequence<AgreedFile>) {
        for known in files {
            if provenance[known.path].origin?.file == known.file { provenance[known.path].origin = nil }
            if let place = provenance.parted(known.file)?.path { provenance[place].parted = nil }
        }
    }
}
