import RecordTrees
import SyncModel
import SyncPlanning

/// Rows as a store would give them.
struct GivenRows: StoredRows {
    var files: [LocalEntry] = []
    var records: [RemoteEntry] = []
    var agreed: [BaseEntry] = []

    func eachFile(_ take: (LocalEntry) -> Void) { files.forEach(take) }
    func eachRecord(_ take: (RemoteEntry) -> Void) { records.forEach(take) }
    func eachAgreed(_ take: (BaseEntry) -> Void) { agreed.forEach(take) }
}

extension SyncTrees {
    /// Takes in three trees in the place of empty ones, as a start does.
    mutating func load(
        local: [LocalEntry], remote: [RemoteEntry], base: [BaseEntry], provenance: [FolderPath: Provenance] = [:]
    ) {
        // These rows throw nothing.
        try! load(GivenRows(files: local, records: remote, agreed: base), provenance: provenance)
    }
}
