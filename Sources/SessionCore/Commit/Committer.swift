import FileCustody
package import FolderKnowledge
import RecordMapping
import RecordReceiving
import RecordTrees
package import StateRows
package import SyncModel
import SyncTiming

/// The one place that stores what finished actions made true: in one transaction each, which memory follows.
///
/// With each change goes what comes of it: how records stand by it, what of a version before is kept, what the event tells,
/// what may be tried again by now, and what is to be received once more.
package final class Committer {
    private let environment: SessionEnvironment
    private let knowledge: Knowledge
    private let events: EventRecorder
    private let setbacks: Setbacks
    private let fetches: OwedFetches
    private let versions: OwnVersions
    /// What was done, to tell progress from standing still.
    package let count = OutcomeCount()

    /// Stores by the parts that it is handed.
    package init(
        _ environment: SessionEnvironment, knowledge: Knowledge, events: EventRecorder, setbacks: Setbacks,
        fetches: OwedFetches, versions: OwnVersions
    ) {
        (self.environment, self.knowledge) = (environment, knowledge)
        (self.events, self.setbacks, self.fetches, self.versions) = (events, setbacks, fetches, versions)
    }

    /// Stores what finished actions made true, in one transaction, and takes it into the trees. Then, in the same way, that those
    /// records are to be received once more which a name became free for by it, until no name does.
    /// - Throws: `StateError`; then nothing of that transaction is known.
    package func commit(_ outcomes: [Outcome]) throws { try take(outcomes.map(stillPartial)) }

    private func take(_ outcomes: [Outcome]) throws {
        var next = outcomes
        while !next.isEmpty {
            let changed = try store(next)
            next = receivedAgain(try UnnamedAssets(knowledge).takingFreedNames(at: changed))
        }
    }

    /// The same, where the folder has a record only in part: what is sent of that makes it no more whole.
    private func stillPartial(_ outcome: Outcome) -> Outcome {
        guard case .agreed(var entry, let document) = outcome.base, knowledge.trees.base[entry.name]?.isPartial ?? false
        else { return outcome }
        entry.isPartial = true
        var outcome = outcome
        outcome.base = .agreed(entry, document: document)
        return outcome
    }

    /// Stores outcomes, and takes them into the trees.
    /// - Returns: Where a record of theirs holds a file now and did not, or holds it no more.
    private func store(_ outcomes: [Outcome]) throws -> Set<FolderPath> {
        let outcomes = versions.keeping(withStandings(outcomes))
        let unnamed = UnnamedAssets(knowledge)
        let before = unnamed.heldFiles(outcomes)
        let isPushed = outcomes.contains { $0.change?.kind == .export }
        let told = try events.recording(outcomes)
        setbacks.release(near: outcomes.flatMap { $0.removedLocal + $0.local.map(\.path) })
        try knowledge.commit(told, pushed: isPushed ? environment.clock.milliseconds : nil)
        count.note(outcomes.count)
        setbacks.release(awaiting: outcomes.lazy.compactMap(\.changedRecord))
        return Set(before.symmetricDifference(unnamed.heldFiles(outcomes)).map(\.path))
    }

    /// Stores what was received, and remembers which files it let go as assets. What other records had as an asset, and a person
    /// moved to where it went now, they get once more.
    /// - Parameter others: Files that were let go besides.
    package func commit(received outcomes: [Outcome], lettingGo others: [AgreedAsset] = []) throws {
        let released = outcomes.flatMap(assetsReleased) + others
        try take(outcomes + receivedAgain(recordsMissingFiles(after: outcomes)))
        var heirs: [Outcome] = []
        for asset in released {
            // Nobody has it any more: what another record has still is a person's own once they take it out of that one.
            let custody = knowledge.trees.custody(of: asset.path)
            guard custody.file != nil, custody.ownHolder == nil, !custody.isAgreedAsset() else { continue }
            if let heir = custody.heir(of: asset) {
                heirs.append(Outcome(base: .agreed(heir, document: nil)))
            } else {
                knowledge.noteLetGo(asset)
            }
        }
        // Should the zone delete that record before the next plan, the file would seem to be one that a person made.
        try take(heirs)
    }

    /// Notes that records are to be received as if they had changed in the zone.
    package func receiveAgain(_ entries: [BaseEntry]) throws { try commit(receivedAgain(entries)) }

    private func receivedAgain(_ entries: [BaseEntry]) -> [Outcome] {
        entries.map { Outcome(base: .partial($0.name)) }
    }

    /// Notes that the files of some records count as edited, whatever their bytes: it is to be sent.
    package func note(_ standings: [RecordName: BaseEntry.Standing]) throws {
        guard !knowledge.isReadOnly else { return }
        try knowledge.note(standings)
    }

    /// Notes that both sides agree on records of files, of which a plan was made with their bytes alone.
    package func agree(on files: [BaseEntry]) throws {
        try commit(files.map { Outcome(base: .agreed(try knowledge.withAttributes($0), document: nil)) })
    }

    /// A line of the journal, of this moment.
    package func journal(_ action: String, by author: Author, path: FolderPath?, record: RecordName?) -> JournalEntry {
        JournalEntry(
            atMilliseconds: environment.clock.milliseconds, action: action, author: author, path: path, record: record)
    }

    /// The same outcomes with how records stand by them, and what becomes of other records thereby.
    private func withStandings(_ outcomes: [Outcome]) -> [Outcome] {
        var outcomes = outcomes
        let standings = Standings(knowledge.trees)
        for index in outcomes.indices {
            guard case .agreed(var entry, let document) = outcomes[index].base else { continue }
            entry.standing = standings.standing(of: entry, isSent: outcomes[index].isSent)
            outcomes[index].base = .agreed(entry, document: document)
        }
        // They are this device's own from now on, with whatever record they came.
        for path in standings.left(by: outcomes) { knowledge.forgetArrival(at: path) }
        for path in standings.takenOut(by: outcomes) {
            knowledge.noteTakenOut(path)
            // Soon: what somebody does later knows of this.
            fetches.oweZone()
        }
        if !knowledge.isReadOnly {
            for (asset, name) in standings.assetsLeft(by: outcomes) { knowledge.noteLeft(asset, by: name) }
        }
        return outcomes + standings.changes(after: outcomes)
    }

    /// The other records whose assets, where a person moved them to, were replaced or removed with what was received: in the
    /// zone they have them still.
    private func recordsMissingFiles(after outcomes: [Outcome]) -> [BaseEntry] {
        var missing: [RecordName: BaseEntry] = [:]
        for outcome in outcomes {
            let files = Set(outcome.local.map(\.file))
            for path in outcome.removedLocal + outcome.local.map(\.path) {
                guard let old = knowledge.trees.local[path], !files.contains(old.file) else { continue }
                guard let (known, records) = knowledge.trees.missing(old) else { continue }
                knowledge.noteAwaited(known)
                for record in records { missing[record.name] = record }
            }
        }
        let changed = Set(outcomes.compactMap(\.base.name))
        return missing.values.filter { !changed.contains($0.name) }
    }

    /// The assets that a received record has no more where they were, while the file here still named them: nobody here took
    /// them out of it.
    private func assetsReleased(by outcome: Outcome) -> [AgreedAsset] {
        let (name, after): (RecordName, [AgreedAsset])
        switch outcome.base {
        case .unchanged, .partial: return []
        case .agreed(let entry, _): (name, after) = (entry.name, entry.assets)
        case .removed(let removed): (name, after) = (removed, [])
        }
        let trees = knowledge.trees
        guard let base = trees.base[name], base.recordType != knowledge.fileType,
            let named = trees.local[base.path]?.form.attachments
        else { return [] }
        let isTextMoved = trees.isTextMoved(of: base)
        return base.assets.filter { asset in
            (isTextMoved || named.contains { $0.path == asset.path }) && !after.contains { $0.path == asset.path }
                && !trees.custody(of: asset.path).isFromElsewhere
        }
    }
}
