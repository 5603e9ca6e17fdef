import FileCustody
package import RecordTrees
package import SyncModel

extension Writing {
    /// How its record stands once it is written. Nothing was sent for a file that was kept for it, or that it has all of: where
    /// a person put another record's file there, the zone cannot know of it, and another device's deletion would take it.
    /// - Parameters:
    ///   - trees: As they were when it was composed.
    ///   - isReadOnly: Whether nothing can be told the zone.
    package func standing(in trees: SyncTrees, isReadOnly: Bool) -> BaseEntry.Standing {
        let isKept = keptPath != nil
        let hasAll = receiving.action.kind == .reconcile && conflict == nil && agreed == nil
        // Nor of one that was merged and is all there; that it was put there is still to be told.
        let isMerged = conflict == nil && agreed != nil && trees.base[receiving.entry.name]?.standing == .renewed
        guard isKept || hasAll || isMerged else { return .agreed }
        guard let known = trees.base[receiving.entry.name] else {
            let isPutThere = trees.custody(of: path).isRenamedHere || trees.provenance[path].isUnwatched
            return !isReadOnly && isPutThere ? .renewed : .agreed
        }
        let putThere = known.assets.map(\.path).filter { trees.custody(of: $0).isFromElsewhere }
        let copied = assets.filter(\.keepsCopy).map(\.path)
        // In copies they are files of their own.
        if !putThere.isEmpty, putThere.allSatisfy(copied.contains) { return .agreed }
        // One that was leaving is there again.
        guard known.standing != .leaving else { return .agreed }
        return isKept || [.renewed, .renewedAsset].contains(known.standing) ? known.standing : .agreed
    }
}
