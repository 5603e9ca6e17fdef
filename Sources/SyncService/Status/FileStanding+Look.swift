public import FolderControl
import LocalFolder
import ProblemSentences
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
}
