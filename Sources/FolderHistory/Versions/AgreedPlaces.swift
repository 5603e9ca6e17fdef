import SyncModel

/// Where the files are that both sides agree on, which tells one that has another name now from another one with the same bytes.
struct AgreedPlaces {
    /// What is agreed on for one path; several records may have it.
    struct Agreed: Hashable {
        var hashes: Set<ContentHash> = []
        /// Which file it was, as far as known.
        var files: Set<FileIdentity> = []
    }

    /// By path; all but structured files, whose text is stored.
    private(set) var files: [FolderPath: Agreed] = [:]
    /// Which files records have at a path; `.unknown` for one of which that is not known.
    private var owners: [FolderPath: Set<FileIdentity>] = [:]
    /// All files of records.
    private var owned: Set<FileIdentity> = []

    mutating func add(_ record: BaseEntry) {
        own(record.path, record.file)
        for asset in record.assets {
            let file = asset.file ?? (asset.path == record.path ? record.file : .unknown)
            own(asset.path, file)
            files[asset.path, default: Agreed()].hashes.insert(asset.hash)
            if file != .unknown { files[asset.path, default: Agreed()].files.insert(file) }
        }
    }

    private mutating func own(_ path: FolderPath, _ file: FileIdentity) {
        owners[path, default: []].insert(file)
        owned.insert(file)
    }

    /// Whether no record has a path, nor the file at it.
    func isFree(_ place: FolderPath, _ file: FileIdentity) -> Bool {
        owners[place] == nil && !owned.contains(file) && !owned.contains(file.number)
    }

    /// Whether a file that left its path is the one at another: it is so itself, or, where that is free, by its bytes, as after a
    /// copy and a deletion.
    ///
    /// A synced file with the same bytes is one in its own right: it stays what it is, whatever becomes of the other.
    /// - Parameter hash: Of the file at the other path, when it was last looked at.
    func isRenamed(_ path: FolderPath, to place: FolderPath, _ file: FileIdentity, _ hash: ContentHash) -> Bool {
        guard let agreed = files[path] else { return false }
        let hasBytes = agreed.hashes.contains(hash)
        // The number alone may be a deleted file's.
        let isItself = agreed.files.contains { $0.isSame(as: file) && ($0.born != 0 || hasBytes) }
        guard let owners = owners[place] else { return isItself || hasBytes && isFree(place, file) }
        // A hard link has both names.
        return isItself && !owners.contains { $0 == .unknown || $0.isSame(as: file) }
    }
}

extension FileIdentity {
    /// Without when it was made.
    var number: FileIdentity { FileIdentity(device: device, inode: inode) }
}
