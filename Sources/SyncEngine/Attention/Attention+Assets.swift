import FolderKnowledge
import FolderObserving
import LocalFolder
import ProblemSentences
import RecordTrees
import SessionCore
import SyncModel

/// Files that records name, and that are not seen.
extension Attention {
    /// The folder is looked at for so many files at a time: where more are missed, one reason is that of all, and each cycle asks.
    private static let explainedFiles = 50

    /// Says why files that records name are not seen, where something stands there all the same. A plan knows no more than that
    /// they are not among the files.
    func explained(_ found: [FolderPath: Problem]) -> [FolderPath: Problem] {
        var missing = found.filter { $0.value.code == .missingAsset }.map(\.key)
        if missing.count > Self.explainedFiles { missing = Array(missing.sorted().prefix(Self.explainedFiles)) }
        var problems = found
        for file in missing { problems[file] = explained(found[file]!, of: file) }
        return problems
    }

    private func explained(_ problem: Problem, of file: FolderPath) -> Problem {
        guard let entry = knowledge.trees.local[file],
            let missing = entry.form.attachments.first(where: { knowledge.trees.local[$0.path] == nil })
        else { return problem }
        switch FolderReader(root: environment.root).content(at: missing.path) {
        case .file:
            guard let rule = observer.rules.current.rule(ignoring: missing.path, isDirectory: false) else {
                return problem
            }
            return .assetLeftOut(field: missing.field, path: missing.path, of: file, by: rule)
        case .skipped(let found):
            return .assetSkipped(field: missing.field, path: missing.path, of: file, found)
        case .directory:
            return .assetIsDirectory(field: missing.field, path: missing.path, of: file)
        case .absent: return problem
        }
    }
}
