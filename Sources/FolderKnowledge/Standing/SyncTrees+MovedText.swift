package import RecordTrees
package import SyncModel

extension SyncTrees {
    /// Whether the file of a structured record was moved here, and is still to be received. The same text names other paths where
    /// it is now: nobody took out what it named before.
    package func isTextMoved(of record: BaseEntry) -> Bool {
        record.isPartial && local[record.path]?.hash == record.hash
    }
}
