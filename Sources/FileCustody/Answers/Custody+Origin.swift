package import SyncModel

/// Whether the file is another record's, that a person renamed to here.
///
/// Which file it is tell the device and the inode. The number alone may have been given to a new file, so that wherever nothing
/// else tells, the bytes have to be the same as well.
extension Custody {
    /// A record's file that is here at a path which is another one's, or nobody's.
    private var otherPlace: FilePlace? {
        guard let file else { return nil }
        return otherPlaces.first { $0.known.hash == file.hash } ?? otherPlaces.first
    }

    /// The file that a person renamed to here, as another record has it.
    private var renamedFile: FilePlace? {
        otherPlace.flatMap { $0.known.hash == file?.hash && !$0.isSeenThere ? $0 : nil }
    }

    /// Whether the file is another record's, as that one was agreed on, which a person renamed to here.
    package var isRenamedHere: Bool { renamedFile != nil }

    /// Whether the file is another record's asset, as that one was agreed on, which a person renamed to here.
    package var isRenamedAsset: Bool { renamedFile?.known.isAsset ?? false }

    /// The file that a person renamed to here while its old place got another one: once the zone has that, nothing else tells
    /// where this one came from.
    package var originToNote: AgreedFile? { renamedFile.flatMap { $0.isReplaced ? $0.known : nil } }

    /// Whether the file is another record's, as that one was agreed on, which a person renamed to here. Where something has
    /// taken its old place, an asset is known by the file and its bytes, and a file of its own by when these last changed as
    /// well.
    package var isFromElsewhere: Bool {
        guard let place = renamedFile, let file else { return false }
        let known = place.known
        return !place.isReplaced || known.isAsset || known.modified != 0 && file.isUntouched(since: known)
    }

    /// Whether a person may have put the file here while nobody looked, and no record of both sides has it here.
    package var isUnwatched: Bool { provenance.isUnwatched && file != nil && !isKnownAsset }

    /// The other record's file that a person renamed over this one's; `nil` where that is not so. Where what is there has the
    /// bytes that this one was agreed on with, it has to be as that one was agreed on.
    package func renamedOver(_ own: BaseEntry) -> AgreedFile? {
        guard let file, own.path == path, let place = otherPlace, !place.isSeenThere else { return nil }
        return file.hash != own.hash || file.isUntouched(since: place.known) ? place.known : nil
    }

    /// The record whose own file went to here, where the zone does not have it: until it has, the zone has the bytes of that
    /// record alone. A file that still has its old name as well has a second link, and went nowhere.
    package var newcomer: RecordName? {
        owedPlace.flatMap { $0.known.isAsset || $0.isSeenThere ? nil : $0.known.record }
    }

    /// Whether the path is to be looked at again until the zone has what is there, for that is another record's file, or will be
    /// when its other link goes.
    package var isOwed: Bool { owedPlace != nil }

    /// The record's file, or a link to it, that is here where the zone does not have it.
    ///
    /// What went over another record's file is told by device and inode, whatever was written to it since. At a path that no
    /// record has it is the same file with the same bytes: the number alone may have been given to a new one.
    private var owedPlace: FilePlace? {
        guard let place = otherPlace, let file else { return nil }
        let hasItsBytes = file.hash == place.known.hash
        if isAttached {
            let isKnown = agreedAsset?.hash == file.hash && recordToRenew == nil
            return hasItsBytes && !isKnown ? place : nil
        }
        guard let own = ownHolder, own.isBound else { return hasItsBytes ? place : nil }
        let isAgreed = file.hash == own.record.hash && own.isCurrent
        return isAgreed && renamedOver(own.record) == nil ? nil : place
    }

    /// The structured record that has an asset here over which a person renamed another record's equal file: nothing shows the
    /// zone that, and what another device does with the old path, or did with this one, is done without knowledge of it. `nil`
    /// where the zone was told.
    package var recordToRenew: RecordName? {
        guard let file, isFromElsewhere, agreedAsset?.hash == file.hash, !isKnownAsset else { return nil }
        return texts.first(where: \.isBound)?.record?.name
    }

    /// Whether the zone is to be told of an asset here that it is another file than before, although its bytes are what both
    /// sides agreed on: a person put another record's file there, or put it where an equal one is.
    package func isToldAnew(_ known: AgreedAsset, of record: BaseEntry) -> Bool {
        guard let file, known.hash == file.hash else { return false }
        if known.path != path {
            if let own = ownHolder, own.isFileRecord, own.record.hash == known.hash { return true }
            // Where it is another file, the text came to name the other record's, and they share it from now on.
            let isMoved = known.file != nil && known.file == file.file
            if isMoved, isCurrent(known.hash, besides: record.name) { return true }
        }
        // A text that was renamed as well says nothing of it before it is sent, and afterwards it would count as told.
        return isFromElsewhere && (record.isRenewed || !isKnownAsset)
    }

    /// Which file an asset is that stays as it is; `nil` where a person put it there from elsewhere, or may have done so while
    /// nobody looked, which is still to be told.
    package func agreedFile(as known: AgreedAsset?) -> FileIdentity? {
        if known?.path == path, known?.file == file?.file { return file?.file }
        return isFromElsewhere || isUnwatched ? nil : file?.file
    }
}
