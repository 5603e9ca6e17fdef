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

    /// Stores the rules once all that came to sight with them was looked at: what cannot be read, or changes while it is, is
    /// looked at later.
    /// - Parameter missed: Files that changed while a look read them.
    func storeRules(missed: [FolderPath], isWhole: Bool) throws {
        let isFinished =
            isWhole
            ? rules.wasLookedAt(missed: missed, unreadable: unobserved.unreadablePaths)
            : rules.wasLookedAt { path in
                knowledge.trees.local[path] == nil && (!restless.isProven(path) || unobserved.isUnreadable(path))
            }
        guard isFinished else { return }
        let text = rules.current.text
        if text != knowledge.facts.ignoreRules {
            try knowledge.updateFacts { $0.ignoreRules = text }
        }
        rules.noteStored()
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
