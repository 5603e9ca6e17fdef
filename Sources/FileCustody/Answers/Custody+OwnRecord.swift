package import SyncModel

/// What becomes of a file's own record while other records have to do with the file.
///
/// Who attaches a file that has a record of its own sends the record that names it, and deletes the other one in the same request.
/// Where the file was edited as well, or its record cannot go with the other one, that is deleted then: others see the one change
/// before the other, so it goes only where the zone has its bytes in another one.
extension Custody {
    /// Why nothing is to be done about a file's own record for now: it goes once another record has its bytes, or stays.
    package enum Wait: Hashable, Sendable {
        /// Structured files name it as an asset, and the zone has none of their records with it yet.
        case promised
        /// It gives way to a record of another kind, which is not in the zone yet.
        case outgrown
        /// The zone has a structured record in its place.
        case succeeded
        /// It came to be the asset of another record, of which nobody can say now whether it still is, or which is not here as a
        /// whole.
        case undecided
    }

    /// What an own record here waits for; `nil` where it waits for nothing.
    package func wait(of own: OwnHolder) -> Wait? {
        if isPromised(own) { return .promised }
        if isOutgrown(own) { return .outgrown }
        if own.isFileRecord, let successor, successor != own.record.name { return .succeeded }
        return isUndecided(own) ? .undecided : nil
    }

    /// Whether what is told the zone of a file that texts name may end otherwise than with an asset of one of their records.
    private func isPromised(_ own: OwnHolder) -> Bool {
        guard let file, own.fits, isAttached else { return false }
        return !texts.contains { text in
            guard let known = text.record, text.isCurrent, text.hash == known.hash else { return false }
            return known.assets.contains { $0.path == path && $0.hash == file.hash }
        }
    }

    private func isOutgrown(_ own: OwnHolder) -> Bool {
        guard file != nil, !isAttached, !own.isMute, !own.fits else { return false }
        return ownHolder.map { !$0.isBound } ?? true
    }

    private func isUndecided(_ own: OwnHolder) -> Bool {
        own.isFileRecord && (own.record.standing == .yielded || own.zone == nil) && !isAttached
            && (!silentHolders.isEmpty || isOfPartialRecord(besides: []))
    }

    /// The record at the path that has to give way to one of another kind, which is not in the zone yet.
    package var outgrownRecord: RecordName? {
        ownHolder.flatMap { isOutgrown($0) ? $0.record.name : nil }
    }

    /// The zone's version of the file's own record, where that goes in the request that brings the file to the zone as an asset of
    /// another record: others never see the one without the other, and neither goes for the sake of what the other was. Only where
    /// the file is what both sides agree on for it, so that nothing of it is lost; else it goes once the other record is there.
    /// - Parameter hash: The bytes that are sent as the asset.
    package func recordGivingWay(toAssetWith hash: ContentHash) -> RemoteEntry? {
        guard let own = ownHolder, own.isFileRecord, own.isCurrent,
            [.agreed, .confirmed].contains(own.record.standing),
            own.record.path == path, own.record.hash == hash, file?.hash == hash, wait(of: own) == .promised
        else { return nil }
        return own.zone
    }

    /// The structured record that takes the place of a file record that is gone from the zone, with its file. One that was
    /// edited here meanwhile, and still fits no structured record, is held for it.
    package var successor: RecordName? {
        guard let claim = claims.first, claim.record == nil, !claim.isFileRecord, isShown(claim),
            let own = ownHolder, own.zone == nil, own.isFileRecord, own.isBound
        else { return nil }
        return claim.zone.name
    }

    /// Whether a record takes the file over, and nobody here touched it.
    package func isTakenOverUntouched(by name: RecordName) -> Bool {
        guard successor == name, let own = ownHolder?.record, let file, !isFromElsewhere else { return false }
        return file.hash == own.hash && file.stamp.executable(orAgreed: own.executable) == own.executable
    }

    /// Whether a person took the file out of another record that both sides know with it: its own record may be about to go, or
    /// gone, by what other devices know.
    package func isTakenOut(_ own: OwnHolder) -> Bool {
        guard own.isFileRecord, !isAttached, silentHolders.isEmpty else { return false }
        let wasAttached = !assetHolders.isEmpty || own.zone == nil && provenance.takenOut != nil
        return switch own.record.standing {
        case .agreed, .leaving: wasAttached
        // Sent so once, and gone again: another device attached it anew, without knowing that.
        case .confirmed: wasAttached && own.zone == nil
        // It is noted already, or gives way to the other record.
        case .renewed, .renewedAsset, .yielded: false
        }
    }

    /// Whether another device may have attached the file without knowing that a person here took it out of a record: other texts
    /// name it, or may name it once they can be read, or the zone was told that it is a file of its own.
    package var mayBeAttachedElsewhere: Bool {
        isAttached || !silentHolders.isEmpty || ownHolder?.record.standing == .confirmed
    }

    // MARK: Where it is shown

    /// Whether a record of the zone that has the path is shown there, and not beside it.
    func isShown(_ claim: PathClaim) -> Bool { claim.isHolder && !isBesideAsset(claim) }

    /// Whether a file record is shown beside the path, because the file there is another record's asset.
    package func isBesideAsset(_ claim: PathClaim) -> Bool {
        guard claim.isFileRecord, isAttached, !isTakenIn(claim), !isFoundAttached(claim) else { return false }
        if let record = claim.record { return record.path != path || !record.isCurrent(in: claim.zone) }
        return agreedAsset.map { !isSame($0, claim) } ?? false
    }

    /// Whether a file record goes, because a person here attached its file to another record: also as somebody else sent it anew
    /// meanwhile, with the same bytes. Nobody else deletes it, so that to let it be would leave a second file with whoever has it.
    package func isTakenIn(_ claim: PathClaim) -> Bool {
        guard claim.isFileRecord, let record = claim.record, record.path == path, record.standing != .yielded else {
            return false
        }
        return agreedAsset.map { isSame($0, claim) } ?? false
    }

    /// Whether both sides have a file record as the asset that the file here is, with the same bytes, and that is not noted: they
    /// agree on it, and it gives way. Who deletes the file, or puts another one there, does so to both; unnoted, the zone would
    /// seem to have one more file, which nobody here has seen.
    package func isFoundAttached(_ claim: PathClaim) -> Bool {
        guard claim.isFileRecord, let asset = agreedAsset, asset.hash == file?.hash, isSame(asset, claim) else {
            return false
        }
        guard let record = claim.record else { return true }
        return record.path == path && record.standing == .yielded && !record.isUnchanged(in: claim.zone)
    }

    /// Whether a file record that is shown beside its path has the same bytes as the asset there: once is enough.
    package func isShownTwice(_ claim: PathClaim) -> Bool {
        guard claim.isFileRecord, let record = claim.record, record.path != path else { return false }
        return agreedAsset.map { isSame($0, claim) } ?? false
    }

    /// Whether nothing is to be done about a file record, because the file here is another record's asset: what that one comes
    /// to is not agreed yet, or they have the same bytes, and this record is about to go.
    package func isShadowed(_ claim: PathClaim) -> Bool {
        guard claim.isFileRecord, isAttached else { return false }
        guard let record = claim.record else { return agreedAsset.map { isSame($0, claim) } ?? true }
        return record.path == path && (agreedAsset == nil || recordNamingAgain(record) != nil)
            || record.standing == .yielded && record.isCurrent(in: claim.zone) && givesWay(record)
    }

    /// Whether there is still something for which a file record gives way: its bytes are here, or another record has them here. With
    /// another file in their place nobody else knows that it is to go.
    private func givesWay(_ record: BaseEntry) -> Bool {
        file?.hash == record.hash || assetHolders.contains { $0.hasAsset(record.hash, at: path) }
    }

    func isSame(_ asset: AgreedAsset, _ claim: PathClaim) -> Bool {
        !asset.checksum.isEmpty && asset.checksum == claim.checksum
    }

    /// What both sides agree on of the file record that has the bytes of an asset which nobody has any more: the file is its from
    /// now on. It is still to be received, for all but the bytes. `nil` where there is no such record.
    package func heir(of asset: AgreedAsset) -> BaseEntry? {
        guard let file, file.hash == asset.hash, !isAttached, !isFromElsewhere, let claim = claims.first,
            claim.isFileRecord, claim.record == nil, isShown(claim), isSame(asset, claim)
        else { return nil }
        let zone = claim.zone
        return BaseEntry(
            name: zone.name, recordType: zone.recordType, path: path, hash: file.hash,
            executable: file.stamp.executable, changeTag: zone.changeTag,
            createdMilliseconds: zone.createdMilliseconds,
            assets: zone.assets.filter { $0.checksum == asset.checksum }.map {
                AgreedAsset(field: $0.field, path: path, hash: file.hash, checksum: asset.checksum)
            }, file: file.file, modified: file.stamp.modified, isPartial: true)
    }

    // MARK: What is to be told

    /// The structured record whose text names the file again that was one of its own meanwhile, and was told to the zone so, or
    /// is to be: to the zone the text never changed, so that another device may have let the structured record go, and keeps
    /// the file by its own. That one goes once the zone took the structured record anew; `nil` where nothing is to be told.
    package func recordNamingAgain(_ own: OwnHolder) -> RecordName? {
        guard own.isFileRecord, own.zone != nil else { return nil }
        return recordNamingAgain(own.record)
    }

    private func recordNamingAgain(_ own: BaseEntry) -> RecordName? {
        guard [.renewed, .confirmed].contains(own.standing), let hash = file?.hash else { return nil }
        return texts.first { text in
            text.isBound && text.isCurrent
                && text.record?.assets.contains { $0.path == path && $0.hash == hash } ?? false
        }?.record?.name
    }
}
