import RecordTrees
package import StateRows
import StateStorage
package import SyncModel

/// What finished actions made true.
extension Knowledge {
    /// Takes in outcomes, all of them or none, and with them what the trees came to know of files meanwhile. Versions of their
    /// records that were sent without an answer are forgotten, where they say what both sides agree on now.
    ///
    /// When the call returns, they survive a loss of power.
    /// - Parameter pushed: When the server accepted them, in milliseconds since 1970, where it did.
    /// - Throws: `StateError`.
    package func commit(_ outcomes: [Outcome], pushed: Int64? = nil) throws {
        let parted = outcomes.flatMap { outcome -> [AgreedFile] in
            switch outcome.base {
            case .unchanged, .partial: []
            case .agreed(let entry, _): trees.parted(from: entry.name, by: entry, removing: outcome.removedLocal)
            case .removed(let name): trees.parted(from: name, by: nil, removing: outcome.removedLocal)
            }
        }
        let provenance = trees.provenanceChanges(noting: parted)
        try store.commitOutcomes(outcomes, provenance: provenance, pushed: pushed)
        trees.noteStored(provenance)
        for outcome in outcomes {
            for path in outcome.removedLocal { setLocal(nil, at: path) }
            for entry in outcome.local { setLocal(entry, at: entry.path) }
            switch outcome.remote {
            case .unchanged, .recognized: break
            case .saved(let row): trees.setRemote(row.entry, named: row.entry.name)
            case .deleted(let name): trees.setRemote(nil, named: name)
            }
            switch outcome.base {
            case .unchanged: break
            case .agreed(let entry, _):
                trees.setBase(entry, named: entry.name)
                unanswered.forget(entry.name)
            case .partial(let name): trees.notePartial(name)
            case .removed(let name):
                trees.setBase(nil, named: name)
                unanswered.forget(name)
            }
        }
    }

    // MARK: What is under way

    /// The deletions that a person let pass and that are not done.
    package func approvedDeletions() throws -> ApprovedDeletions { try store.approvedDeletions() }

    /// The kinds of deletions of which a person was asked, and that wait for the answer.
    package func askedDeletions() throws -> Set<Action.Kind> {
        Set(try store.batchesAwaitingApproval().filter(\.isAsked).map(\.deletionKind))
    }

    /// Forgets approvals of what is done, or not to be done any more.
    package func forgetApprovals(of deletions: ApprovedDeletions) throws { try store.forgetApprovals(of: deletions) }

    /// The deletions of late that nobody was asked about, oldest first.
    package func recentDeletions() throws -> [RecentDeletions] { try store.recentDeletions() }

    /// Remembers these, in place of those before.
    package func note(_ deletions: [RecentDeletions]) throws { try store.replaceRecentDeletions(with: deletions) }

    /// Remembers what is about to be written into the folder, in place of what was before.
    package func noteWritten(_ versions: [WrittenVersion]) throws { try store.noteWritten(versions) }

    /// What was about to be written, and of which it is not stored what became of it.
    package func writtenVersions() throws -> [WrittenVersion] { try store.writtenVersions() }

    /// Forgets what was about to be written.
    package func forgetWritten() throws { try store.forgetWritten() }

    // MARK: Lost answers

    /// Whether any version was sent whose answer is still to come, or was lost.
    package var hasUnanswered: Bool { !unanswered.isEmpty }

    /// The records of which such versions were sent.
    package var unansweredNames: [RecordName] { unanswered.names }

    /// What was sent of a record without an answer, oldest first.
    package func unanswered(_ name: RecordName) -> [SentVersion] { unanswered[name] }

    /// What was sent of each record without an answer by now, as both sides agree on it if the zone took it.
    package var unansweredEntries: @Sendable (RecordName) -> [BaseEntry] {
        let saves = unanswered
        return { name in saves[name].map(\.entry) }
    }

    /// Remembers what is about to be sent, durably. Nothing may be sent where this throws.
    package func noteSent(_ versions: [SentVersion]) throws {
        try store.noteSent(versions)
        for version in versions { unanswered.note(version) }
    }

    /// Forgets a version that the server surely has not, because it refused it or never got it.
    package func forgetSent(_ version: SentVersion) throws {
        let (name, hash) = (version.entry.name, version.entry.hash)
        var rest = unanswered
        guard rest.forget(hash, of: name) else { return }
        try store.forgetSent(name, hash: hash)
        unanswered = rest
    }

    /// Forgets all that was sent of a record: the zone has it as it was before.
    package func forgetSent(_ name: RecordName) throws {
        for version in unanswered[name] { try store.forgetSent(name, hash: version.entry.hash) }
        unanswered.forget(name)
    }
}
