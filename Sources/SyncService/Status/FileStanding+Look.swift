public import FolderControl
public import FolderSettings
import LocalFolder
import ProblemSentences
import StateStorage
public import SyncModel
public import SystemPackage

extension FileStanding {
    /// Looks at a path of a synced folder, and follows no symbolic link in it.
    /// - Throws: `FolderError` where the folder or its rules cannot be read.
    public init(of place: FolderPath, in folder: FilePath) throws {
        let root = try FolderRoot(opening: folder)
        let content = FolderReader(root: root).content(at: place)
        let rules = try IgnoreRules.read(from: root)
        if let rule = rules.rule(ignoring: place, isDirectory: content == .directory) {
            self = .ignored(by: rule.reason ?? rule.text)
            return
        }
        switch content {
        case .file: self = .present
        case .directory:
            let walk = FolderScanner(root: root, rules: rules).walk(.paths([place]))
            self = walk.unread.isEmpty && walk.result.unreadable.isEmpty ? .empty : .present
        case .absent: self = .absent
        case .skipped(let found): self = .skipped(Problem.skipped(found.path, found.reason).message)
        }
    }

    /// As ``init(of:in:)-(_,FilePath)``, and where no file is, with what the zone has there, by what the state has learnt of it.
    /// - Throws: `FolderError` as there, `StateError` where the state cannot be read.
    public init(of place: FolderPath, in directory: StateDirectory) throws {
        self = try Self(of: place, in: directory.folder)
        guard self == .absent || self == .empty else { return }
        let rules = try IgnoreRules.read(from: FolderRoot(opening: directory.folder))
        var rule: IgnoreRule?
        try StateStore.look(at: directory) { store in
            try store.eachRecord { record in
                guard rule == nil, record.path == place || record.path.isBelow(place) else { return }
                rule = rules.rule(ignoring: record.path, isDirectory: false)
            }
        }
        if let rule { self = .leftInZone(by: rule.reason ?? rule.text) }
    }
}
