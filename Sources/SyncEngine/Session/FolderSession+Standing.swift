import FolderKnowledge
import RecordMapping
import StateStorage
import SyncModel
import SyncPlanning

/// How the records of files stand that other records come to name, or name no more (``BaseEntry/Standing``).
///
/// Who attaches a file that has a record of its own sends the record that names it, and deletes the other one then. Others
/// see the one change before the other, or in whatever order their pages have them.
extension FolderSession {
    /// What the zone did to the records of files in these outcomes: what this device's people did is planned.
    func standings(after outcomes: [Outcome]) -> [Outcome] {
        guard outcomes.contains(where: { assetsBefore($0) != assetsAfter($0) || $0.isSent }) else { return [] }
        let changed = Set(outcomes.compactMap(\.name))
        let agreed = outcomes.compactMap(\.agreed)
        // As these outcomes leave it.
        func base(at path: FolderPath) -> BaseEntry? {
            if let entry = agreed.last(where: { $0.path == path }) { return entry }
            return knowledge.trees.baseRecord(at: path).flatMap { changed.contains($0.name) ? nil : $0 }
        }
        var changes: [Outcome] = []
        for outcome in outcomes {
            let (before, after) = (assetsBefore(outcome), assetsAfter(outcome))
            if outcome.isSent {
                for path in after.keys.sorted() { changes += namedBySent(base(at: path)) }
            }
            guard before != after else { continue }
            let named = namedFiles(outcome)
            for (path, hash) in after.sorted(by: { $0.key < $1.key }) where before[path] != hash {
                let file = base(at: path)
                if before[path] == nil ? !named.contains(path) && !outcome.isSent : file?.standing == .yielded {
                    changes += yielded(file, to: hash)
                }
            }
            for path in before.keys.sorted() where after[path] == nil && named.contains(path) {
                guard !knowledge.trees.isAgreedAsset(path, besides: outcome.name) else { continue }
                changes += takenBack(base(at: path))
            }
        }
        return changes
    }

    /// Notes which files a person took out of records in these outcomes, while others name them or may name them once they
    /// can be read, or after they were told to be files of their own: another device may have attached them without knowing
    /// that.
    func noteTakenOutFiles(_ outcomes: [Outcome]) {
        for outcome in outcomes {
            let (before, after) = (assetsBefore(outcome), assetsAfter(outcome))
            let named = namedFiles(outcome)
            for path in before.keys where after[path] == nil && !named.contains(path) {
                let hasOthers = knowledge.trees.isAttached(path) || !knowledge.trees.silentOwners(of: path).isEmpty
                guard hasOthers || knowledge.trees.baseRecord(at: path)?.standing == .confirmed else { continue }
                knowledge.noteTakenOut(path)
                // Soon: what somebody does later knows of this.
                fetches.oweZone()
            }
        }
    }

    /// A record of the zone has the file from now on, with bytes of this hash: where they are others, the file's own record
    /// is shown beside it.
    private func yielded(_ base: BaseEntry?, to hash: ContentHash) -> [Outcome] {
        guard var base, base.recordType == knowledge.paths.fileType else { return [] }
        guard knowledge.trees.remote[base.name] != nil, base.hash == hash else {
            return [Outcome(base: .removed(base.name))]
        }
        base.standing = .yielded
        return [Outcome(base: .agreed(base, document: nil))]
    }

    /// The zone took a record of this device that has the file: nobody can have let that go unseen, and the file's own
    /// record is over.
    private func namedBySent(_ base: BaseEntry?) -> [Outcome] {
        guard var base, base.recordType == knowledge.paths.fileType, [.renewed, .confirmed].contains(base.standing)
        else {
            return []
        }
        base.standing = .agreed
        return [Outcome(base: .agreed(base, document: nil))]
    }

    /// The record of the zone that had it gave it up.
    private func takenBack(_ base: BaseEntry?) -> [Outcome] {
        guard var base, base.standing == .yielded else { return [] }
        base.standing = .agreed
        return [Outcome(base: .agreed(base, document: nil))]
    }

    private func assetsBefore(_ outcome: Outcome) -> [FolderPath: ContentHash] {
        switch outcome.base {
        case .unchanged: [:]
        case .agreed(let entry, _): assets(knowledge.trees.base[entry.name])
        case .removed(let name): assets(knowledge.trees.base[name])
        }
    }

    private func assetsAfter(_ outcome: Outcome) -> [FolderPath: ContentHash] {
        if case .agreed(let entry, _) = outcome.base { assets(entry) } else { [:] }
    }

    private func assets(_ base: BaseEntry?) -> [FolderPath: ContentHash] {
        guard let base, base.recordType != knowledge.paths.fileType else { return [:] }
        return Dictionary(base.assets.map { ($0.path, $0.hash) }) { first, _ in first }
    }

    /// What a record's file names, where it was and where it is.
    private func namedFiles(_ outcome: Outcome) -> Set<FolderPath> {
        let places = Set(
            [outcome.name.flatMap { knowledge.trees.base[$0]?.path }, outcome.agreed?.path].compactMap(\.self))
        return Set(places.flatMap { knowledge.trees.local[$0]?.form.attachments.map(\.path) ?? [] })
    }

    /// How a record stands that is agreed on. Of a file record whose file both sides know as another record's asset, while no
    /// text here names it: what is not sent is to be sent.
    func standing(of entry: BaseEntry, isSent: Bool) -> BaseEntry.Standing {
        guard entry.standing == .agreed, entry.recordType == knowledge.paths.fileType else { return entry.standing }
        guard !knowledge.trees.isAttached(entry.path), knowledge.trees.isAgreedAsset(entry.path, besides: nil) else {
            return .agreed
        }
        return isSent ? .confirmed : .renewed
    }

    /// How a record stands that was received. Nothing was sent for a file that was kept for it, or that it has all of: where
    /// a person put another record's file there, the zone cannot know of it, and another device's deletion would take it.
    func standing(of writing: Writing) -> BaseEntry.Standing {
        let isKept = writing.keptPath != nil
        let hasAll = writing.receiving.action.kind == .reconcile && writing.conflict == nil && writing.agreed == nil
        // Nor of one that was merged and is all there; that it was put there is still to be told.
        let isMerged =
            writing.conflict == nil && writing.agreed != nil
            && knowledge.trees.base[writing.receiving.entry.name]?.standing == .renewed
        guard isKept || hasAll || isMerged else { return .agreed }
        guard let known = knowledge.trees.base[writing.receiving.entry.name] else {
            let isPutThere =
                knowledge.trees.isRenamed(to: writing.path) || knowledge.trees.provenance[writing.path].isUnwatched
            return !isReadOnly && isPutThere ? .renewed : .agreed
        }
        let putThere = known.assets.map(\.path).filter(knowledge.trees.isFromElsewhere)
        let copied = writing.assets.filter(\.keepsCopy).map(\.path)
        // In copies they are files of their own.
        if !putThere.isEmpty, putThere.allSatisfy(copied.contains) { return .agreed }
        return isKept || [.renewed, .renewedAsset].contains(known.standing) ? known.standing : .agreed
    }
}

extension Outcome {
    fileprivate var agreed: BaseEntry? {
        if case .agreed(let entry, _) = base { entry } else { nil }
    }

    /// The record whose base changes.
    fileprivate var name: RecordName? {
        switch base {
        case .unchanged: nil
        case .agreed(let entry, _): entry.name
        case .removed(let name): name
        }
    }

    /// The record of the zone that came, changed or went.
    var changedRecord: RecordName? {
        switch remote {
        case .unchanged: nil
        case .saved(let row): row.entry.name
        case .deleted(let name): name
        }
    }

    /// Whether it is what this device sent.
    var isSent: Bool {
        if case .saved = remote { true } else { false }
    }
}
