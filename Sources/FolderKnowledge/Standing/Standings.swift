import FileCustody
package import RecordTrees
package import StateRows
package import SyncModel

/// How the records of files stand that other records come to name, or name no more (``BaseEntry/Standing``).
///
/// Who attaches a file that has a record of its own sends the record that names it, and deletes the other one then. Others
/// see the one change before the other, or in whatever order their pages have them.
package struct Standings {
    let trees: SyncTrees

    /// - Parameter trees: As they are before the outcomes are taken in.
    package init(_ trees: SyncTrees) { self.trees = trees }

    /// What the zone did to the records of files in these outcomes: what this device's people did is planned.
    package func changes(after outcomes: [Outcome]) -> [Outcome] {
        guard outcomes.contains(where: { assetsBefore($0) != assetsAfter($0) || $0.isSent }) else { return [] }
        let changed = Set(outcomes.compactMap(\.name))
        let agreed = outcomes.compactMap(\.agreed)
        // As these outcomes leave it.
        func base(at path: FolderPath) -> BaseEntry? {
            if let entry = agreed.last(where: { $0.path == path }) { return entry }
            return trees.baseRecord(at: path).flatMap { changed.contains($0.name) ? nil : $0 }
        }
        var changes: [Outcome] = []
        for outcome in outcomes {
            let (before, after) = (assetsBefore(outcome), assetsAfter(outcome))
            if outcome.isSent {
                for (path, hash) in after.sorted(by: { $0.key < $1.key }) {
                    changes += change(of: base(at: path), after: .sentAttached(isNew: before[path] != hash))
                }
            }
            guard before != after else { continue }
            let named = namedFiles(outcome)
            for (path, hash) in after.sorted(by: { $0.key < $1.key }) where before[path] != hash && !outcome.isSent {
                let file = base(at: path)
                if before[path] == nil ? !named.contains(path) : file?.standing == .yielded {
                    changes += change(of: file, after: .attached(hash))
                }
            }
            for path in before.keys.sorted() where after[path] == nil && named.contains(path) {
                guard !trees.custody(of: path).isAgreedAsset(besides: outcome.name) else { continue }
                changes += change(of: base(at: path), after: .letGo)
            }
        }
        return changes
    }

    /// The files that a person here took out of records, as the zone knows by these outcomes, or let stay where they deleted
    /// those.
    package func left(by outcomes: [Outcome]) -> [FolderPath] {
        outcomes.filter { $0.isSent || $0.isRemoval }.flatMap(filesNotNamed)
    }

    /// The files that a person took out of records in these outcomes, and that another device may have attached without knowing
    /// that.
    package func takenOut(by outcomes: [Outcome]) -> [FolderPath] {
        outcomes.flatMap(filesNotNamed).filter { trees.custody(of: $0).mayBeAttachedElsewhere }
    }

    /// The assets that structured records have no more where they were, by these outcomes.
    package func assetsLeft(by outcomes: [Outcome]) -> [(asset: AgreedAsset, record: RecordName)] {
        outcomes.flatMap { outcome -> [(asset: AgreedAsset, record: RecordName)] in
            guard let base = outcome.name.flatMap({ trees.base[$0] }), base.recordType != trees.fileRecordType
            else { return [] }
            let after = assetsAfter(outcome)
            return base.assets.filter { after[$0.path] == nil }.map { ($0, base.name) }
        }
    }

    /// What a record has no more that its file does not name either.
    private func filesNotNamed(_ outcome: Outcome) -> [FolderPath] {
        let (before, after) = (assetsBefore(outcome), assetsAfter(outcome))
        let named = namedFiles(outcome)
        return before.keys.filter { after[$0] == nil && !named.contains($0) }
    }

    private func change(of base: BaseEntry?, after event: CustodyEvent) -> [Outcome] {
        guard var base, base.recordType == trees.fileRecordType else { return [] }
        switch base.change(after: event, isInZone: trees.remote[base.name] != nil) {
        case nil: return []
        case .forgotten: return [Outcome(base: .removed(base.name))]
        case .standing(let standing):
            base.standing = standing
            return [Outcome(base: .agreed(base, document: nil))]
        }
    }

    private func assetsBefore(_ outcome: Outcome) -> [FolderPath: ContentHash] {
        switch outcome.base {
        case .unchanged, .partial: [:]
        case .agreed(let entry, _): assets(trees.base[entry.name])
        case .removed(let name): assets(trees.base[name])
        }
    }

    private func assetsAfter(_ outcome: Outcome) -> [FolderPath: ContentHash] {
        if case .agreed(let entry, _) = outcome.base { assets(entry) } else { [:] }
    }

    private func assets(_ base: BaseEntry?) -> [FolderPath: ContentHash] {
        guard let base, base.recordType != trees.fileRecordType else { return [:] }
        return Dictionary(base.assets.map { ($0.path, $0.hash) }) { first, _ in first }
    }

    /// What a record's file names, where it was and where it is. Where it was may be another record's by now.
    private func namedFiles(_ outcome: Outcome) -> Set<FolderPath> {
        let before = outcome.name.flatMap { trees.base[$0] }.flatMap { trees.isBound($0) ? $0 : nil }
        let places = Set([before?.path, outcome.agreed?.path].compactMap(\.self))
        let named = Set(places.flatMap { trees.local[$0]?.form.attachments.map(\.path) ?? [] })
        guard let before, trees.isTextMoved(of: before) else { return named }
        return named.union(before.assets.map(\.path))
    }

    /// How a record stands that is agreed on. Of a file record whose file both sides know as another record's asset, while no
    /// text here names it: what is not sent is to be sent.
    package func standing(of entry: BaseEntry, isSent: Bool) -> BaseEntry.Standing {
        guard entry.standing == .agreed, entry.recordType == trees.fileRecordType else { return entry.standing }
        return trees.custody(of: entry.path).standing(ofAgreed: entry, isSent: isSent)
    }
}

extension Outcome {
    fileprivate var agreed: BaseEntry? {
        if case .agreed(let entry, _) = base { entry } else { nil }
    }

    /// The record whose assets may change.
    fileprivate var name: RecordName? {
        switch base {
        case .unchanged, .partial: nil
        case .agreed(let entry, _): entry.name
        case .removed(let name): name
        }
    }

    /// The record of the zone that came, changed or went.
    package var changedRecord: RecordName? {
        switch remote {
        case .unchanged, .recognized: nil
        case .saved(let row): row.entry.name
        case .deleted(let name): name
        }
    }

    fileprivate var isRemoval: Bool {
        if case .removed = base { true } else { false }
    }

    /// Whether it is what this device sent, be it that the server said so or that it is found to have it.
    package var isSent: Bool {
        switch remote {
        case .saved, .recognized: true
        case .unchanged, .deleted: false
        }
    }
}
