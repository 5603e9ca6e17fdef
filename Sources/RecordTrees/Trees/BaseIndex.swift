import SyncModel

/// Which record of the base has which path, file and content.
///
/// It knows rows of the base, and is told of an entry when it is in there, and before it leaves.
struct BaseIndex: Sendable {
    private var paths: RowIndex
    /// Further records at a path, while one takes the place of another.
    private(set) var rivals: [FolderPath: Set<RecordName>] = [:]
    /// A file is one record's own: the last one's that was agreed on with it.
    private var files: RowIndex
    /// A record for each content that the zone holds.
    private var contents: RowIndex
    /// The record type of files that are no structured records.
    private let fileRecordType: String

    init(fileRecordType: String, in memory: any RowMemory = ProcessMemory()) {
        self.fileRecordType = fileRecordType
        (paths, files, contents) = (RowIndex(in: memory), RowIndex(in: memory), RowIndex(in: memory))
    }

    // MARK: Questions

    /// The record whose file is at a path; there may be ``rivals``.
    func entry(at path: FolderPath, in base: TreeTable<BaseEntry>) -> BaseEntry? {
        row(at: path, base).flatMap { base.entry(inRow: $0) }
    }

    /// The record that has a file as its own.
    func entry(of file: FileIdentity, in base: TreeTable<BaseEntry>) -> BaseEntry? {
        row(of: file, base).flatMap { base.entry(inRow: $0) }
    }

    /// The record that holds a content in the zone.
    func entry(with content: ContentHash, in base: TreeTable<BaseEntry>) -> BaseEntry? {
        row(with: content, base).flatMap { base.entry(inRow: $0) }
    }

    /// Whether a record has the file that was agreed on for it as its own.
    func hasItsFile(_ entry: BaseEntry, in base: TreeTable<BaseEntry>) -> Bool {
        row(of: entry.file, base).map { base.row($0, isNamed: entry.name) } ?? false
    }

    private func row(at path: FolderPath, _ base: TreeTable<BaseEntry>) -> Int? {
        paths.row(path.hashValue) { base.row($0, isAt: path) }
    }

    private func row(of file: FileIdentity, _ base: TreeTable<BaseEntry>) -> Int? {
        files.row(file.hashValue) { base.row($0, isOf: file) }
    }

    private func row(with content: ContentHash, _ base: TreeTable<BaseEntry>) -> Int? {
        contents.row(content.hashValue) { base.row($0) { $0.contents(asFileOf: fileRecordType).contains(content) } }
    }

    // MARK: Changes

    /// An entry came: its path and its contents are its.
    mutating func insert(_ entry: BaseEntry, at row: Int, in base: TreeTable<BaseEntry>) {
        if let other = self.row(at: entry.path, base) {
            paths.remove(other, entry.path.hashValue)
            rivals[entry.path, default: []].insert(base.entry(inRow: other)!.name)
        }
        paths.insert(row, entry.path.hashValue)
        for content in entry.contents(asFileOf: fileRecordType) {
            if let other = self.row(with: content, base) { contents.remove(other, content.hashValue) }
            contents.insert(row, content.hashValue)
        }
    }

    /// An entry is about to leave.
    mutating func remove(_ entry: BaseEntry, in base: TreeTable<BaseEntry>) {
        let row = base.row(of: entry.name)!
        leave(entry.path, entry.name, in: base)
        files.remove(row, entry.file.hashValue)
        for content in entry.contents(asFileOf: fileRecordType) { contents.remove(row, content.hashValue) }
    }

    /// A path is no longer a record's: one of its rivals has it, where there are any.
    private mutating func leave(_ path: FolderPath, _ name: RecordName, in base: TreeTable<BaseEntry>) {
        var others = rivals.removeValue(forKey: path) ?? []
        if let row = row(at: path, base), row == base.row(of: name) {
            paths.remove(row, path.hashValue)
            if let other = others.popFirst() { paths.insert(base.row(of: other)!, path.hashValue) }
        } else {
            others.remove(name)
        }
        if !others.isEmpty { rivals[path] = others }
    }

    /// A record has its file from now on. No other one may have it.
    mutating func insert(fileOf entry: BaseEntry, at row: Int) { files.insert(row, entry.file.hashValue) }

    /// A record has its file no more.
    mutating func remove(fileOf entry: BaseEntry, in base: TreeTable<BaseEntry>) {
        files.remove(base.row(of: entry.name)!, entry.file.hashValue)
    }
}
