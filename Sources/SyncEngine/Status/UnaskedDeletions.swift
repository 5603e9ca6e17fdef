package import StateRows
package import StateStorage
import SyncModel

/// What was deleted on a side shortly before a batch that waits, without that anybody was asked.
///
/// A large deletion comes in pieces, and the guard asks once they are too many together.
package struct UnaskedDeletions: Hashable, Sendable {
    /// Records, or files with what belongs to them.
    package let count: Int
    /// When the first of them began, in milliseconds since 1970: nothing of them was in the history before.
    package let sinceMilliseconds: Int64

    /// `nil` where none went before.
    /// - Parameter recent: What nobody was asked about on either side, oldest first.
    /// - Throws: `StateError`.
    package init?(before batch: BatchAwaitingApproval, among recent: [RecentDeletions], in store: StateStore) throws {
        let isInZone = batch.deletionKind == .deleteRecord
        let deletions = recent.filter { $0.isInZone == isInZone }
        guard let first = deletions.map(\.atMilliseconds).min() else { return nil }
        count = deletions.reduce(0) { $0 + $1.count }
        // What a deletion takes from the zone is kept here before it is sent, and counts once that is answered.
        sinceMilliseconds = isInZone ? try store.beginning(of: .export, at: first) ?? first : first
    }
}
