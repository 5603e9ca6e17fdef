import RecordMapping
import SyncModel
import SyncPlanning

/// The names given to new records in one batch, so that no two get the same.
struct NameBook {
    private var given: Set<RecordName> = []

    /// The first of the path's names that no record of the zone has.
    mutating func newName(for path: FolderPath, isStructured: Bool, in trees: SyncTrees) -> RecordName {
        var attempt = 0
        while true {
            let name = RecordNaming.recordName(for: path, isStructured: isStructured, attempt: attempt)
            if trees.remote[name] == nil, trees.base[name] == nil, given.insert(name).inserted { return name }
            attempt += 1
        }
    }
}
