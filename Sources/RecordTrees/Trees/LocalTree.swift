public import SyncModel

/// What the folder holds, as last seen, with what its files say of each other.
public struct LocalTree: Sendable {
    /// The files by their paths.
    private(set) var files: TreeTable<LocalEntry>
    /// Where the files are that fit no structured record.
    private(set) var unfitFiles: Set<FolderPath> = []
    /// Files that were not read, because they are larger than anything that is sent.
    private(set) var unreadFiles: Set<FolderPath> = []
    /// Structured files by the files that their asset fields name.
    private(set) var owners: [FolderPath: Set<FolderPath>] = [:]
    /// Structured files that others name as their asset: to the zone they are that, and what they name is nobody's.
    private(set) var namedTexts: Set<FolderPath> = []
    /// How many files lie below a directory, at any depth.
    private var filesBelow: [FolderPath: Int] = [:]
    /// The same of what is being loaded.
    private var loaded = FolderCount()

    init(in memory: any RowMemory) { files = TreeTable(in: memory) }

    /// Takes in a file as it was stored. None is counted before the end of loading.
    mutating func load(_ entry: LocalEntry) {
        _ = files.add(entry)
        index(entry)
        loaded.add(entry.path)
    }

    /// All files are loaded.
    mutating func endLoading() {
        for (folder, number) in loaded.files { count(folder, by: number) }
        loaded = FolderCount()
    }

    /// Whether nothing was taken in since it was loaded: the rows are the same.
    private(set) var isAsLoaded = true

    /// The row of a file that is known with a stamp, and was at rest then.
    public func settledRow(_ path: FolderPath, as stamp: FileStamp) -> Int? { files.settledRow(path, as: stamp) }

    /// Takes in what is at a path, or that nothing is there any more.
    mutating func set(_ entry: LocalEntry?, at path: FolderPath) {
        isAsLoaded = false
        let old = files[path]
        namedTexts.remove(path)
        for attachment in old?.form.attachments ?? [] {
            owners[attachment.path]?.remove(path)
            guard owners[attachment.path]?.isEmpty == true else { continue }
            owners[attachment.path] = nil
            namedTexts.remove(attachment.path)
        }
        files[path] = entry
        if let entry {
            index(entry)
        } else {
            unfitFiles.remove(path)
            unreadFiles.remove(path)
        }
        if (old == nil) != (entry == nil) { count(path.parent, by: entry == nil ? -1 : 1) }
    }

    private mutating func index(_ entry: LocalEntry) {
        if case .unfit = entry.form { unfitFiles.insert(entry.path) } else { unfitFiles.remove(entry.path) }
        if entry.hash.isOfUnread { unreadFiles.insert(entry.path) } else { unreadFiles.remove(entry.path) }
        let attachments = entry.form.attachments
        guard !attachments.isEmpty else { return }
        for attachment in attachments {
            owners[attachment.path, default: []].insert(entry.path)
            if isText(attachment.path) { namedTexts.insert(attachment.path) }
        }
        if owners[entry.path] != nil { namedTexts.insert(entry.path) }
    }

    /// Whether a file names assets. Of others than JSON files that is not looked up.
    private func isText(_ path: FolderPath) -> Bool {
        path.bytes.suffix(5).elementsEqual(".json".utf8) && !(files[path]?.form.attachments.isEmpty ?? true)
    }

    /// Whether a file is seen where a record has it.
    func isSeenAtItsPath(_ known: AgreedFile) -> Bool { files[known.path]?.file == known.file }

    /// Whether a file is seen where another record has it, and not where this one had it.
    func isElsewhere(_ known: AgreedFile, at holder: AgreedFile?) -> Bool {
        guard let holder else { return false }
        return isSeenAtItsPath(holder) && !isSeenAtItsPath(known)
    }

    /// How many files are known below a path, at any depth.
    func fileCount(below path: FolderPath) -> Int { filesBelow[path] ?? 0 }

    /// Counts files in or out of a folder and all above it.
    private mutating func count(_ folder: FolderPath?, by step: Int) {
        var folder = folder
        while let current = folder {
            let count = (filesBelow[current] ?? 0) + step
            filesBelow[current] = count == 0 ? nil : count
            folder = current.parent
        }
    }
}
