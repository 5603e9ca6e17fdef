public import SyncModel

/// What both sides last agreed on, by path, file and content.
extension SyncTrees {
    /// The assets that are files besides the record's own.
    func attached(to entry: BaseEntry) -> [AgreedAsset] { agreed.attached(to: entry) }

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
        agreed.entry(with: hash)?.source(of: hash, asFileOf: fileRecordType)
    }

    /// What both sides agreed on last for a record whose file is at a path; there may be ``rivals``.
    func baseEntry(at path: FolderPath) -> BaseEntry? { agreed.entry(at: path) }

    /// The record of that.
    package func baseName(at path: FolderPath) -> RecordName? { baseEntry(at: path)?.name }

    /// What both sides agreed on last with a file as a record's own.
    package func baseEntry(of file: FileIdentity) -> BaseEntry? { agreed.entry(of: file) }

    /// The record of that.
    package func baseName(of file: FileIdentity) -> RecordName? { baseEntry(of: file)?.name }

    /// Whether a record has the file that was agreed on for it as its own: no other one was agreed on with that file since.
    package func hasItsFile(_ entry: BaseEntry) -> Bool { agreed.hasItsFile(entry) }

    /// Further records at a path, while one takes the place of another.
    var rivals: [FolderPath: Set<RecordName>] { agreed.rivals }
}
