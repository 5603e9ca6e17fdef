package import SyncModel

/// All that is known of the file at one path: what it is, who has, had, names or claims it, and where it may be from.
///
/// It is a value, and its answers are functions of it alone: whose the file is, what becomes of its own record, what has to be
/// done before something is written over it, and whether it goes when the text that named it does. They keep one rule: bytes
/// that are only here are never replaced or removed without a copy.
package struct Custody: Hashable, Sendable {
    package var path: FolderPath
    /// As last seen; `nil` where no file is known to be there.
    package var file: LocalEntry?
    /// Whether the file is the very one that records have as their asset here, by device and inode.
    package var isKnownAsset = false
    /// The structured files that name the path, by their paths.
    package var texts: [NamingText] = []
    /// The records that both sides agreed on with the path as an asset, by their names.
    package var assetHolders: [AssetHolder] = []
    /// The records that both sides agreed on with the path as their own: several while one takes another's place.
    package var ownHolders: [OwnHolder] = []
    /// The records of the zone that claim the path, first the one that holds it.
    package var claims: [PathClaim] = []
    /// Where else records know this file, by device and inode, likeliest first. Not where a text names it anew, which tells
    /// as much by itself.
    package var otherPlaces: [FilePlace] = []
    package var provenance = Provenance()

    /// Nothing is known of a path.
    package init(of path: FolderPath) { self.path = path }
}

/// A structured file that names a path as an asset.
package struct NamingText: Hashable, Sendable {
    package var path: FolderPath
    /// Of its bytes.
    package var hash: ContentHash?
    /// What both sides last agreed on for it.
    package var record: BaseEntry?
    /// Whether the zone has the record as it was agreed on.
    package var isCurrent = false
    /// Whether the text is that record's.
    package var isBound = false

    /// A text without a record.
    package init(at path: FolderPath, hash: ContentHash?) { (self.path, self.hash) = (path, hash) }

    /// The record's asset at a path.
    func asset(at path: FolderPath) -> AgreedAsset? { record?.assets.first { $0.path == path } }
}

/// A record that both sides agreed on with a path as an asset, or with several.
package struct AssetHolder: Hashable, Sendable {
    package var record: BaseEntry
    /// What the zone has of it now.
    package var zone: RemoteEntry?
    /// The file at the record's path.
    package var text: LocalEntry?
    /// Whether its text cannot say now if the path is an asset of it still: it is broken, not where it was, or names what may
    /// be on its way after it.
    package var isSilent: Bool

    package init(_ record: BaseEntry, zone: RemoteEntry?, text: LocalEntry?, isSilent: Bool) {
        (self.record, self.zone, self.text, self.isSilent) = (record, zone, text, isSilent)
    }

    /// Whether the zone has an asset of it as both sides agreed on it.
    func isCurrent(_ asset: AgreedAsset) -> Bool {
        zone?.assets.contains {
            $0.field == asset.field && $0.index == asset.index && $0.checksum == asset.checksum
        } ?? false
    }

    /// Whether both sides agreed that these bytes are its asset at a path.
    func hasAsset(_ hash: ContentHash, at path: FolderPath) -> Bool {
        record.assets.contains { $0.path == path && $0.hash == hash }
    }
}

/// A record that both sides agreed on with a path as its own.
package struct OwnHolder: Hashable, Sendable {
    package var record: BaseEntry
    /// What the zone has of it now.
    package var zone: RemoteEntry?
    /// Whether it is the record of a file that is no structured one.
    package var isFileRecord: Bool
    /// Whether the file can be a version of it: a record's type never changes.
    package var fits: Bool
    /// Whether the file says nothing of the record, and is its file all the same.
    package var isMute: Bool
    /// Whether the file is its.
    package var isBound: Bool

    package init(
        _ record: BaseEntry, zone: RemoteEntry?, isFileRecord: Bool, fits: Bool, isMute: Bool, isBound: Bool
    ) {
        (self.record, self.zone, self.isFileRecord) = (record, zone, isFileRecord)
        (self.fits, self.isMute, self.isBound) = (fits, isMute, isBound)
    }

    /// Whether the zone has it as it was agreed on.
    var isCurrent: Bool { record.isCurrent(in: zone) }

    /// Whether it is a file whose bytes are others in the zone by now than both sides agreed on.
    var isOutdated: Bool {
        guard isFileRecord, let zone, let known = record.assets.first else { return false }
        return zone.assets.contains { $0.field == known.field && $0.checksum != known.checksum }
    }
}

/// A record of the zone that claims a path.
package struct PathClaim: Hashable, Sendable {
    package var zone: RemoteEntry
    /// What both sides agreed on for it, at whatever path.
    package var record: BaseEntry?
    package var isFileRecord: Bool
    /// The server's checksum of its bytes, where it is the record of a file.
    package var checksum: String?
    /// Whether no other record keeps the path from it.
    package var isHolder: Bool
    /// Whether the file that both sides agreed on for it, wherever that is, has other bytes by now, or is gone.
    package var isChangedHere = false

    package init(_ zone: RemoteEntry, record: BaseEntry?, isFileRecord: Bool, checksum: String?, isHolder: Bool) {
        (self.zone, self.record, self.isFileRecord) = (zone, record, isFileRecord)
        (self.checksum, self.isHolder) = (checksum, isHolder)
    }
}

/// Another path at which a record knows the file.
package struct FilePlace: Hashable, Sendable {
    package var known: AgreedFile
    /// Whether the file is there as well, as after a link was made.
    package var isSeenThere: Bool
    /// Whether another file is there, for which the record goes on.
    package var isReplaced: Bool

    package init(_ known: AgreedFile, isSeenThere: Bool, isReplaced: Bool) {
        (self.known, self.isSeenThere, self.isReplaced) = (known, isSeenThere, isReplaced)
    }
}
