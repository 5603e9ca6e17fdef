import FileCustody
public import SyncModel

/// Which record a file is known to be of, wherever it is now.
extension SyncTrees {
    /// What both sides agreed on for a file as a record's own.
    func ownFile(_ file: FileIdentity) -> AgreedFile? {
        baseEntry(of: file)?.ownFile
    }

    /// What both sides agreed on for a file as an asset of structured records. Of several that have it, one tells.
    func assetFile(_ file: FileIdentity) -> AgreedFile? {
        agreed.assetFile(file)
    }

    /// Whether the zone has a file's own record just as it is here.
    public func isAgreed(_ entry: LocalEntry) -> Bool {
        guard let base = baseRecord(at: entry.path), base.standing == .agreed, base.hash == entry.hash else {
            return false
        }
        return base.isCurrent(in: remote[base.name])
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
        for name in agreed.byAsset.values.reduce(into: Set(), { $0.formUnion($1) }) {
            guard let entry = base[name] else { continue }
            for (index, asset) in entry.assets.enumerated() where asset.isOfUnknownBirth {
                guard let file = local[asset.path], file.hash == asset.hash,
                    asset.file?.isSame(as: file.file) ?? true, !custody(of: asset.path).isFromElsewhere
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

    /// Notes where a file came from that was renamed while its old place got another one: once the zone has that, nothing else
    /// tells it.
    package mutating func noteOrigin(at path: FolderPath) {
        if let known = custody(of: path).originToNote { provenance[path].origin = known }
    }

    /// Notes that a person put an equal file in an asset's place while nobody looked there. Where it came from is forgotten:
    /// the file that names it stands for that.
    public mutating func noteUncovered(_ path: FolderPath) {
        guard isAttached(path), let entry = local[path], agreed.assetPaths[entry.file] != path else { return }
        guard !custody(of: path).isFromElsewhere else { return }
        notePutThere(entry)
    }

    /// Notes that a record is to have an asset no more. Where the zone was told with it that a person put the file there, it is to
    /// be told with another record that names it, and was agreed on with another file.
    public mutating func noteLeft(_ asset: AgreedAsset, by name: RecordName) {
        guard !asset.renewal.isEmpty, let entry = local[asset.path], entry.hash == asset.hash, entry.file == asset.file
        else { return }
        notePutThere(entry, besides: name)
    }

    /// The file that names it as an asset, with the same bytes and another file, stands for where it came from.
    private mutating func notePutThere(_ entry: LocalEntry, besides name: RecordName? = nil) {
        for owner in custody(of: entry.path).namingRecords where owner.name != name {
            guard let asset = owner.assets.first(where: { $0.path == entry.path && $0.hash == entry.hash }),
                let file = asset.file, !file.isSame(as: entry.file)
            else { continue }
            provenance[entry.path].origin = AgreedFile(
                record: owner.name, path: owner.path, hash: entry.hash, file: entry.file, modified: 0, isAsset: true)
            return markDirty(path: entry.path)
        }
    }

    /// Notes that a record came whose asset has the bytes of such a file: it is another file than the others have there until the
    /// zone is told that it was put there.
    /// - Parameter file: The structured file of the record.
    public mutating func notePutThere(_ asset: AgreedAsset, of name: RecordName, at file: FolderPath) {
        guard custody(of: asset.path).isUnwatched, let entry = local[asset.path], entry.hash == asset.hash else {
            return
        }
        provenance[asset.path].origin = AgreedFile(
            record: name, path: file, hash: entry.hash, file: entry.file, modified: 0, isAsset: true)
    }
}
