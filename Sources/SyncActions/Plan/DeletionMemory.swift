import FolderObserving
package import StateRows
package import SyncModel
package import SyncTiming

/// What of deletions a person was asked about and let pass, what of late nobody was asked about, and which files are missing.
///
/// The first two are for the guard against mass deletions: an approval covers one batch, once, however often it is begun; and many
/// small deletions one after another are a large one. Whoever is asked about the rest of a large one is told what went before.
package final class DeletionMemory {
    /// What a person let pass and is not done.
    private(set) var approved: ApprovedDeletions
    private var unasked: [Deletions]
    /// What of the last plan waits for a person's word.
    private var waiting: Set<Action.Kind>
    /// Whether ``unasked`` is other than what is stored.
    private var isUnstored = false
    private var missing = MissingFiles()

    private struct Deletions: Sendable {
        let at: SteadyInstant
        /// The same in milliseconds since 1970, as it was stored.
        var atMilliseconds: Int64?
        /// In the zone, or else in the folder.
        let inZone: Bool
        var count: Int

        func milliseconds(_ now: SteadyInstant, _ wall: Int64) -> Int64 {
            wall - Int64(at.duration(to: now) / .milliseconds(1))
        }
    }

    /// So long a deletion counts.
    package static let memory = Duration.seconds(600)

    /// What earlier processes knew.
    /// - Parameters:
    ///   - approved: What a person let pass, and is not done.
    ///   - recent: What nobody was asked about.
    ///   - waiting: What waits for a person's word.
    package init(
        approved: ApprovedDeletions = ApprovedDeletions(), recent: [RecentDeletions] = [],
        waiting: Set<Action.Kind> = [], clock: SessionClock = .system
    ) {
        (self.approved, self.waiting) = (approved, waiting)
        let (now, wall) = (clock.now, clock.milliseconds)
        unasked = recent.map { deletions in
            // Of a clock that was set back nobody knows how long ago it was.
            let age = Duration.milliseconds(max(0, wall - deletions.atMilliseconds))
            return Deletions(
                at: now.advanced(by: .zero - age), atMilliseconds: deletions.atMilliseconds, inZone: deletions.isInZone,
                count: deletions.count)
        }
        forgetOld(now)
    }

    /// What nobody was asked about, oldest first: of the last minutes; where deletions wait for a person's word, of the minutes
    /// before these, however long they wait.
    package func unaskedDeletions(by clock: SessionClock) -> [RecentDeletions] {
        let (now, wall) = (clock.now, clock.milliseconds)
        return unasked.filter { isRemembered($0, at: now) }.map { deletions in
            RecentDeletions(
                isInZone: deletions.inZone,
                atMilliseconds: deletions.atMilliseconds ?? deletions.milliseconds(now, wall), count: deletions.count)
        }
    }

    /// The same, where it is to be stored; `nil` where it is.
    package func unstored(by clock: SessionClock) -> [RecentDeletions]? {
        guard isUnstored else { return nil }
        let (now, wall) = (clock.now, clock.milliseconds)
        // A clock that was set since tells another time.
        for index in unasked.indices { unasked[index].atMilliseconds = unasked[index].milliseconds(now, wall) }
        return unaskedDeletions(by: clock)
    }

    /// It is stored.
    package func noteStored() { isUnstored = false }

    /// A person lets deletions pass.
    package func approve(_ deletions: ApprovedDeletions) { approved = approved.union(deletions) }

    /// Forgets the approvals of what is done, or not to be done any more.
    /// - Parameter planned: The actions of the plan of now, and what of it waits for a person.
    /// - Returns: Those that are forgotten.
    func keepApprovals(of planned: [Action]) -> ApprovedDeletions {
        guard !approved.isEmpty else { return approved }
        let forgotten = approved.subtracting(ApprovedDeletions(of: planned))
        approved = approved.subtracting(forgotten)
        return forgotten
    }

    /// Nothing is approved: what was, was for another zone.
    func forgetApprovals() { approved = ApprovedDeletions() }

    /// Takes over what waits for a person's word by the plan of now.
    package func noteWaiting(_ kinds: Set<Action.Kind>, now: SteadyInstant) {
        // Where nothing waited before, what is too old to count is no part of what waits.
        waiting.formIntersection(kinds)
        let count = unasked.count
        forgetOld(now)
        isUnstored = isUnstored || !kinds.isEmpty && unasked.count < count
        waiting = kinds
    }

    /// Takes over whose files are missing by the plan of now; one that is there in between begins anew.
    func noteMissing(_ names: [RecordName], now: SteadyInstant) { missing.take(names, now: now) }

    /// When it is certain of some records that their files are gone; `nil` where none of them is missing.
    func due(_ names: [RecordName]) -> SteadyInstant? { missing.due(names) }

    /// Notes that records, or their files, were deleted. With those that a person let pass, the ones before on that side count no
    /// more: each later one would wait for a word of its own.
    func note(_ names: [RecordName], inZone: Bool, now: SteadyInstant) {
        let allowed = inZone ? approved.inZone : approved.inFolder
        let count = names.count { !allowed.contains($0) }
        forgetOld(now)
        if count < names.count { unasked.removeAll { $0.inZone == inZone } }
        isUnstored = isUnstored || !names.isEmpty
        guard count > 0 else { return }
        if let last = unasked.last, last.inZone == inZone, last.at.advanced(by: .seconds(1)) >= now {
            unasked[unasked.count - 1].count += count
        } else {
            unasked.append(Deletions(at: now, inZone: inZone, count: count))
        }
    }

    /// How many of the last minutes count.
    func recentCounts(now: SteadyInstant) -> (zone: Int, folder: Int) {
        unasked.reduce(into: (0, 0)) { counts, deletions in
            guard Self.isRecent(deletions, at: now) else { return }
            if deletions.inZone { counts.0 += deletions.count } else { counts.1 += deletions.count }
        }
    }

    private func forgetOld(_ now: SteadyInstant) { unasked.removeAll { !isRemembered($0, at: now) } }

    /// Whether deletions count, or are to be told of to whoever is asked about what waits.
    private func isRemembered(_ deletions: Deletions, at now: SteadyInstant) -> Bool {
        Self.isRecent(deletions, at: now) || waiting.contains(deletions.inZone ? .deleteRecord : .deleteFile)
    }

    private static func isRecent(_ deletions: Deletions, at now: SteadyInstant) -> Bool {
        deletions.at.advanced(by: memory) >= now
    }
}
