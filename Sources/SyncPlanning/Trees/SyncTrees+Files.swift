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

    /// An agreement for which nothing was sent: a file that a person moved over an equal one stays its own record's.
    ///
    /// The zone has nothing new that a deletion of this record would have to yield to. So its own record, which is known
    /// by the file, is to follow it here, and not to be deleted because its path is empty.
    public func unsent(_ agreement: BaseEntry) -> BaseEntry {
        guard let owner = baseByFile[agreement.file].flatMap({ base[$0] }), owner.name != agreement.name,
            owner.hash == agreement.hash, local[owner.path]?.file != agreement.file
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
