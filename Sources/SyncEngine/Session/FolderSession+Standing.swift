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
        guard outcomes.contains(where: { assetsBefore($0) != assetsAfter($0) }) else { return [] }
        // As these outcomes leave them.
        var bases: [FolderPath: BaseEntry?] = [:]
        for outcome in outcomes {
            switch outcome.base {
            case .agreed(let entry, _): bases[entry.path] = entry
            case .removed(let name): if let path = trees.base[name]?.path { bases[path] = .some(nil) }
            case .unchanged: break
            }
        }
        var changes: [Outcome] = []
        for outcome in outcomes {
            let (before, after) = (assetsBefore(outcome), assetsAfter(outcome))
            guard before != after, let file = filePath(outcome) else { continue }
            let named = Set(trees.local[file]?.form.attachments.map(\.path) ?? [])
            for (path, hash) in after.sorted(by: { $0.key < $1.key }) where before[path] != hash {
                let base = bases[path] ?? trees.baseRecord(at: path)
                if before[path] == nil ? !named.contains(path) : base?.standing == .yielded {
                    changes += yielded(base, to: hash)
                }
            }
            for path in before.keys.sorted() where after[path] == nil && named.contains(path) {
                changes += takenBack(bases[path] ?? trees.baseRecord(at: path))
            }
        }
        return changes
    }

    /// A record of the zone has the file from now on, with bytes of this hash: where they are others, the file's own record
    /// is shown beside it.
    private func yielded(_ base: BaseEntry?, to hash: ContentHash) -> [Outcome] {
        guard var base, base.recordType == paths.fileType else { return [] }
        guard trees.remote[base.name] != nil, base.hash == hash else { return [Outcome(base: .removed(base.name))] }
        base.standing = .yielded
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
        case .agreed(let entry, _): assets(trees.base[entry.name])
        case .removed(let name): assets(trees.base[name])
        }
    }

    private func assetsAfter(_ outcome: Outcome) -> [FolderPath: ContentHash] {
        if case .agreed(let entry, _) = outcome.base { assets(entry) } else { [:] }
    }

    private func assets(_ base: BaseEntry?) -> [FolderPath: ContentHash] {
        guard let base, base.recordType != paths.fileType else { return [:] }
        return Dictionary(base.assets.map { ($0.path, $0.hash) }) { first, _ in first }
    }

    private func filePath(_ outcome: Outcome) -> FolderPath? {
        switch outcome.base {
        case .unchanged: nil
        case .agreed(let entry, _): trees.base[entry.name]?.path ?? entry.path
        case .removed(let name): trees.base[name]?.path
        }
    }
}
