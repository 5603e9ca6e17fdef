import RecordTrees
package import SyncModel

extension SyncTrees {
    /// The bytes that actions move, as far as they are known before: those of the files that are sent, and of the assets of
    /// records that are received.
    package func plannedBytes(of actions: some Sequence<Action>) -> Int64 {
        actions.reduce(0) { sum, action in
            switch action.kind {
            case .createRecord, .updateRecord(content: true, path: _): return sum + (action.local?.stamp.size ?? 0)
            case .writeFile, .reconcile:
                let assets = action.record.flatMap { remote[$0] }?.assets ?? []
                return assets.reduce(sum) { $0 + $1.size }
            case .updateRecord, .deleteRecord, .moveFile, .deleteFile, .forget: return sum
            }
        }
    }
}
