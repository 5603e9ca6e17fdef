import LocalFolder
import StateStorage
import SyncModel
import SyncPlanning

/// What the folder leaves out.
extension FolderSession {
    /// Reads the ignore rules. Nothing that the last ones leave out may be sent because they cannot be read, or because a
    /// program saves them at this moment: by emptying the file, or by taking it away until the new one is in its place.
    /// New lines hold at once; that old ones are gone, only after a while.
    func readRules() {
        let fresh: IgnoreRules
        do throws(FolderError) {
            fresh = try IgnoreRules.read(from: environment.root)
            ignoreRulesProblem = nil
        } catch {
            ignoreRulesProblem = .unreadable(Self.ignoreFile, reason: error.message)
            // Those in force stay; what is read next begins its time anew.
            looserRules = nil
            return
        }
        var inForce = fresh
        if fresh.contain(settledRules) || looserRules.map({ $0.rules == fresh && isOld($0.since) }) ?? false {
            settledRules = fresh
            looserRules = nil
        } else {
            if looserRules?.rules != fresh { looserRules = (fresh, now) }
            inForce = fresh.adding(settledRules)
            inbox.requestLook(at: Self.ignoreFile, after: Self.deletionDelay, now: now)
        }
        guard inForce != rules else { return }
        if !inForce.contain(rules) { uncovering = rules }
        rules = inForce
        // What the old rules left out may have been set aside for good.
        trees.markAllDirty()
    }

    /// Ends what looser rules began, once all that came to sight with them was looked at: what cannot be read, or changes
    /// while it is, is looked at later.
    func finishUncovering(_ result: ScanResult, isWhole: Bool) throws {
        if let uncovering {
            if isWhole {
                let seen = result.files.map(\.path) + result.changing
                let missed = seen.filter { trees.local[$0] == nil && uncovering.isIgnored($0, isDirectory: false) }
                // What cannot be read may be a directory.
                uncoveredLater = Set(missed).union(unreadable.keys)
            } else {
                uncoveredLater = uncoveredLater.filter { path in
                    trees.local[path] == nil && (unsettled.contains(path) || unreadable[path] != nil)
                }
            }
            guard uncoveredLater.isEmpty else { return }
        } else if !isWhole {
            return
        }
        try storeRules()
        uncovering = nil
    }

    /// Keeps the rules by which the whole folder was looked at: the next start tells from them what comes to sight.
    private func storeRules() throws {
        let text = rules.text
        guard text != facts.ignoreRules ?? "" else { return }
        facts = try environment.store.updateFacts { $0.ignoreRules = text }
    }

    /// Notes which files that nobody looked at are others now, equal to those of before: a person put them there. What told
    /// where they came from is forgotten, if they had been looked at in their old places.
    func noteUncovered(_ entries: [LocalEntry]) throws {
        guard let uncovering else { return }
        var standings: [RecordName: BaseEntry.Standing] = [:]
        for entry in entries where uncovering.isIgnored(entry.path, isDirectory: false) {
            trees.noteUncovered(entry.path)
            guard let base = trees.baseRecord(at: entry.path) else {
                trees.noteUnwatched(entry.path)
                continue
            }
            guard !base.isRenewed, base.hash == entry.hash, base.file != entry.stamp.file else { continue }
            standings[base.name] = .renewed
        }
        try note(standings)
    }

    private func isOld(_ moment: SteadyInstant) -> Bool {
        moment.advanced(by: Self.deletionDelay) <= now
    }
}
