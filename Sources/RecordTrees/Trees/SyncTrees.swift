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
    public var base: TreeTable<BaseEntry> { _read { yield agreed.records } }
    /// Which record is shown where.
    public private(set) var claims: PathClaims
    /// The record type of files that are no structured records.
    public var fileRecordType: String { agreed.fileRecordType }

    /// What happened to files that no tree tells.
    public internal(set) var provenance = ProvenanceIndex()

    /// The files of the folder.
    private(set) var folder: LocalTree
    /// What both sides last agreed on, by record, path, file and content.
    private(set) var agreed: AgreedTree
    /// Where the files are that fit no structured record.
    var unfitFiles: Set<FolderPath> { folder.unfitFiles }
    /// Files that were not read, because they are larger than anything that is sent.
    var unreadFiles: Set<FolderPath> { folder.unreadFiles }
    /// Structured files by the files that their asset fields name.
    package var owners: [FolderPath: Set<FolderPath>] { _read { yield folder.owners } }

    /// What changed since it was last planned.
    package var marks = PlanningMarks()

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
        self.holdsUnfitFiles = holdsUnfitFiles
        folder = LocalTree(in: memory)
        agreed = AgreedTree(fileRecordType: fileRecordType, in: memory)
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
        baseName(at: path) != nil || agreed.byAsset[path] != nil
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
        if let entry { forgetOrigins(settledBy: entry) }
        guard old != entry else {
            if let entry { agreed.insertAgain(entry, seenIn: folder) }
            return
        }
        if let old {
            agreed.remove(old)
            markRecords(ofAssets: old)
            markDirty(path: old.path)
        }
        if let entry {
            agreed.insert(entry, seenIn: folder)
            forgetProvenance(settledBy: entry)
            markRecords(ofAssets: entry)
            markDirty(path: entry.path)
        }
        markDirty(record: name)
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
        agreed.amend(entry)
        markRecords(ofAssets: entry)
        markDirty(path: entry.path)
        markDirty(record: name)
    }

    /// Which file an asset is that was found to be there.
    mutating func setFile(_ file: FileIdentity, ofAsset index: Int, of name: RecordName) {
        guard var entry = base[name] else { return }
        entry.assets[index].file = file
        setBase(entry, named: name)
        agreed.noteUnstored(name)
    }

    /// What changed that the store does not know of.
    public var unstored: (provenance: [FolderPath: Provenance], files: [BaseEntry]) {
        (provenance.changes, agreed.unstored)
    }

    /// All of that is stored.
    public mutating func noteStored() {
        provenance.noteStored()
        agreed.noteStored()
    }

    // MARK: Loading (StoredRows)

    /// Whether the files are in the rows still into which they were loaded.
    public var areFilesAsLoaded: Bool { folder.isAsLoaded }

    mutating func load(_ entry: LocalEntry) { folder.load(entry) }

    mutating func endLoading(_ onFiles: (LocalTree) -> Void) {
        folder.endLoading()
        onFiles(folder)
    }

    mutating func load(_ entry: BaseEntry) { agreed.insert(entry, seenIn: folder) }

    mutating func load(_ loaded: PathClaims, provenance known: [FolderPath: Provenance]) {
        claims = loaded
        provenance.load(known)
        forgetOutdatedProvenance()
        markDifferences()
        // Where all sides say the same, it may say more.
        for path in provenance.paths { markDirty(path: path) }
    }
}
