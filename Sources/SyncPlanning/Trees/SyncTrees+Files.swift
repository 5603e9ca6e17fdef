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

    /// Whether the file at a record's path is another record's, which a person renamed over this one's. Where it has the
    /// bytes that this one was agreed on with, it has to be as that one was agreed on.
    func isRenamedOver(_ base: BaseEntry, by entry: LocalEntry) -> Bool {
        guard entry.path == base.path, let owner = stranger(at: entry.path), !isSeenAtItsPath(owner)
        else { return false }
        return entry.hash != base.hash || entry.isUntouched(since: owner)
    }

    /// The record whose own file went to a path that the zone does not have it at: until it has, the zone has the bytes of
    /// that record alone. A file that still has its old name as well has a second link, and went nowhere.
    func newcomer(at path: FolderPath) -> RecordName? {
        owedStranger(at: path).flatMap { isSeenAtItsPath($0) ? nil : $0.name }
    }

    /// The structured record that has an asset at a path over which a person renamed another record's equal file: nothing
    /// shows the zone that, and what another device does with the old path, or did with this one, is done without knowledge
    /// of it. `nil` where the zone was told.
    func recordToRenew(at path: FolderPath) -> RecordName? {
        guard isFromElsewhere(path), agreedAsset(at: path)?.hash == local[path]?.hash else { return nil }
        let records = (owners[path] ?? []).sorted().compactMap { baseRecord(at: $0) }.filter(isBound)
        return records.contains { $0.standing == .confirmed } ? nil : records.first?.name
    }

    /// Whether a file is another record's own, as that one was agreed on, which a person renamed to this path, and nothing has
    /// taken its old place. The number alone may have been given to a new file.
    public func isFromElsewhere(_ path: FolderPath) -> Bool {
        guard let owner = stranger(at: path), owner.hash == local[path]?.hash else { return false }
        return !isSeenAtItsPath(owner) && !isBound(owner)
    }

    /// Whether a path is to be looked at again until the zone has what is there, for that is another record's file, or will
    /// be when its other link goes.
    func owesStranger(at path: FolderPath) -> Bool {
        owedStranger(at: path) != nil
    }

    /// The record whose own file, or a link to it, is at a path that the zone does not have it at.
    ///
    /// What went over another record's file is told by device and inode, whatever was written to it since. At a path that no
    /// record has it is the same file with the same bytes: the number alone may have been given to a new one.
    private func owedStranger(at path: FolderPath) -> BaseEntry? {
        guard let owner = stranger(at: path), let entry = local[path] else { return nil }
        if isAttached(path) {
            let isKnown = agreedAsset(at: path)?.hash == entry.hash && recordToRenew(at: path) == nil
            return entry.hash == owner.hash && !isKnown ? owner : nil
        }
        guard let base = baseRecord(at: path), isBound(base) else { return entry.hash == owner.hash ? owner : nil }
        let isAgreed = entry.hash == base.hash && base.changeTag == remote[base.name]?.changeTag
        return isAgreed && !isRenamedOver(base, by: entry) ? nil : owner
    }

    /// The record whose own file is at a path that is another one's, or nobody's.
    private func stranger(at path: FolderPath) -> BaseEntry? {
        guard let entry = local[path], let owner = baseByFile[entry.file].flatMap({ base[$0] }), owner.path != path
        else { return nil }
        return owner
    }

    private func isSeenAtItsPath(_ base: BaseEntry) -> Bool {
        local[base.path]?.file == base.file
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
