package import SyncModel

/// What is waited for after a failure.
package enum RetryKey: Hashable, Sendable {
    case account, zone, subscription, databaseChanges, zoneChanges, state
    case record(RecordName)
    case path(FolderPath)

    /// The key of an action: its record's, or its file's.
    init?(_ action: Action) {
        self = action.record.map(RetryKey.record) ?? .path(action.path)
    }
}
