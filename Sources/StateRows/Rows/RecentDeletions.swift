/// Deletions on one side that nobody was asked about: what is deleted within minutes of them counts as one with them.
public struct RecentDeletions: Hashable, Sendable {
    /// Of records, in the zone; else of files, in the folder.
    public var isInZone: Bool
    /// Milliseconds since 1970.
    public var atMilliseconds: Int64
    public var count: Int

    /// So many, on that side, at that time.
    public init(isInZone: Bool, atMilliseconds: Int64, count: Int) {
        self.isInZone = isInZone
        self.atMilliseconds = atMilliseconds
        self.count = count
    }
}
