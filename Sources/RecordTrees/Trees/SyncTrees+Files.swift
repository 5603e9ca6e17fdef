public import SyncModel

/// Which record a file is known to be of, wherever it is now.
extension SyncTrees {
    /// What both sides agreed on for a file as a record's own.
    func ownFile(_ file: FileIdentity) -> AgreedFile? {
        baseEntry(of: file)?.ownFile
    }

    /// What both sides agreed on for a file as an asset of structured records. Of several that have it, one tells.
    func assetFile(_ file: FileIdentity) -> AgreedFile? {
        guard let path = assetPaths[file] else { return nil }
        return baseByAsset[path]?.sorted().lazy.compactMap { base[$0]?.assetFile(file, at: path) }.first
    }

    /// Whether the zone has a file's own record just as it is here.
    public func isAgreed(_ entry: LocalEntry) -> Bool {
        guard let base = baseRecord(at: entry.path), base.standing == .agreed, base.hash == entry.hash else {
            return false
        }
        return remote[base.name]?.changeTag == base.changeTag
    }

    /// The file that a record was last agreed on with; `nil` where that one went over another record's, whose it is now.
    package func file(of base: BaseEntry) -> FileIdentity? {
        hasItsFile(base) ? base.file : nil
    }

    /// The files that are known to be a record's, as its own or as its assets.
    public func files(of name: RecordName) -> [AgreedFile] {
        guard let base = base[name] else { return [] }
        let own = file(of: base).map { _ in base.ownFile }
        return [own].compactMap(\.self) + attached(to: base).compactMap(base.file(of:))
    }

    /// Whether a file is seen where another record has it, and not where this one had it.
    func isElsewhere(_ known: AgreedFile, at holder: AgreedFile?) -> Bool {
        // A method taken as a value would copy the trees, once for each record of a start.
        guard let holder else { return false }
        return isSeenAtItsPath(holder) && !isSeenAtItsPath(known)
    }

    /// Where the record whose file this is, by device and inode, had it when both sides last agreed, as its own or as an
    /// asset; `nil` where that is where it is, or no record is known by it.
    public func formerPath(of entry: LocalEntry) -> FolderPath? {
        formerPath(of: entry.file, at: entry.path)
    }

    /// The same for a file of which no more is known, because it cannot be read.
    public func formerPath(of file: FileIdentity, at path: FolderPath) -> FolderPath? {
        (ownFile(file) ?? assetFile(file)).flatMap { $0.path == path ? nil : $0.path }
    }

    /// The same for a file that was not written to since: where its record has it no more, a person moved it.
    public func formerPath(ofUntouched entry: LocalEntry) -> FolderPath? {
        (ownFile(entry.file) ?? assetFile(entry.file)).flatMap { known in
            known.path != entry.path && entry.isUntouched(since: known) ? known.path : nil
        }
    }

    /// The assets that were agreed on when nothing was known of their files yet are the files that are there, as far as these
    /// have their bytes.
    public mutating func findFilesOfAssets() {
        for name in baseByAsset.values.reduce(into: Set(), { $0.formUnion($1) }) {
            guard let entry = base[name] else { continue }
            for (index, asset) in entry.assets.enumerated() where asset.isOfUnknownBirth {
                guard let file = local[asset.path], file.hash == asset.hash, !isFromElsewhere(asset.path),
                    asset.file?.isSame(as: file.file) ?? true
                else { continue }
                setFile(file.file, ofAsset: index, of: name)
            }
        }
    }

    /// The record of a file that was touched, or written to with the same bytes: it is still that file if it is renamed. The
    /// same where it was not known when it was made.
    public func touched(_ entry: LocalEntry) -> BaseEntry? {
        guard var base = baseRecord(at: entry.path), base.hash == entry.hash, base.file.isSame(as: entry.file),
            base.modified != entry.stamp.modified || base.file != entry.file
        else { return nil }
        base.modified = entry.stamp.modified
        base.file = entry.file
        return base
    }

    /// The other record's file that a person renamed over this one's; `nil` where that is not so. Where what is there has
    /// the bytes that this one was agreed on with, it has to be as that one was agreed on.
    package func renamedOver(_ base: BaseEntry, by entry: LocalEntry) -> AgreedFile? {
        guard entry.path == base.path, let owner = stranger(at: entry.path), !isSeenAtItsPath(owner)
        else { return nil }
        return entry.hash != base.hash || entry.isUntouched(since: owner) ? owner : nil
    }

    /// The record whose own file went to a path that the zone does not have it at: until it has, the zone has the bytes of
    /// that record alone. A file that still has its old name as well has a second link, and went nowhere.
    package func newcomer(at path: FolderPath) -> RecordName? {
        owedStranger(at: path).flatMap { $0.isAsset || isSeenAtItsPath($0) ? nil : $0.record }
    }

    /// The structured record that has an asset at a path over which a person renamed another record's equal file: nothing
    /// shows the zone that, and what another device does with the old path, or did with this one, is done without knowledge
    /// of it. `nil` where the zone was told.
    package func recordToRenew(at path: FolderPath) -> RecordName? {
        guard let entry = local[path], isFromElsewhere(path), agreedAsset(at: path)?.hash == entry.hash,
            assetPaths[entry.file] != path
        else { return nil }
        return owners(of: path).first(where: isBound)?.name
    }

    /// Whether a file is another record's, as that one was agreed on, which a person renamed to this path. Where something
    /// has taken its old place, an asset is known by the file and its bytes, and a file of its own by when these last
    /// changed as well.
    public func isFromElsewhere(_ path: FolderPath) -> Bool {
        guard let known = renamedFile(at: path), let entry = local[path] else { return false }
        return !isReplaced(known) || known.isAsset || known.modified != 0 && entry.isUntouched(since: known)
    }

    /// Whether a file is another record's, as that one was agreed on, which a person renamed to this path.
    public func isRenamed(to path: FolderPath) -> Bool {
        renamedFile(at: path) != nil
    }

    /// The file that a person renamed to a path, as another record has it. The number alone may have been given to a new one.
    private func renamedFile(at path: FolderPath) -> AgreedFile? {
        stranger(at: path).flatMap { $0.hash == local[path]?.hash && !isSeenAtItsPath($0) ? $0 : nil }
    }

    /// Notes the files among the marked ones that were renamed, and whose old places got others: once the zone has these, nothing
    /// else tells where they came from.
    package mutating func noteStrangers() {
        for path in dirtyPaths {
            if let known = renamedFile(at: path), isReplaced(known) { provenance[path].origin = known }
        }
    }

    /// Notes that a person put an equal file in an asset's place while nobody looked there. Where it came from is forgotten:
    /// the file that names it stands for that.
    public mutating func noteUncovered(_ path: FolderPath) {
        guard let entry = local[path], !isFromElsewhere(path), assetPaths[entry.file] != path else { return }
        for owner in owners(of: path) {
            guard let asset = owner.assets.first(where: { $0.path == path && $0.hash == entry.hash }),
                let file = asset.file, !file.isSame(as: entry.file)
            else { continue }
            provenance[path].origin = AgreedFile(
                record: owner.name, path: owner.path, hash: entry.hash, file: entry.file, modified: 0, isAsset: true)
            return
        }
    }

    /// Whether a person may have put a file where it is while nobody looked, and no record of both sides has it there.
    public func isUnwatched(_ path: FolderPath) -> Bool {
        guard provenance[path].isUnwatched, let entry = local[path] else { return false }
        return assetPaths[entry.file] != path
    }

    /// Notes that a record came whose asset has the bytes of such a file: it is another file than the others have there until the
    /// zone is told that it was put there.
    /// - Parameter file: The structured file of the record.
    public mutating func notePutThere(_ asset: AgreedAsset, of name: RecordName, at file: FolderPath) {
        guard isUnwatched(asset.path), let entry = local[asset.path], entry.hash == asset.hash else { return }
        provenance[asset.path].origin = AgreedFile(
            record: name, path: file, hash: entry.hash, file: entry.file, modified: 0, isAsset: true)
    }

    /// Whether there is a file again where this one was, for which its record goes on.
    private func isReplaced(_ known: AgreedFile) -> Bool {
        known.isAsset ? local[known.path] != nil : base[known.record].map(isBound) ?? false
    }

    /// Whether a path is to be looked at again until the zone has what is there, for that is another record's file, or will
    /// be when its other link goes.
    package func owesStranger(at path: FolderPath) -> Bool {
        owedStranger(at: path) != nil
    }

    /// The record's file, or a link to it, that is at a path that the zone does not have it at.
    ///
    /// What went over another record's file is told by device and inode, whatever was written to it since. At a path that no
    /// record has it is the same file with the same bytes: the number alone may have been given to a new one.
    private func owedStranger(at path: FolderPath) -> AgreedFile? {
        guard let owner = stranger(at: path), let entry = local[path] else { return nil }
        if isAttached(path) {
            let isKnown = agreedAsset(at: path)?.hash == entry.hash && recordToRenew(at: path) == nil
            return entry.hash == owner.hash && !isKnown ? owner : nil
        }
        guard let base = baseRecord(at: path), isBound(base) else { return entry.hash == owner.hash ? owner : nil }
        let isAgreed = entry.hash == base.hash && base.changeTag == remote[base.name]?.changeTag
        return isAgreed && renamedOver(base, by: entry) == nil ? nil : owner
    }

    /// A record's file at a path that is another one's, or nobody's. Of two records that know it, the one that was agreed on
    /// with it last has it at that path, unless the number was given to a new file since.
    private func stranger(at path: FolderPath) -> AgreedFile? {
        guard let entry = local[path] else { return nil }
        let known = [
            assetFile(entry.file), ownFile(entry.file), provenance[path].origin, provenance.parted(entry.file),
        ]
        let others = known.compactMap(\.self).filter { $0.path != path && !isNamedAgain($0, at: path) }
        return others.first { $0.hash == entry.hash } ?? others.first
    }

    /// Whether a record that had a file as an asset names it where it is now, which is told with its text. The record's own
    /// file may have been renamed as well.
    private func isNamedAgain(_ known: AgreedFile, at path: FolderPath) -> Bool {
        guard known.isAsset, let owners = owners[path] else { return false }
        return (baseByAsset[known.path] ?? []).contains { name in
            guard let base = base[name] else { return false }
            return owners.contains { $0 == base.path || local[$0]?.file == base.file }
        }
    }

    private func isSeenAtItsPath(_ known: AgreedFile) -> Bool {
        local[known.path]?.file == known.file
    }
}
