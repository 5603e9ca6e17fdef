package import FileCustody
package import SyncModel

/// The facts of one path, gathered from the three trees and what is remembered besides.
extension SyncTrees {
    /// All that is known of the file at a path.
    /// - Parameter places: Where files of records are that were renamed, so that they can say what they name once that is there.
    package func custody(of path: FolderPath, renamed places: [RecordName: FolderPath] = [:]) -> Custody {
        var custody = Custody(of: path)
        custody.file = local[path]
        custody.isKnownAsset = custody.file.map { agreed.assetPaths[$0.file] == path } ?? false
        custody.texts = (owners[path]?.sorted() ?? []).map { namingText(at: $0) }
        custody.assetHolders = (agreed.byAsset[path]?.sorted() ?? []).compactMap { name in
            base[name].map { assetHolder($0, renamedTo: places[name]) }
        }
        custody.ownHolders = baseRecords(at: path).map { ownHolder($0, of: custody.file) }
        custody.claims = claims.claimants(of: path).compactMap { remote[$0].map { claim($0, to: path) } }
        custody.provenance = provenance[path]
        custody.otherPlaces = otherPlaces(at: path, of: custody.file)
        return custody
    }

    private func namingText(at path: FolderPath) -> NamingText {
        var text = NamingText(at: path, hash: local[path]?.hash)
        guard let record = baseRecord(at: path) else { return text }
        text.record = record
        text.isCurrent = record.isCurrent(in: remote[record.name])
        text.isBound = isBound(record)
        return text
    }

    private func assetHolder(_ record: BaseEntry, renamedTo place: FolderPath?) -> AssetHolder {
        let text = (place ?? (isBound(record) ? record.path : nil)).flatMap { local[$0] }
        let isSilent =
            text.map { text in
                // What it names may be on its way after it.
                isMute(text.form, of: record)
                    || place != nil && text.form.attachments.contains { !local.contains($0.path) }
            } ?? true
        return AssetHolder(record, zone: remote[record.name], text: local[record.path], isSilent: isSilent)
    }

    private func ownHolder(_ record: BaseEntry, of file: LocalEntry?) -> OwnHolder {
        OwnHolder(
            record, zone: remote[record.name], isFileRecord: record.recordType == fileRecordType,
            fits: file.map { canBind($0.form, to: record) } ?? false,
            isMute: file.map { isMute($0.form, of: record) } ?? false, isBound: isBound(record))
    }

    /// A record of the zone, as one that claims a path.
    private func claim(_ entry: RemoteEntry, to path: FolderPath) -> PathClaim {
        let record = base[entry.name]
        var claim = PathClaim(
            entry, record: record, isFileRecord: entry.recordType == fileRecordType,
            checksum: entry.assets.first { $0.field == ContentSource.fileField }?.checksum,
            isHolder: claims.path(of: entry) == path)
        claim.isChangedHere = record.map { local.file(at: $0.path, with: $0.hash) == nil } ?? false
        return claim
    }

    /// Whether nothing is to be done about a record, because its file is another record's asset.
    package func isShadowed(_ name: RecordName) -> Bool {
        shadow(of: name).map { $0.custody.isShadowed($0.claim) } ?? false
    }

    /// Whether a file record goes, because a person here attached its file to another record.
    package func isTakenIn(_ name: RecordName) -> Bool {
        shadow(of: name).map { $0.custody.isTakenIn($0.claim) } ?? false
    }

    /// What both sides agree on of a file record that was found to be an asset of another record as well, and gives way to that;
    /// `nil` where that is not so, or is noted. What the record says of its file besides the bytes is not in it.
    package func foundAttached(_ name: RecordName) -> BaseEntry? {
        guard let (custody, claim) = shadow(of: name), custody.isFoundAttached(claim), let asset = custody.agreedAsset
        else { return nil }
        let content = AgreedAsset(
            field: ContentSource.fileField, path: custody.path, hash: asset.hash, checksum: asset.checksum)
        return BaseEntry(
            name: name, recordType: fileRecordType, path: custody.path, hash: asset.hash,
            changeTag: claim.zone.changeTag, createdMilliseconds: claim.zone.createdMilliseconds, assets: [content],
            file: .unknown, standing: .yielded)
    }

    /// Whether a file record that is shown beside its path has the same bytes as the asset there.
    package func isShownTwice(_ name: RecordName) -> Bool {
        shadow(of: name).map { $0.custody.isShownTwice($0.claim) } ?? false
    }

    /// Whether a file record is shown beside its path, because the file there is another record's asset.
    func isBesideAsset(_ name: RecordName) -> Bool {
        shadow(of: name).map { $0.custody.isBesideAsset($0.claim) } ?? false
    }

    /// What is known of the file where a file record has its claim; `nil` where no text names that as an asset.
    private func shadow(of name: RecordName) -> (custody: Custody, claim: PathClaim)? {
        guard let entry = remote[name], entry.recordType == fileRecordType else { return nil }
        let path = claims.path(of: entry)
        guard owners[path] != nil else { return nil }
        return (custody(of: path), claim(entry, to: path))
    }

    // MARK: Where the file may be from

    /// The marked paths with files that records know at other paths.
    package var pathsOfKnownFiles: [FolderPath] {
        dirtyPaths.filter { path in local[path].map { isKnownElsewhere($0, at: path) } ?? false }
    }

    /// A file as the records know it that have it as an asset at another path, where nothing is now, and those records: what
    /// becomes of it where it is, the zone has it still.
    package func missing(_ file: LocalEntry) -> (known: AgreedFile, records: [BaseEntry])? {
        guard let known = assetFile(file.file), known.path != file.path, known.hash == file.hash else { return nil }
        let records = custody(of: known.path).records(missing: known.hash)
        return records.isEmpty ? nil : (known, records)
    }

    /// Whether a person moved a file to where it is from where other records than this one had it as an asset, and took it out of
    /// one of those, as the zone does not know yet: once it does, the file is nowhere but here.
    package func isTakenOutElsewhere(_ file: LocalEntry, besides name: RecordName?) -> Bool {
        guard let known = assetFile(file.file), known.path != file.path, known.hash == file.hash else { return false }
        return custody(of: known.path).isBeingTakenOut(known.hash, besides: name)
    }

    private func otherPlaces(at path: FolderPath, of file: LocalEntry?) -> [FilePlace] {
        guard let file else { return [] }
        return knownFiles(file).compactMap { known in
            guard known.path != path, !isNamedAgain(known, at: path) else { return nil }
            return FilePlace(known, isSeenThere: isSeenAtItsPath(known), isReplaced: isReplaced(known))
        }
    }

    private func isKnownElsewhere(_ file: LocalEntry, at path: FolderPath) -> Bool {
        knownFiles(file).contains { $0.path != path }
    }

    /// A file as records know it. Of two that do, the one that was agreed on with it last has it at its path, unless the number
    /// was given to a new file since.
    private func knownFiles(_ file: LocalEntry) -> [AgreedFile] {
        [assetFile(file.file), ownFile(file.file), provenance[file.path].origin].compactMap(\.self)
    }

    /// Whether a record that had a file as an asset names it where it is now, which is told with its text. The record's own
    /// file may have been renamed as well.
    private func isNamedAgain(_ known: AgreedFile, at path: FolderPath) -> Bool {
        guard known.isAsset, let owners = owners[path] else { return false }
        return (agreed.byAsset[known.path] ?? []).contains { name in
            guard let base = base[name] else { return false }
            return owners.contains { $0 == base.path || local[$0]?.file == base.file }
        }
    }

    /// Whether there is a file again where this one was, for which its record goes on.
    private func isReplaced(_ known: AgreedFile) -> Bool {
        known.isAsset ? local.contains(known.path) : base[known.record].map { isBound($0) } ?? false
    }

    func isSeenAtItsPath(_ known: AgreedFile) -> Bool { folder.isSeenAtItsPath(known) }
}
