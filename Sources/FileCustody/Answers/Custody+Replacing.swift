package import SyncModel

/// What has to be done before bytes of a record go over the file, and what becomes of it when the record leaves it.
extension Custody {
    /// Whether the file has bytes that both sides did not agree on, neither as an asset of the record nor as a file record that
    /// the zone has no more, or that another structured file names it with them first: then a copy comes before what the record
    /// puts here. One that the zone has a record of is somebody's file: should the text that names the asset not get to its
    /// place, the bytes put there would be taken for an edit of it.
    /// - Parameters:
    ///   - record: What both sides agreed on for the record whose asset comes here; `nil` where it is new.
    ///   - text: Its structured file.
    ///   - hasBytesElsewhere: Whether it has an asset with the file's bytes, be it here or at another path, where nothing else
    ///     has taken its place.
    package func isCopied(beforeAssetOf record: BaseEntry?, at text: FolderPath, hasBytesElsewhere: Bool) -> Bool {
        guard let file else { return false }
        let own = ownHolder
        // The person who put it there may have it nowhere else, though it is equal to the one that was there.
        if isFromElsewhere || own?.record.standing == .confirmed && isAgreedAsset() { return true }
        // Who took it out of another record kept it, whatever becomes of this one's.
        if isBeingTakenOut(file.hash, besides: record?.name) { return true }
        let asset = record?.assets.first { $0.path == path && $0.hash == file.hash }
        if let asset, isPutOver(asset, of: record, at: text) { return true }
        // The zone has it as another record's asset: its own record is gone for that, or it went over to that one.
        let isAnothersNow = isCurrent(file.hash, besides: record?.name)
        if provenance.arrived == file.hash, !isAnothersNow { return false }
        if asset == nil, isNamedAnew(besides: text) { return true }
        // It is another record's, as both sides agreed on it, and the zone has something else for that one by now.
        if own == nil, isAsAgreedAsset, !isAnothersNow, silentHolders.isEmpty { return false }
        // Nor is it a file of its own still where the zone has other bytes for that one by now.
        let isFileOfItsOwn = own.map { $0.zone != nil && !$0.isOutdated } ?? false
        // It may have been the asset before, at another path: now it is more than that.
        if asset != nil || !isFileOfItsOwn && !isAnothersNow, hasBytesElsewhere { return false }
        return own?.record.hash != file.hash || isFileOfItsOwn || isAnothersNow
    }

    /// The records without which no copy would be needed: the file's own, and others that have it as their asset. Who edits a file
    /// and attaches it, or renames one note over another, sends the record that is to have it, and takes the others away after
    /// that.
    package func recordsToGo(
        beforeAssetOf record: BaseEntry?, at text: FolderPath, hasBytesElsewhere: Bool
    ) -> Set<RecordName> {
        var names: Set<RecordName> = []
        var later = self
        for index in later.assetHolders.indices where later.assetHolders[index].zone != nil {
            let name = later.assetHolders[index].record.name
            guard name != record?.name else { continue }
            names.insert(name)
            later.assetHolders[index].zone = nil
        }
        for index in later.ownHolders.indices where later.ownHolders[index].zone != nil {
            names.insert(later.ownHolders[index].record.name)
            later.ownHolders[index].zone = nil
        }
        return later.isCopied(beforeAssetOf: record, at: text, hasBytesElsewhere: hasBytesElsewhere) ? [] : names
    }

    /// Whether both sides have the file as that of a record of its own, which is not to give way to another one.
    package var isKeptAsItsOwn: Bool {
        guard let file, let own = ownHolder, own.isFileRecord, own.zone != nil else { return false }
        return own.record.hash == file.hash && own.record.standing != .yielded
    }

    /// Whether the file is what came with another record over the bytes of this asset, and that record is known to have it no
    /// more. Nobody here made it what it is, so that it is no edit of the asset: what the zone has of it comes back. Not where
    /// it is a file of its own too, or somebody here has put it into one more text.
    package func isRemnant(over asset: AgreedAsset) -> Bool {
        guard let file, provenance.arrived == file.hash, ownHolder == nil else { return false }
        return provenance.overwritten.contains(asset.hash) && !texts.contains { $0.asset(at: path) == nil }
            && !isAsAgreedAsset
    }

    /// The records with these bytes as an asset here, whose texts name it although no file is here.
    package func records(missing hash: ContentHash) -> [BaseEntry] {
        guard file == nil else { return [] }
        return texts.lazy.filter { $0.asset(at: path)?.hash == hash }.compactMap(\.record)
    }

    /// Whether these bytes of an asset are to come here once more: a text that does not name them was changed by who could not
    /// see the file, and did not take it out.
    package func isAwaited(_ hash: ContentHash) -> Bool { file == nil && provenance.awaited == hash }

    /// Whether a record that brought these bytes here has changed in the zone, and is to be received: what becomes of them is
    /// known after that.
    package func isBeingReceived(_ hash: ContentHash) -> Bool {
        assetHolders.contains { holder in
            holder.hasAsset(hash, at: path) && !holder.isSilent && !holder.record.isCurrent(in: holder.zone)
        }
    }

    /// Whether the file is the asset of a record of which only a part is here as yet, such as a text that this device moved to
    /// where the zone has it. Nobody took the file out: it goes or stays when the record is received as a whole.
    /// - Parameter leaving: Records that are about to be deleted, and never received.
    package func isOfPartialRecord(besides leaving: Set<RecordName>) -> Bool {
        guard let file else { return false }
        return assetHolders.contains {
            $0.record.isPartial && $0.hasAsset(file.hash, at: path) && !leaving.contains($0.record.name)
        }
    }

    /// Whether the file has bytes that go nowhere with what a file record puts here: others than both sides agreed on for it, or
    /// those that a person keeps who took them out of another record.
    /// - Parameters:
    ///   - record: What both sides agreed on for the file record; `nil` where it is new.
    ///   - isChangedHere: Whether the file counts as changed on this device too.
    ///   - isPutBack: Whether that is because other bytes than its own were sent since both sides agreed on these.
    package func isCopied(beforeContentOf record: BaseEntry?, isChangedHere: Bool, isPutBack: Bool = false) -> Bool {
        guard let file else { return false }
        if isBeingTakenOut(file.hash, besides: record?.name) { return true }
        // Until the zone let it go, the file was another record's asset, and nobody here made it what it is.
        // One that a person put over that from elsewhere may be the only one, although it is equal.
        let agreed = record?.hash ?? (isFromElsewhere ? nil : provenance.letGo)
        return isChangedHere && (file.hash != agreed || isPutBack || record?.isRenewed ?? false)
    }

    /// Whether the file is another record's asset, which went over this one's equal file: it is none of its versions.
    private func isPutOver(_ asset: AgreedAsset, of record: BaseEntry?, at text: FolderPath) -> Bool {
        guard let file else { return false }
        // Somebody else did so, and here there is but one of the two.
        if isPutAnew(file.hash, besides: record?.name) { return true }
        guard let known = asset.file, known != file.file else { return false }
        return isNamedAnew(besides: text) || isCurrent(file.hash, besides: record?.name, as: file.file)
    }

    /// Whether these are the bytes that both sides agreed on for a file of its own that is here. Who attached it took it as it
    /// was, so that what this device wrote to it since is an edit of the asset. Not where that file went over to another record,
    /// with a person who moved it there: then nobody edited it, and others may have moved an equal one back.
    package func isAttachedAsAgreed(_ hash: ContentHash) -> Bool {
        guard file != nil, let own = ownHolder, own.isFileRecord, own.record.hash == hash else { return false }
        return own.record.file != .unknown && !isAgreedAsset(besides: own.record.name)
    }

    /// Whether the file goes into the history when a record leaves it: it is as both sides agreed on it for that record, and
    /// nothing else has a use for it.
    /// - Parameter text: The structured file of this record.
    package func goesToHistory(with asset: AgreedAsset, of name: RecordName?, at text: FolderPath) -> Bool {
        file?.hash == asset.hash && isLeft(by: name, at: text) && !claims.contains { isOnlyFile(of: $0, as: asset) }
    }

    /// Whether somebody gave the file, with these bytes, to a file record of the zone that another file stands for here: what
    /// both sides come to is that other one.
    private func isOnlyFile(of claim: PathClaim, as asset: AgreedAsset) -> Bool {
        claim.isFileRecord && claim.isChangedHere && isSame(asset, claim)
    }

    /// The same without some records and their texts, which are on their way out of the folder.
    package func without(_ records: Set<RecordName>) -> Custody {
        guard !records.isEmpty else { return self }
        var custody = self
        custody.assetHolders.removeAll { records.contains($0.record.name) }
        custody.texts.removeAll { $0.isBound && ($0.record.map { records.contains($0.name) } ?? false) }
        return custody
    }

    /// Whether nothing else has a use for a file that belonged to a record: no other text, no record of its own, and nobody who
    /// took it out or put it here.
    /// - Parameter text: The structured file of this record.
    package func isLeft(by name: RecordName?, at text: FolderPath) -> Bool {
        belongsOnly(to: name, at: text) && shownRecord == nil && !isFromElsewhere
    }

    /// Whether the file is no other record's than this one's, so that it goes along when the text does.
    /// - Parameter text: The structured file of this record.
    package func belongsOnly(to name: RecordName?, at text: FolderPath) -> Bool {
        !isAttached(besides: text, of: name) && !isAgreedAsset(besides: name) && ownHolder == nil
            && provenance.takenOut == nil
    }
}
