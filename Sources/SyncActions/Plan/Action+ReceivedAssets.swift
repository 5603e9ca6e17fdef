package import RecordTrees
package import SyncModel

extension Action {
    /// Whether the file that was to be sent as a record of its own belongs to one that was received since the plan was made.
    package func isOfReceivedAsset(in trees: SyncTrees) -> Bool {
        guard kind != .deleteRecord, trees.isAttached(path) else { return false }
        return record.flatMap { trees.base[$0]?.path } != path
    }
}
