package import StateRows
package import StateStorage
package import SyncModel

/// What was deleted on a side just before a batch that waits, without that anybody was asked, and is gone.
///
/// A large deletion comes in pieces, and the guard asks once they are too many together. It counts those of ten minutes; what was
/// deleted on purpose some minutes before is no piece of this one, and is not told.
package struct UnaskedDeletions: Hashable, Sendable {
    /// Files.
    package let count: Int
    /// In milliseconds since 1970: what the history here has of them left the folder at that time or later.
    package let sinceMilliseconds: Int64

    /// By at most so many milliseconds the journal's time of a deletion is the earlier one: it counts once that is stored.
    private static let slack: Int64 = 5_000

    /// `nil` where none went before, or all that went is back.
    /// - Parameters:
    ///   - recent: What nobody was asked about on either side, oldest first.
    ///   - gone: Those of some files that are gone, and whose deletion does not wait.
    /// - Throws: `StateError`, and what `gone` throws.
    package init?(
        before batch: BatchAwaitingApproval, among recent: [RecentDeletions], in store: StateStore,
        gone: (Set<FolderPath>) throws -> Set<FolderPath>
    ) throws {
        let isInZone = batch.deletionKind == .deleteRecord
        guard let first = recent.filter({ $0.isInZone == isInZone }).map(\.atMilliseconds).min() else { return nil }
        // The stored batch tells since when any of its kind waits.
        let waiting = try store.batchesAwaitingApproval().filter {
            $0.deletionKind == batch.deletionKind && $0.approvedMilliseconds == nil
        }
        let since = (waiting.map(\.sinceMilliseconds) + [batch.sinceMilliseconds]).min()!
        let journal = try Self.journal(from: first - Self.slack, in: store)
        let strokes = try DeletionStroke.all(isInZone, in: journal, from: first - Self.slack) {
            try store.beginning(of: .export, at: $0)
        }.filter { $0.untilMilliseconds + DeletionStroke.pause >= since }
        guard let stroke = strokes.first else { return nil }
        count = try gone(Set(strokes.flatMap(\.paths))).count
        sinceMilliseconds = stroke.sinceMilliseconds
        if count == 0 { return nil }
    }

    /// The changes since a moment, with some before it. Whoever watches asks each second, and few are new.
    private static func journal(from first: Int64, in store: StateStore) throws -> [JournalEntry] {
        let some = try store.changes(limit: 1_000)
        guard let oldest = some.first, oldest.atMilliseconds >= first else { return some }
        return try store.changes(limit: StateStore.keptChanges)
    }
}
