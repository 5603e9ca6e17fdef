import SyncModel

/// What both sides last agreed on, and which record has which path, file and content by that.
struct AgreedTree: Sendable {
    private(set) var records: TreeTable<BaseEntry>
    /// The record type of files that are no structured records.
    let fileRecordType: String
    /// Records of structured files by the files that they have as assets.
    private(set) var byAsset: [FolderPath: Set<RecordName>] = [:]
    /// Where structured records have files as assets; not those that a record at another path was agreed on with as its own
    /// since.
    private(set) var assetPaths: [FileIdentity: FolderPath] = [:]
    /// Records of which the store has other files than they have.
    private var recordsOfOtherFiles: Set<RecordName> = []
    private var index: BaseIndex

    init(fileRecordType: String, in memory: any RowMemory) {
        self.fileRecordType = fileRecordType
        records = TreeTable(in: memory)
        index = BaseIndex(fileRecordType: fileRecordType, in: memory)
    }

    // MARK: Questions

    /// The record whose file is at a path; there may be ``rivals``.
    func entry(at path: FolderPath) -> BaseEntry? { index.entry(at: path, in: records) }

    /// The record that has a file as its own.
    func entry(of file: FileIdentity) -> BaseEntry? { index.entry(of: file, in: records) }

    /// The record that holds a content in the zone.
    func entry(with content: ContentHash) -> BaseEntry? { index.entry(with: content, in: records) }

    /// Whether a record has the file that was agreed on for it as its own: no other one was agreed on with that file since.
    func hasItsFile(_ entry: BaseEntry) -> Bool { index.hasItsFile(entry, in: records) }

    /// Further records at a path, while one takes the place of another.
    var rivals: [FolderPath: Set<RecordName>] { index.rivals }

    /// What was agreed on for a file as an asset of structured records. Of several that have it, one tells.
    func assetFile(_ file: FileIdentity) -> AgreedFile? {
        guard let path = assetPaths[file] else { return nil }
        return byAsset[path]?.sorted().lazy.compactMap { records[$0]?.assetFile(file, at: path) }.first
    }

    /// The assets that are files besides the record's own.
    func attached(to entry: BaseEntry) -> [AgreedAsset] { entry.recordType == fileRecordType ? [] : entry.assets }

    /// The records of which the store has other files than they have.
    var unstored: [BaseEntry] { recordsOfOtherFiles.sorted().compactMap { records[$0] } }

    // MARK: Changes

    /// Takes in a record that was not there, or was taken out.
    /// - Parameter folder: It tells where a file is that two records know.
    mutating func insert(_ entry: BaseEntry, seenIn folder: LocalTree) {
        let row = records.add(entry)
        index.insert(entry, at: row, in: records)
        for asset in attached(to: entry) { byAsset[asset.path, default: []].insert(entry.name) }
        takeFiles(of: entry, inRow: row, seenIn: folder)
    }

    /// What is agreed on anew as it was has its files anew.
    mutating func insertAgain(_ entry: BaseEntry, seenIn folder: LocalTree) {
        recordsOfOtherFiles.remove(entry.name)
        guard let row = records.row(of: entry.name) else { return }
        takeFiles(of: entry, inRow: row, seenIn: folder)
    }

    /// Takes out a record that is there.
    mutating func remove(_ entry: BaseEntry) {
        recordsOfOtherFiles.remove(entry.name)
        index.remove(entry, in: records)
        for asset in attached(to: entry) {
            byAsset[asset.path]?.remove(entry.name)
            if byAsset[asset.path]?.isEmpty == true { byAsset[asset.path] = nil }
        }
        records[entry.name] = nil
        for file in attached(to: entry).compactMap(\.file) where assetFile(file) == nil { assetPaths[file] = nil }
    }

    /// Puts an entry in the place of one that has the same path, files and contents.
    mutating func amend(_ entry: BaseEntry) { records[entry.name] = entry }

    /// The store has other files of a record than the record has.
    mutating func noteUnstored(_ name: RecordName) { recordsOfOtherFiles.insert(name) }

    /// The store has all.
    mutating func noteStored() { recordsOfOtherFiles = [] }

    // MARK: Whose a file is

    /// The files of a record are its from now on, and no other one's. One that is seen where another record has it, and not where
    /// this one had it, stays that one's.
    private mutating func takeFiles(of entry: BaseEntry, inRow row: Int, seenIn folder: LocalTree) {
        takeOwnFile(of: entry, inRow: row, seenIn: folder)
        for asset in attached(to: entry).compactMap({ entry.file(of: $0) }) {
            let other = assetFile(asset.file)
            if folder.isElsewhere(asset, at: other) || folder.isElsewhere(asset, at: ownFile(asset.file)) {
                change(entry.name) { $0.loseAsset(asset.file, at: asset.path) }
                continue
            }
            if let other, other.path != asset.path { loseAsset(asset.file, at: other.path) }
            // The store tells of no order: of two that it has with one file, another one would have it after a start.
            if let own = ownFile(asset.file), own.path != asset.path { loseFile(asset.file, own.record) }
            assetPaths[asset.file] = asset.path
        }
    }

    private mutating func takeOwnFile(of entry: BaseEntry, inRow row: Int, seenIn folder: LocalTree) {
        let own = entry.ownFile
        guard own.file != .unknown else { return }
        let other = self.entry(of: own.file)
        if folder.isElsewhere(own, at: other?.ownFile) {
            loseFile(own.file, entry.name)
        } else {
            if let other, other.name != own.record { loseFile(own.file, other.name) }
            if other?.name != own.record { index.insert(fileOf: entry, at: row) }
        }
        if let asset = assetFile(own.file), asset.path != own.path, !folder.isElsewhere(own, at: asset) {
            loseAsset(own.file, at: asset.path)
        }
    }

    private func ownFile(_ file: FileIdentity) -> AgreedFile? { entry(of: file)?.ownFile }

    /// A record has its own file no more.
    private mutating func loseFile(_ file: FileIdentity, _ name: RecordName) {
        change(name) { entry in
            if entry.file == file { entry.file = .unknown }
        }
    }

    /// No record has a file as an asset at a path any more.
    private mutating func loseAsset(_ file: FileIdentity, at path: FolderPath) {
        for name in byAsset[path] ?? [] { change(name) { $0.loseAsset(file, at: path) } }
        assetPaths[file] = nil
    }

    private mutating func change(_ name: RecordName, _ body: (inout BaseEntry) -> Void) {
        guard let old = records[name] else { return }
        var entry = old
        body(&entry)
        guard entry != old else { return }
        if entry.file != old.file { index.remove(fileOf: old, in: records) }
        records[name] = entry
        recordsOfOtherFiles.insert(name)
    }
}
