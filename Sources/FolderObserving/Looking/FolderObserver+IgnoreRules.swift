import FolderKnowledge
import LocalFolder
import ProblemSentences
import RecordMapping
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
    /// nothing: the side that still has it gives it to the other one, as if they had never agreed on it (invariant 23). An asset
    /// that is gone here comes with its record, which is received once more.
    private func bringBackUncovered(missed: Set<FolderPath>) throws {
        guard rules.hasUncovered else { return }
        let (trees, isUnobserved) = (knowledge.trees, unobserved.isUnobserved(by: rules.current))
        func cameToSight(_ path: FolderPath) -> Bool {
            rules.uncovers(path) && !isUnobserved(path) && !missed.contains(path)
        }
        var parted: [BaseEntry] = []
        var lacking: [(base: BaseEntry, assets: [AgreedAsset])] = []
        for base in trees.base.values {
            if trees.local.contains(base.path) != (trees.remote[base.name] != nil), cameToSight(base.path) {
                parted.append(base)
            } else if base.recordType != knowledge.fileType {
                let gone = base.assets.filter { !trees.local.contains($0.path) && cameToSight($0.path) }
                if !gone.isEmpty { lacking.append((base, gone)) }
            }
        }
        guard !parted.isEmpty || !lacking.isEmpty else { return }
        // One that was renamed to where it can be seen is not gone. Where a record is agreed on, its file may have had two names.
        let renamed = Set(trees.local.values.lazy.filter { !trees.isAgreed(at: $0.path) }.map(\.file))
        let outcomes =
            parted.filter { trees.local.contains($0.path) || !renamed.contains($0.file) }.map {
                Outcome(base: .removed($0.name))
            }
            + lacking.filter { $0.assets.contains { $0.file.map { !renamed.contains($0) } ?? true } }.map {
                Outcome(base: .partial($0.base.name))
            }
        try committer.commit(outcomes)
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
