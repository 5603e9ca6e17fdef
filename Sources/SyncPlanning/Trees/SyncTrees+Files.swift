public import SyncModel

/// What tells one file from another on one machine, whatever its name.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
}

/// Which record a file is known to be of, wherever it is now.
extension SyncTrees {
    /// The file that a record was last agreed on with; `nil` where that one went over another record's, whose it is now.
    func file(of base: BaseEntry) -> FileIdentity? {
        baseByFile[base.file] == base.name ? base.file : nil
    }

    /// Whether the file of a record is seen at another one's path, and not at its own. After a start nothing else tells
    /// which of the two had it last.
    func isFileElsewhere(than entry: BaseEntry) -> Bool {
        guard local[entry.path]?.file != entry.file,
            let holder = baseByFile[entry.file].flatMap({ base[$0] }), holder.name != entry.name
        else { return false }
        return local[holder.path]?.file == entry.file
    }

    /// The record whose file a person renamed to the path of this one, over its file: an edit, be the bytes the same.
    ///
    /// They are at the other path no more. So this record has to have a new tag, to which a deletion elsewhere yields,
    /// before that one goes.
    public func record(renamedOver name: RecordName, as entry: LocalEntry) -> RecordName? {
        // A number that was given to a new file comes with other bytes.
        guard let owner = baseByFile[entry.file].flatMap({ base[$0] }), owner.name != name, owner.hash == entry.hash,
            owner.path != entry.path, local[owner.path]?.file != entry.file
        else { return nil }
        return owner.name
    }

    /// An agreement for which nothing was sent: where another record's file was renamed over this one's, it stays that
    /// one's until the zone was told.
    public func unsent(_ agreement: BaseEntry) -> BaseEntry {
        guard let entry = local[agreement.path], entry.file == agreement.file,
            record(renamedOver: agreement.name, as: entry) != nil
        else { return agreement }
        var agreement = agreement
        let former = base[agreement.name]?.file
        agreement.device = former?.device ?? 0
        agreement.inode = former?.inode ?? 0
        return agreement
    }
}

extension BaseEntry {
    var file: FileIdentity { FileIdentity(device: device, inode: inode) }
}

extension LocalEntry {
    var file: FileIdentity { FileIdentity(device: stamp.device, inode: stamp.inode) }
}
