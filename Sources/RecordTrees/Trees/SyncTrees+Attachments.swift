public import SyncModel

/// Which files belong to the records of structured files.
extension SyncTrees {
    /// Whether a structured file names this file as an asset.
    public func isAttached(_ path: FolderPath) -> Bool {
        owners[path] != nil
    }

    /// The records whose structured files name a file.
    public func owners(of path: FolderPath) -> [BaseEntry] {
        (owners[path] ?? []).sorted().compactMap(baseRecord)
    }

    /// Whether nothing is to be done about a file record, because the file at its path is another record's asset: what that
    /// one comes to is not agreed yet, or they have the same bytes, and this record is about to go.
    package func isShadowed(_ name: RecordName) -> Bool {
        guard let entry = remote[name], entry.recordType == fileRecordType else { return false }
        let path = claims.path(of: entry)
        guard owners[path] != nil else { return false }
        let asset = agreedAsset(at: path)
        if let base = base[name] {
            return base.path == path && (asset == nil || recordNamingAgain(name) != nil)
                || base.standing == .yielded && base.changeTag == entry.changeTag
        }
        return asset.map { isSame($0, entry) } ?? true
    }

    /// The structured record whose text names a file again that was one of its own meanwhile, and was told to the zone so, or
    /// is to be: to the zone the text never changed, so that another device may have let the structured record go, and keeps
    /// the file by its own. That one goes once the zone took the structured record anew; `nil` where nothing is to be told.
    package func recordNamingAgain(_ name: RecordName) -> RecordName? {
        guard let own = base[name], own.recordType == fileRecordType, [.renewed, .confirmed].contains(own.standing),
            remote[name] != nil, let hash = local[own.path]?.hash
        else { return nil }
        return owners(of: own.path).first { owner in
            isBound(owner) && owner.changeTag == remote[owner.name]?.changeTag
                && owner.assets.contains { $0.path == own.path && $0.hash == hash }
        }?.name
    }

    /// Whether a file record that is shown beside its path has the same bytes as the asset there: once is enough.
    package func isShownTwice(_ base: BaseEntry) -> Bool {
        guard let entry = remote[base.name], entry.recordType == fileRecordType, base.path != claims.path(of: entry)
        else {
            return false
        }
        return agreedAsset(at: claims.path(of: entry)).map { isSame($0, entry) } ?? false
    }

    /// Whether a file record is shown beside its path, because the file there is another record's asset.
    func isBesideAsset(_ entry: RemoteEntry) -> Bool {
        let path = claims.path(of: entry)
        guard entry.recordType == fileRecordType, owners[path] != nil else { return false }
        if let base = base[entry.name] { return base.path != path || base.changeTag != entry.changeTag }
        return agreedAsset(at: path).map { !isSame($0, entry) } ?? false
    }

    /// Whether records claim a path, other than those of files with these very bytes, which are not shown beside an asset.
    public func isClaimed(_ path: FolderPath, besidesFilesWith checksum: String?) -> Bool {
        claims.claimants(of: path).contains { name in
            guard let checksum, let entry = remote[name], entry.recordType == fileRecordType else { return true }
            return entry.contentChecksum != checksum
        }
    }

    private func isSame(_ asset: AgreedAsset, _ entry: RemoteEntry) -> Bool {
        !asset.checksum.isEmpty && asset.checksum == entry.contentChecksum
    }

    /// What both sides agree on of the asset whose file this is, with nothing on its way that would change it.
    func agreedAsset(at path: FolderPath) -> AgreedAsset? {
        for owner in owners[path]?.sorted() ?? [] {
            guard let base = baseRecord(at: owner), base.changeTag == remote[base.name]?.changeTag else { continue }
            if let asset = base.assets.first(where: { $0.path == path }) { return asset }
        }
        return nil
    }

    /// Whether a file is an asset of other records than this one, or may be: a structured file names it, or one did that is
    /// broken or gone now.
    /// - Parameter file: The structured file of this record.
    public func isAttached(_ path: FolderPath, besides file: FolderPath, of name: RecordName?) -> Bool {
        owners[path]?.contains { $0 != file } ?? false || silentOwners(of: path).contains { $0 != name }
    }

    /// Whether a file is, or may be, an asset of other records than this one with other bytes than these.
    /// - Parameter file: The structured file of this record.
    public func isAttached(
        _ path: FolderPath, besides file: FolderPath, of name: RecordName?, asOtherThan checksum: String?
    ) -> Bool {
        guard let checksum, !silentOwners(of: path).contains(where: { $0 != name }) else {
            return isAttached(path, besides: file, of: name)
        }
        return owners[path]?.contains { owner in
            owner != file
                && !(baseRecord(at: owner)?.assets.contains {
                    $0.path == path && $0.checksum == checksum && $0.hash == local[path]?.hash
                } ?? false)
        } ?? false
    }

    /// Whether nothing else has a use for a file that belonged to a record: no other text, no record of its own, and nobody
    /// who took it out or put it there.
    /// - Parameter file: The structured file of this record.
    public func isLeft(_ path: FolderPath, by name: RecordName?, at file: FolderPath) -> Bool {
        !isAttached(path, besides: file, of: name) && !isAgreedAsset(path, besides: name) && record(at: path) == nil
            && provenance[path].takenOut == nil && !isFromElsewhere(path)
    }

    /// Whether the file where an asset was is somebody else's by now, that came there with other bytes: one of its own, or
    /// another record's asset.
    public func isSucceeded(_ known: AgreedAsset) -> Bool {
        if provenance[known.path].overwritten.contains(known.hash) { return true }
        if let own = baseRecord(at: known.path), own.recordType == fileRecordType, own.hash != known.hash,
            remote[own.name] != nil
        {
            return true
        }
        return (baseByAsset[known.path] ?? []).contains { name in
            base[name]?.assets.contains { $0.path == known.path && $0.hash != known.hash } ?? false
        }
    }

    /// Whether another structured file than this one names a file with bytes that the zone does not know it with.
    public func isNamedAnew(_ path: FolderPath, besides file: FolderPath) -> Bool {
        owners[path]?.contains { owner in
            owner != file
                && !(baseRecord(at: owner)?.assets.contains { $0.path == path && $0.hash == local[path]?.hash } ?? false)
        } ?? false
    }

    /// Whether a person took a file record's file out of another record that both sides know with it: its own record may be
    /// about to go, or gone, by what other devices know.
    /// - Parameter places: Where files of records are that were renamed.
    package func isTakenOut(_ entry: BaseEntry, renamed places: [RecordName: FolderPath]) -> Bool {
        guard entry.recordType == fileRecordType, !isAttached(entry.path),
            silentOwners(of: entry.path, renamed: places).isEmpty
        else { return false }
        let isGoneThere = remote[entry.name] == nil
        let wasAttached = baseByAsset[entry.path] != nil || isGoneThere && provenance[entry.path].takenOut != nil
        return switch entry.standing {
        case .agreed: wasAttached
        // Sent so once, and gone again: another device attached it anew, without knowing that.
        case .confirmed: wasAttached && isGoneThere
        // It is noted already, or gives way to the other record.
        case .renewed, .renewedAsset, .yielded: false
        }
    }

    /// Whether a file record's file came to be the asset of another one, of which nobody can say now whether it still is.
    /// - Parameter places: Where files of records are that were renamed.
    package func isUndecided(_ entry: BaseEntry, renamed places: [RecordName: FolderPath]) -> Bool {
        entry.recordType == fileRecordType && (entry.standing == .yielded || remote[entry.name] == nil)
            && !isAttached(entry.path) && !silentOwners(of: entry.path, renamed: places).isEmpty
    }

    /// Whether both sides agree that a file is an asset of other records than this one: if their texts do not name it here
    /// any more, a person took it out, and it is a file of its own from now on.
    public func isAgreedAsset(_ path: FolderPath, besides name: RecordName?) -> Bool {
        baseByAsset[path]?.contains { $0 != name } ?? false
    }

    /// Whether the zone has these bytes as an asset of another record at this path.
    /// - Parameter file: The file that both sides agreed on for it; any where `nil`.
    public func isCurrent(
        _ hash: ContentHash, at path: FolderPath, besides name: RecordName?, as file: FileIdentity? = nil
    ) -> Bool {
        hasCurrentAsset(hash, at: path, besides: name) { file == nil || $0.file == file }
    }

    /// Whether the zone has these bytes as an asset of another record at this path, of which it says that somebody put it there
    /// in the place of an equal one.
    public func isPutAnew(_ hash: ContentHash, at path: FolderPath, besides name: RecordName?) -> Bool {
        hasCurrentAsset(hash, at: path, besides: name) { !$0.renewal.isEmpty }
    }

    private func hasCurrentAsset(
        _ hash: ContentHash, at path: FolderPath, besides name: RecordName?, where isMeant: (AgreedAsset) -> Bool
    ) -> Bool {
        (baseByAsset[path] ?? []).contains { owner in
            owner != name
                && base[owner]?.assets.contains { asset in
                    asset.path == path && asset.hash == hash && isMeant(asset)
                        && remote[owner]?.assets.contains {
                            $0.field == asset.field && $0.index == asset.index && $0.checksum == asset.checksum
                        } ?? false
                } ?? false
        }
    }

    /// Whether a person took a file out of a record, with the bytes that it was agreed on with, and the zone does not know it yet.
    /// - Parameter name: A record that is not asked about.
    public func isBeingTakenOut(_ path: FolderPath, _ hash: ContentHash, besides name: RecordName?) -> Bool {
        (baseByAsset[path] ?? []).contains { owner in
            guard owner != name, let known = base[owner], let text = local[known.path], text.hash != known.hash,
                known.assets.contains(where: { $0.path == path && $0.hash == hash })
            else { return false }
            return !text.form.attachments.contains { $0.path == path }
        }
    }

    /// The records that had a file as an asset when both sides last agreed, and whose own files cannot say now whether it
    /// still is one: they are broken, or not where they were.
    ///
    /// The file is no file of its own before they can, or their records are deleted.
    /// - Parameter places: Where files of records are that were renamed, so that they can say it once what they name is there.
    public func silentOwners(of path: FolderPath, renamed places: [RecordName: FolderPath] = [:]) -> [RecordName] {
        guard let names = baseByAsset[path] else { return [] }
        return names.filter { name in
            guard let owner = base[name] else { return false }
            guard let place = places[name] ?? (isBound(owner) ? owner.path : nil), let entry = local[place],
                !isMute(entry.form, of: owner)
            else { return true }
            // What it names may be on its way after it.
            return places[name] != nil && entry.form.attachments.contains { local[$0.path] == nil }
        }
    }
}

extension FileForm {
    /// The files that a structured file names; none for other forms.
    public var attachments: [Attachment] {
        if case .structured(_, let attachments) = self { attachments } else { [] }
    }
}

extension RemoteEntry {
    /// The server's checksum of a file record's content.
    fileprivate var contentChecksum: String? {
        assets.first { $0.field == ContentSource.fileField }?.checksum
    }
}
