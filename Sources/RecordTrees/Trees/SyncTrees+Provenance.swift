public import SyncModel

/// What happened to files that no tree tells: noted when it happens, forgotten when it decides nothing any more.
extension SyncTrees {
    /// The files of a record, as they were agreed on, that part from it where both sides agree on something else: another file
    /// in its place, an asset less, or its end.
    ///
    /// What is in its place until then is replaced by this device, or removed. What a person put another file over, or took out
    /// of the record, may have been moved away since, and is in a place that nobody looked at yet.
    /// - Parameters:
    ///   - entry: What both sides agree on from now on; `nil`: neither has the record any more.
    ///   - removed: The paths at which this device removed files.
    public func parted(
        from name: RecordName, by entry: BaseEntry?, removing removed: [FolderPath]
    ) -> [AgreedFile] {
        let next = entry.map { [$0.ownFile] + attached(to: $0).compactMap($0.file(of:)) } ?? []
        return files(of: name).filter { known in
            guard let other = next.first(where: { $0.path == known.path }) else {
                return known.isAsset && !removed.contains(known.path)
            }
            return !isSeenAtItsPath(known) && !known.file.isSame(as: other.file)
        }
    }

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
        for name in agreed.byAsset[path] ?? [] {
            for asset in base[name]?.assets ?? [] where asset.path == path && asset.hash != hash {
                provenance[path].overwritten.insert(asset.hash)
            }
        }
    }

    /// A person here decided over bytes that came with a record: they are this device's own from now on.
    public mutating func forgetArrival(at path: FolderPath) { provenance[path].arrived = nil }

    /// The zone's bytes went over a file where a person had moved it to, and other records have it as an asset at its old place:
    /// they get it once more.
    public mutating func noteAwaited(_ file: AgreedFile) { provenance[file.path].awaited = file.hash }

    /// Records' own files were seen to be in other places than the zone has them. What is where the zone has moved a record to may
    /// be another file altogether, and is not noted.
    package mutating func noteMoves(_ moves: [RecordName: FolderPath]) {
        for (name, path) in provenance.moves where moves[name] != path {
            // Where it is nowhere now, its new place is still where it would come back.
            if moves[name] != nil || base[name].map({ isBound($0) || $0.path == path }) ?? true {
                provenance[path].movedHere = nil
            }
        }
        for (name, path) in moves where isStray(path) {
            guard let known = base[name], known.path != path, let entry = local[path],
                entry.hash == known.hash || baseName(of: entry.file) == name
            else { continue }
            provenance[path].movedHere = name
        }
    }

    /// A file is there that nobody looked at until now, and that both sides know nothing of.
    public mutating func noteUnwatched(_ path: FolderPath) { provenance[path].isUnwatched = true }

    /// What is to be stored where files part from their places (``parted(from:by:removing:)``), with all that is not stored yet.
    public func provenanceChanges(noting parted: [AgreedFile]) -> [FolderPath: Provenance] {
        parted.reduce(into: provenance.changes) { changes, known in
            changes[known.path, default: provenance[known.path]].parted = known
            // It may have come to sight since the last plan.
            guard let place = provenance.sight(of: known.file), let entry = local[place], isSeen(known, as: entry)
            else { return }
            changes[place, default: provenance[place]].origin = known
        }
    }

    /// Takes over what was stored.
    public mutating func noteStored(_ changes: [FolderPath: Provenance]) {
        for (path, known) in changes { provenance[path] = known }
        provenance.noteStored()
    }

    /// A file came to sight where another one was, or none.
    mutating func noteSight(of entry: LocalEntry) {
        if let known = provenance.parted(entry.file), isSeen(known, as: entry) { provenance[entry.path].origin = known }
        if isAgreed(at: entry.path) { provenance.noteSight(of: entry.file, at: entry.path) }
    }

    /// Whether a file is the one that parted from another place. The number may have been given to a new one, so that the bytes
    /// have to be the same as well.
    private func isSeen(_ known: AgreedFile, as entry: LocalEntry) -> Bool {
        known.file == entry.file && known.hash == entry.hash && known.path != entry.path
    }

    /// All files that came to sight were planned for.
    package mutating func forgetSights() { provenance.forgetSights() }

    // MARK: What decides nothing any more

    /// Forgets that files were taken out of records, where all is done that the zone had by the fetch after that.
    public mutating func forgetTakenOutFiles() {
        for path in provenance.takenOut where provenance[path].takenOut == .asked {
            let own = baseName(at: path).map { [$0] } ?? []
            let isSettled = (own + (agreed.byAsset[path] ?? [])).allSatisfy {
                base[$0]?.isCurrent(in: remote[$0]) ?? (remote[$0] == nil)
            }
            if isSettled { provenance[path].takenOut = nil }
        }
    }

    /// A look at the whole folder came to its end. What was looked for twice since it parted from its place is in no place.
    ///
    /// Twice, because a look in small steps ends before what it found last is taken in.
    public mutating func noteWholeLook() { provenance.noteWholeLook() }

    /// Nothing of a zone is known of the files that came from it any more.
    public mutating func forgetProvenance() { provenance.removeAll() }

    /// Forgets what told of another file than the one that is at a path now.
    mutating func forgetProvenance(at path: FolderPath, besides entry: LocalEntry?) {
        var known = provenance[path]
        if known.origin?.file != entry?.file { known.origin = nil }
        if known.arrived != entry?.hash { known.arrived = nil }
        if let entry {
            known.overwritten.remove(entry.hash)
            known.awaited = nil
        } else {
            (known.letGo, known.overwritten, known.isUnwatched) = (nil, [], false)
        }
        provenance[path] = known
    }

    /// Forgets what the trees came to say after it was stored: the end of a process came between.
    mutating func forgetOutdatedProvenance() {
        for path in provenance.paths {
            forgetProvenance(at: path, besides: local[path])
            if let name = provenance[path].movedHere, base[name].map({ $0.path == path }) ?? true {
                provenance[path].movedHere = nil
            }
            if let hash = provenance[path].awaited, !isAgreedAsset(hash, at: path) { provenance[path].awaited = nil }
            if baseName(at: path) != nil { (provenance[path].letGo, provenance[path].isUnwatched) = (nil, false) }
            forgetOrigins(of: baseRecords(at: path).map(\.ownFile))
            if let file = provenance[path].origin?.file, agreed.assetPaths[file] == path {
                provenance[path].origin = nil
            }
            if let file = provenance[path].parted?.file, baseName(of: file) != nil || agreed.assetPaths[file] != nil {
                provenance[path].parted = nil
            }
        }
    }

    private func isAgreedAsset(_ hash: ContentHash, at path: FolderPath) -> Bool {
        (agreed.byAsset[path] ?? []).contains { name in
            base[name]?.assets.contains { $0.path == path && $0.hash == hash } ?? false
        }
    }

    /// Forgets what does not count for the files of a record that both sides agree on.
    mutating func forgetProvenance(settledBy entry: BaseEntry) {
        for path in [entry.path] + entry.assets.map(\.path) { provenance[path].letGo = nil }
        provenance[entry.path].isUnwatched = false
    }

    /// The files of a record are its from now on.
    mutating func forgetOrigins(settledBy entry: BaseEntry) {
        guard !provenance.isEmpty else { return }
        forgetOrigins(of: [entry.ownFile] + attached(to: entry).compactMap { entry.file(of: $0) })
    }

    /// A record has these files as its own from now on, where it has them: nobody put them there from elsewhere.
    mutating func forgetOrigins(of files: some Sequence<AgreedFile>) {
        for known in files {
            if provenance[known.path].origin?.file == known.file { provenance[known.path].origin = nil }
            if let place = provenance.parted(known.file)?.path { provenance[place].parted = nil }
        }
    }
}
