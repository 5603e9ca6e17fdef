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

    /// The record of a file that was touched, or written to with the same bytes: it is still that file if it is renamed.
    public func touched(_ entry: LocalEntry) -> BaseEntry? {
        guard var base = baseRecord(at: entry.path), base.file == entry.file, base.hash == entry.hash,
            base.modified != entry.stamp.modified
        else { return nil }
        base.modified = entry.stamp.modified
        return base
    }

    /// Whether the file at a record's path is another record's, as that one was agreed on, which a person renamed over this
    /// one's. Where it still has its old name as well, it is a second link to it.
    func isRenamedOver(_ base: BaseEntry, by entry: LocalEntry) -> Bool {
        guard entry.path == base.path, let owner = baseByFile[entry.file].flatMap({ self.base[$0] }),
            owner.name != base.name, owner.path != entry.path
        else { return false }
        return entry.isUntouched(since: owner) && local[owner.path]?.file != entry.file
    }
}

extension SyncTrees {
    /// The record whose own file went over this one's, by device and inode, and has not become this one's for the zone yet.
    func arrival(over base: BaseEntry) -> RecordName? {
        guard let entry = local[base.path], let name = baseByFile[entry.file], name != base.name,
            let place = self.base[name]?.path, place != base.path, local[place]?.file != entry.file
        else { return nil }
        return name
    }
}

extension BaseEntry {
    var file: FileIdentity { FileIdentity(device: device, inode: inode) }
}

extension LocalEntry {
    /// Whether this is the file that a record was agreed on with, and it was not written to since. The number alone may have
    /// been given to a new file.
    func isUntouched(since base: BaseEntry) -> Bool {
        file == base.file && hash == base.hash && [0, stamp.modified].contains(base.modified)
    }

    var file: FileIdentity { FileIdentity(device: stamp.device, inode: stamp.inode) }
}
