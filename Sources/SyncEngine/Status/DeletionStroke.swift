import StateRows
package import StateStorage
package import SyncModel

/// Deletions on one side that came one upon another, as those of one command do; by the journal, which names each file.
package struct DeletionStroke: Hashable, Sendable {
    /// Whether records went, because their files were deleted here; else files, because their records were.
    package let isInZone: Bool
    /// The files, in the order in which they went.
    package private(set) var paths: [FolderPath] = []
    /// In milliseconds since 1970: what the history here has of these files left the folder at that time or later, and what it
    /// has of the deletion before them, earlier.
    package let sinceMilliseconds: Int64
    /// When the last of them was done, in milliseconds since 1970.
    package private(set) var untilMilliseconds: Int64
    private var event: Int64?

    /// So long after a deletion the next one is no part of its stroke. Files are missed for 3 s before their deletion is sent.
    static let pause: Int64 = 15_000
    /// The same between two of one export: before a part of them is sent, the last versions of its files are fetched.
    static let pauseInExport: Int64 = 120_000

    /// - Parameters:
    ///   - beginning: When the export began that sent the first of them, where that is known.
    ///   - previous: When the deletion before it was done.
    private init(_ first: JournalEntry, isInZone: Bool, beginning: Int64?, after previous: Int64?) {
        self.isInZone = isInZone
        // The history tells the second alone in which it took a file.
        let earliest = previous.map { ($0 / 1000 + 1) * 1000 } ?? .min
        // What a deletion takes from the zone is kept here before it is sent, and is told of once that is answered.
        sinceMilliseconds = min(first.atMilliseconds, max(beginning ?? first.atMilliseconds, earliest))
        untilMilliseconds = first.atMilliseconds
    }

    private func goesOn(with next: JournalEntry) -> Bool {
        let isOneExport = isInZone && event != nil && event == next.event
        return next.atMilliseconds - untilMilliseconds <= (isOneExport ? Self.pauseInExport : Self.pause)
    }

    private mutating func add(_ next: JournalEntry) {
        if let path = next.path { paths.append(path) }
        (untilMilliseconds, event) = (next.atMilliseconds, next.event)
    }

    /// The strokes of a side that the journal has, oldest first.
    /// - Parameters:
    ///   - first: Only what was done from then on, in milliseconds since 1970.
    ///   - beginning: When the export began that went on at a moment.
    static func all(
        _ isInZone: Bool, in journal: [JournalEntry], from first: Int64 = .min,
        beginning: (Int64) throws -> Int64? = { _ in nil }
    ) rethrows -> [DeletionStroke] {
        let action = isInZone ? JournalEntry.recordDeleted : JournalEntry.fileDeleted
        var strokes: [DeletionStroke] = []
        var previous: Int64?
        for change in journal where change.action == action {
            defer { previous = change.atMilliseconds }
            guard change.atMilliseconds >= first else { continue }
            if strokes.last?.goesOn(with: change) != true {
                let began = isInZone ? try beginning(change.atMilliseconds) : nil
                strokes.append(DeletionStroke(change, isInZone: isInZone, beginning: began, after: previous))
            }
            strokes[strokes.count - 1].add(change)
        }
        return strokes
    }

    /// The last one that took many files which are gone still, on either side; with these alone.
    /// - Parameters:
    ///   - count: It took more than so many of them.
    ///   - gone: Those of some files that are gone.
    package static func last(
        ofMoreThan count: Int, in store: StateStore, gone: (Set<FolderPath>) throws -> Set<FolderPath>
    ) throws -> DeletionStroke? {
        let journal = try store.changes(limit: StateStore.keptChanges)
        let large = try [true, false].flatMap { isInZone in
            try all(isInZone, in: journal) { try store.beginning(of: .export, at: $0) }
        }.filter { $0.paths.count > count }.sorted { $0.untilMilliseconds > $1.untilMilliseconds }
        for var stroke in large {
            var left = try gone(Set(stroke.paths))
            stroke.paths = stroke.paths.filter { left.remove($0) != nil }
            if stroke.paths.count > count { return stroke }
        }
        return nil
    }
}
