public import SyncModel

/// The three trees, the indexes between them, and what in them changed since it was last planned.
///
/// Everything that changes an entry marks what may have to be planned again, so that a cycle costs by the change
/// and not by the size of the folder.
public struct SyncTrees: Sendable {
    /// What the folder holds, as last seen.
    public var local: TreeTable<LocalEntry> { _read { yield folder.files } }
    /// What the zone holds, as last fetched.
    public var remote: TreeTable<RemoteEntry> { _read { yield claims.records } }
    /// What both sides last agreed on.
    public private(set) var base: TreeTable<BaseEntry>
    /// Which record is shown where.
    public private(set) var claims: PathClaims
    /// The record type of files that are no structured records.
    public let fileRecordType: String

    /// What happened to files that no tree tells.
    public internal(set) var provenance = ProvenanceIndex()

    /// The files of the folder.
    private var folder: LocalTree
    /// Where the files are that fit no structured record.
    var unfitFiles: Set<FolderPath> { folder.unfitFiles }
    /// Files that were not read, because they are larger than anything that is sent.
    var unreadFiles: Set<FolderPath> { folder.unreadFiles }
    /// Structured files by the files that their asset fields name.
    package var owners: [FolderPath: Set<FolderPath>] { _read { yield folder.owners } }

    /// What changed since it was last planned.
    package var marks = PlanningMarks()

    /// Which record of the base has which path, file and content.
    private var baseIndex: BaseIndex
    /// Where structured records have files as assets; not those that a record at another path was agreed on with as its own
    /// since.
    private(set) var assetPaths: [FileIdentity: FolderPath] = [:]
    /// Records of which the store has other files than they have.
    private var recordsOfOtherFiles: Set<RecordName> = []
    /// Records of structured files by the files that they have as assets.
    private(set) var baseByAsset: [FolderPath: Set<RecordName>] = [:]
    /// Whether new ones of these wait until they are mended.
    let holdsUnfitFiles: Bool

    /// - Parameters:
    ///   - fileRecordType: The record type of files that are no structured records.
    ///   - holdsUnfitFiles: Whether new files that fit no structured record wait until they are mended.
    ///   - memory: Where the rows of the trees are.
    ///   - displaced: The path of a record that does not hold the one it claims, as ``PathClaims`` asks for it.
    public init(
        fileRecordType: String, holdsUnfitFiles: Bool = false, memory: any RowMemory = ProcessMemory(),
        displaced: @escaping @Sendable (FolderPath, RecordName, Int) -> FolderPath
    ) {
        self.fileRecordType = fileRecordType
        baseIndex = BaseIndex(fileRecordType: fileRecordType, in: memory)
        self.holdsUnfitFiles = holdsUnfitFiles
        folder = LocalTree(in: memory)
        base = TreeTable(in: memory)
        claims = PathClaims(in: memory, displaced: displaced)
    }

    // MARK: Local

    /// Takes in what a scan found at one path, or that nothing is there any more.
    public mutating func setLocal(_ entry: LocalEntry?, at path: FolderPath) {
        let old = local[path]
        guard old != entry else { return }
        if var same = old, let entry {
            // That a file's times have settled is nothing to plan for.
            same.isSettled = entry.isSettled
            if same == entry { return folder.set(entry, at: path) }
        }
        folder.set(entry, at: path)
        for attachment in old?.form.attachments ?? [] { markDirty(path: attachment.path) }
        forgetProvenance(at: path, besides: entry)
        if let entry, entry.file != old?.file { noteSight(of: entry) }
        for attachment in entry?.form.attachments ?? [] { markDirty(path: attachment.path) }
        if let base = baseEntry(at: path) { markRecords(ofAssets: base) }
        markDirty(path: path)
    }

    /// Whether any file is known below a path.
    public func hasFiles(below path: FolderPath) -> Bool {
        fileCount(below: path) > 0
    }

    /// How many files are known below a path, at any depth.
    public func fileCount(below path: FolderPath) -> Int { folder.fileCount(below: path) }

    /// Whether a file of both sides belongs at a path: a record's own, or an asset of one.
    public func isAgreed(at path: FolderPath) -> Bool {
        baseName(at: path) != nil || baseByAsset[path] != nil
    }

    /// Whether any file of the folder or record of the zone belongs at a path, or below it.
    public func isUsed(atOrBelow path: FolderPath) -> Bool {
        isAgreed(at: path) || local[path] != nil || hasFiles(below: path)
            || !claims.claimants(of: path).isEmpty || claims.isClaimed(below: path)
            || claims.displacedRecords(at: path).contains { self.path(of: $0) == path }
    }

    /// The files that lie beside the path that the zone has of them, as something else holds it: both paths, in the order of
    /// the first.
    public var filesUnderOtherNames: [(shown: FolderPath, claimed: FolderPath)] {
        claims.displacedClaims.filter { local[$0.shown] != nil }.map { ($0.shown, $0.claimed) }
            .sorted { $0.shown < $1.shown }
    }

    // MARK: Remote

    /// Takes in a fetched record, or that it is deleted.
    public mutating func setRemote(_ entry: RemoteEntry?, named name: RecordName) {
        let old = remote[name]
        guard old != entry else { return }
        markDirty(record: name)
        if let old, let entry, old.path == entry.path, old.createdMilliseconds == entry.createdMilliseconds {
            return claims.replace(with: entry)
        }
        if let old {
            // A file that waited to be one with this record may be a new one now, or go on with its own.
            for path in [old.path, claims.path(of: old)] {
                marks.insert(path)
                marks.insert(baseRecords(at: path).map(\.name))
            }
            // And what is held where this one's file was agreed on: what it fits is another record's to say now.
            if let path = base[name]?.path { marks.insert(path) }
            for affected in claims.remove(old) { markDirty(record: affected) }
        }
        if let entry {
            let affected = claims.add(entry)
            // As may one that waited to be one with a record that gives way here.
            if !affected.isEmpty { marks.insert(entry.path) }
            for affected in affected { markDirty(record: affected) }
        }
    }

    /// Where a live record is shown, or `nil` for a record that the zone has not.
    public func path(of name: RecordName) -> FolderPath? {
        guard let entry = remote[name] else { return nil }
        guard isBesideAsset(name) else { return claims.path(of: entry) }
        let places = claims.places(of: name, beside: entry.path)
        return places.first { claims.claimants(of: $0).isEmpty && owners[$0] == nil } ?? claims.path(of: entry)
    }

    /// The record that is shown at a path, or was when both sides last agreed.
    public func record(at path: FolderPath) -> RecordName? {
        if let name = baseRecord(at: path)?.name { return name }
        return claims.claimants(of: path).first.flatMap { self.path(of: $0) == path ? $0 : nil }
    }

    // MARK: Base

    /// Takes in what both sides now agree on, or that they no longer have it.
    public mutating func setBase(_ entry: BaseEntry?, named name: RecordName) {
        let old = base[name]
        recordsOfOtherFiles.remove(name)
        guard old != entry else {
            // What is agreed on anew as it was has its files anew.
            if let entry, let row = base.row(of: name) { takeFiles(of: entry, inRow: row) }
            return
        }
        if let old {
            baseIndex.remove(old, in: base)
            for asset in attached(to: old) {
                baseByAsset[asset.path]?.remove(name)
                if baseByAsset[asset.path]?.isEmpty == true { baseByAsset[asset.path] = nil }
            }
            base[name] = nil
            for file in attached(to: old).compactMap(\.file) where assetFile(file) == nil { assetPaths[file] = nil }
            markRecords(ofAssets: old)
            markDirty(path: old.path)
        }
        if let entry {
            index(entry, at: base.add(entry))
            forgetProvenance(settledBy: entry)
            markRecords(ofAssets: entry)
            markDirty(path: entry.path)
        }
        markDirty(record: name)
    }

    private mutating func index(_ entry: BaseEntry, at row: Int) {
        baseIndex.insert(entry, at: row, in: base)
        for asset in attached(to: entry) { baseByAsset[asset.path, default: []].insert(entry.name) }
        takeFiles(of: entry, inRow: row)
    }

    /// Notes how a record's file stands to it. Nothing is agreed on by that: a file that two records know stays the one's that
    /// was agreed on with it last.
    public mutating func note(_ standing: BaseEntry.Standing, of name: RecordName) {
        amend(name) { $0.standing = standing }
    }

    /// Notes that the folder has what was agreed on for a record only in part.
    package mutating func notePartial(_ name: RecordName) {
        amend(name) { $0.isPartial = true }
    }

    /// What has to do with it is planned again.
    private mutating func amend(_ name: RecordName, _ body: (inout BaseEntry) -> Void) {
        guard let old = base[name] else { return }
        var entry = old
        body(&entry)
        guard entry != old else { return }
        base[name] = entry
        markRecords(ofAssets: entry)
        markDirty(path: entry.path)
        markDirty(record: name)
    }

    /// The files of a record are its from now on, and no other one's. One that is seen where another record has it, and not where
    /// this one had it, stays that one's.
    private mutating func takeFiles(of entry: BaseEntry, inRow row: Int) {
        let own = entry.ownFile
        let assets = attached(to: entry).compactMap { entry.file(of: $0) }
        if !provenance.isEmpty { forgetOrigins(of: [own] + assets) }
        if own.file != .unknown {
            if isElsewhere(own, at: ownFile(own.file)) {
                loseFile(own.file, entry.name)
            } else {
                let other = baseName(of: own.file)
                if let other, other != own.record { loseFile(own.file, other) }
                if other != own.record { baseIndex.insert(fileOf: entry, at: row) }
            }
            if let asset = assetFile(own.file), asset.path != own.path, !isElsewhere(own, at: asset) {
                loseAsset(own.file, at: asset.path)
            }
        }
        for asset in assets {
            let other = assetFile(asset.file)
            if isElsewhere(asset, at: other) || isElsewhere(asset, at: ownFile(asset.file)) {
                change(entry.name) { $0.loseAsset(asset.file, at: asset.path) }
                continue
            }
            if let other, other.path != asset.path { loseAsset(asset.file, at: other.path) }
            // The store tells of no order: of two that it has with one file, another one would have it after a start.
            if let own = ownFile(asset.file), own.path != asset.path { loseFile(asset.file, own.record) }
            assetPaths[asset.file] = asset.path
        }
    }

    /// A record has its own file no more.
    private mutating func loseFile(_ file: FileIdentity, _ name: RecordName) {
        change(name) { entry in
            if entry.file == file { entry.file = .unknown }
        }
    }

    /// No record has a file as an asset at a path any more.
    private mutating func loseAsset(_ file: FileIdentity, at path: FolderPath) {
        for name in baseByAsset[path] ?? [] { change(name) { $0.loseAsset(file, at: path) } }
        assetPaths[file] = nil
    }

    private mutating func change(_ name: RecordName, _ body: (inout BaseEntry) -> Void) {
        guard let old = base[name] else { return }
        var entry = old
        body(&entry)
        guard entry != old else { return }
        if entry.file != old.file { baseIndex.remove(fileOf: old, in: base) }
        base[name] = entry
        recordsOfOtherFiles.insert(name)
    }

    /// Which file an asset is that was found to be there.
    mutating func setFile(_ file: FileIdentity, ofAsset index: Int, of name: RecordName) {
        guard var entry = base[name] else { return }
        entry.assets[index].file = file
        setBase(entry, named: name)
        recordsOfOtherFiles.insert(name)
    }

    /// What changed that the store does not know of.
    public var unstored: (provenance: [FolderPath: Provenance], files: [BaseEntry]) {
        (provenance.changes, recordsOfOtherFiles.sorted().compactMap { base[$0] })
    }

    /// All of that is stored.
    public mutating func noteStored() {
        provenance.noteStored()
        recordsOfOtherFiles = []
    }

    /// The assets that are files besides the record's own.
    func attached(to entry: BaseEntry) -> [AgreedAsset] {
        entry.recordType == fileRecordType ? [] : entry.assets
    }

    /// What both sides last agreed on for the record whose file is at a path.
    public func baseRecord(at path: FolderPath) -> BaseEntry? {
        guard let entry = baseEntry(at: path) else { return nil }
        guard let others = rivals[path], !isBound(entry) else { return entry }
        return others.lazy.compactMap { base[$0] }.first { isBound($0) } ?? entry
    }

    /// What both sides last agreed on for all records whose files are at a path: several while one takes another's place.
    func baseRecords(at path: FolderPath) -> [BaseEntry] {
        [baseEntry(at: path)].compactMap(\.self) + (rivals[path] ?? []).compactMap { base[$0] }
    }

    /// A field that holds a content in the zone now, so that the content need not be sent again for another one.
    public func source(of hash: ContentHash) -> ContentSource? {
        baseIndex.entry(with: hash, in: base)?.source(of: hash, asFileOf: fileRecordType)
    }

    /// What both sides agreed on last for a record whose file is at a path; there may be ``rivals``.
    func baseEntry(at path: FolderPath) -> BaseEntry? { baseIndex.entry(at: path, in: base) }

    /// The record of that.
    package func baseName(at path: FolderPath) -> RecordName? { baseEntry(at: path)?.name }

    /// What both sides agreed on last with a file as a record's own.
    package func baseEntry(of file: FileIdentity) -> BaseEntry? { baseIndex.entry(of: file, in: base) }

    /// Whether a record has the file that was agreed on for it as its own: no other one was agreed on with that file since.
    package func hasItsFile(_ entry: BaseEntry) -> Bool { baseIndex.hasItsFile(entry, in: base) }

    /// The record of that.
    package func baseName(of file: FileIdentity) -> RecordName? { baseEntry(of: file)?.name }

    /// Further records at a path, while one takes the place of another.
    var rivals: [FolderPath: Set<RecordName>] { baseIndex.rivals }

    // MARK: Loading (StoredRows)

    /// Whether the files are in the rows still into which they were loaded.
    public var areFilesAsLoaded: Bool { folder.isAsLoaded }

    mutating func load(_ entry: LocalEntry) { folder.load(entry) }

    mutating func endLoading(_ onFiles: (LocalTree) -> Void) {
        folder.endLoading()
        onFiles(folder)
    }

    mutating func load(_ entry: BaseEntry) { index(entry, at: base.add(entry)) }

    mutating func load(_ loaded: PathClaims, provenance known: [FolderPath: Provenance]) {
        claims = loaded
        provenance.load(known)
        forgetOutdatedProvenance()
        markDifferences()
        // Where all sides say the same, it may say more.
        for path in provenance.paths { markDirty(path: path) }
    }
}
