import FolderKnowledge
import FolderObserving
import LocalFolder
import ProblemSentences
import RecordPaths
import RecordTrees
import StateRows
import SyncActions
import SyncModel

/// What a person is told of ignore rules that others wrote, or that stay here.
extension Attention {
    var rulesProblems: [(path: FolderPath, problem: Problem)] {
        let trees = knowledge.trees
        // One that this device wrote itself is told of at its own place.
        var told = trees.claims.claimants(of: PathMapping.rulesSetAside).filter { trees.base[$0]?.path != .ignoreFile }
            .compactMap(trees.path).map { ($0, Problem.rulesSetAside($0, isOthersFolder: knowledge.isShared)) }
        if knowledge.keepsRulesHere {
            if trees.local.contains(.ignoreFile) { told.append((.ignoreFile, .rulesStayHere())) }
        } else if let (user, files) = othersRules.found, files > 0 {
            told.append((.ignoreFile, .rulesOfOthers(by: user, files: files)))
        }
        return told
    }

    /// Counts what rules leave out that somebody else wrote. What is still to come is counted once it is here.
    /// - Throws: `StateError`.
    func lookAtOthersRules() throws {
        let trees = knowledge.trees
        guard knowledge.sharing.isOfWholeZone, let base = trees.baseRecord(at: .ignoreFile) else {
            return othersRules.forget()
        }
        guard work.last.actions.isEmpty else { return }
        let rules = observer.rules.current
        try othersRules.look(rules, changeTag: base.changeTag, records: trees.remote.count) {
            let row = try knowledge.remoteRow(named: base.name)
            guard let by = row?.modifiedBy,
                case .other(let user, _) = knowledge.author(user: by.user, device: by.device)
            else { return nil }
            return user
        } count: {
            trees.remote.values.count { rules.rule(ignoring: $0.path, isDirectory: false)?.line != nil }
        }
    }
}
