import RecordTrees
import SyncModel

/// Files that cannot be synced as they are, by all that the plans so far said.
///
/// A plan looks only at what changed. What an earlier one found of another file holds until that is gone, or is nothing to
/// hold and has all that it names.
final class HeldFiles {
    private(set) var problems: [FolderPath: Problem] = [:]

    /// Nothing is held.
    func forgetAll() { problems = [:] }

    /// Takes over what a plan found.
    func take(_ found: [FolderPath: Problem], in trees: SyncTrees) {
        for (path, problem) in found { problems[path] = problem }
        for path in Array(problems.keys) where found[path] == nil {
            guard let entry = trees.local[path] else {
                problems[path] = nil
                continue
            }
            if let problem = trees.problem(holding: entry) {
                problems[path] = problem
            } else if entry.form.attachments.allSatisfy({ trees.local[$0.path] != nil }) {
                problems[path] = nil
            }
        }
    }
}
