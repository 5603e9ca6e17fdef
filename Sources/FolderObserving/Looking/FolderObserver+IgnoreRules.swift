import FolderKnowledge
import LocalFolder
import ProblemSentences
import RecordTrees
import SessionCore
import StateRows
import SyncModel

/// What the folder leaves out (``RulesInForce``).
extension FolderObserver {
    /// Reads the ignore rules.
    func readRules() {
        let fresh: IgnoreRules
        do throws(FolderError) {
            fresh = try IgnoreRules.read(from: environment.root)
        } catch {
            return rules.noteUnreadable(.unreadable(.ignoreFile, reason: error.message))
        }
        let isChanged = rules.take(fresh, now: now)
        if rules.isWaiting { inbox.requestLook(at: .ignoreFile, after: RulesInForce.patience, now: now) }
        guard isChanged else { return }
        environment.leaveWatches { rules.current.isIgnored($0, isDirectory: true) }
        // What the old rules left out may have been set aside for good.
        knowledge.markAll()
    }

    /// Concludes what came to sight with other rules from a look, and stores by which rules all was looked at: what cannot be read, or
    /// changes while it is, is looked at later.
    /// - Parameter missed: Files that changed while a look read them.
    func takeRules(missed: [FolderPath], isWhole: Bool) throws {
        if isWhole {
            rules.noteLook(missed: missed, unreadable: unobserved.unreadablePaths) { directory in
                knowledge.trees.base.values.contains {
                    $0.path.isBelow(directory) && rules.uncovers($0.path)
                }
            }
        } else {
            let isMore = rules.noteLook { path in
                knowledge.trees.local[path] == nil && (!restless.isProven(path) || unobserved.isUnreadable(path))
            }
            guard isMore else { return }
        }
        try bringBackUncovered(missed: Set(missed))
        let text = rules.storable.text
        if text != knowledge.facts.ignoreRules {
            try knowledge.updateFacts { $0.ignoreRules = text }
        }
        rules.noteStored()
    }

    /// What the rules of before left out may have gone on one side meanwhile, where nobody looked. A changed rule deletes
    /// nothing: the side that still has it gives it to the other one, as if they had never agreed on it (invariant 23).
    private func bringBackUncovered(missed: Set<FolderPath>) throws {
        guard rules.hasUncovered else { return }
        let (trees, isUnobserved) = (knowledge.trees, unobserved.isUnobserved(by: rules.current))
        let parted = trees.base.values.filter { base in
            rules.uncovers(base.path) && trees.local.contains(base.path) != (trees.remote[base.name] != nil)
                && !isUnobserved(base.path) && !missed.contains(base.path)
        }
        guard !parted.isEmpty else { return }
        // One that was renamed to where it can be seen is not gone.
        let files = Set(trees.local.values.map(\.file))
        try committer.commit(
            parted.filter { trees.local.contains($0.path) || !files.contains($0.file) }.map {
                Outcome(base: .removed($0.name))
            })
    }

    /// Notes which files that nobody looked at are others now, equal to those of before: a person put them there. What told
    /// where they came from is forgotten, if they had been looked at in their old places.
    func noteUncovered(_ entries: [LocalEntry]) throws {
        var standings: [RecordName: BaseEntry.Standing] = [:]
        for entry in entries where rules.uncovers(entry.path) {
            knowledge.noteUncovered(entry.path)
            guard let base = knowledge.trees.baseRecord(at: entry.path), !base.isRenewed,
                base.hash == entry.hash, base.file != entry.stamp.file
            else { continue }
            standings[base.name] = .renewed
        }
        try committer.note(standings)
    }
}
