import RecordTrees
import SyncModel

extension SyncTrees {
    /// Of how many deletions the content is elsewhere in the folder too, as after a move that makes other records of the files.
    /// Looks at every file of the folder.
    func countElsewhere(_ deletions: [Action]) -> Int {
        let contents = deletions.compactMap { $0.record.flatMap { base[$0]?.hash } }
        let own = Set(deletions.map(\.path))
        let found = local.paths(with: Set(contents)).filter { !own.contains($0) }
        let stay = Set(found.compactMap { local[$0]?.hash })
        return contents.count { stay.contains($0) }
    }
}
