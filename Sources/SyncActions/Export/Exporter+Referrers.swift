import CloudKitWire
import FolderKnowledge
import ProblemSentences
import RecordTrees
import SessionCore
import SyncModel

/// What cannot go for the sake of records that refer to it.
extension Exporter {
    /// Leaves out what cannot take its old record's place, since others refer to that and cannot let go.
    func withoutKept(_ actions: [Action], _ keepers: [FolderPath: Set<RecordName>]) -> [Action] {
        guard !keepers.isEmpty else { return actions }
        return actions.filter { action in
            guard let names = keepers[action.path] else { return true }
            hold(action, replacementKeptBy: names)
            return false
        }
    }

    func hold(_ action: Action, replacementKeptBy names: Set<RecordName>, reason: String? = nil) {
        setbacks.hold(action, .replacementRefused(action.path, keptBy: shown(names), reason: reason))
        setbacks.noteWait(of: action, for: names)
    }

    /// Records as people know them: by their files, where they have some.
    func shown(_ names: some Collection<RecordName>) -> [String] {
        names.sorted().map {
            (knowledge.trees.base[$0]?.path ?? knowledge.trees.path(of: $0))?.description ?? $0.rawValue
        }
    }
}
