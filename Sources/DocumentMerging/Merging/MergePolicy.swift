/// Who wins where both sides changed one value and the two changes cannot be joined (design.md §6).
public enum MergePolicy: String, Hashable, Sendable, CaseIterable {
    /// The zone's value.
    case remote
    /// The folder's value.
    case local
    /// The value of the side that was written later.
    case newest
    /// Numbers: both sides' differences from the base are added to it, where no digit is lost by that and what this device sent is
    /// not in doubt.
    case counter
    /// The larger of two numbers, the later of two texts in byte order.
    case max
    /// The smaller of two numbers, the earlier of two texts in byte order.
    case min
    /// Lists of scalars: what either side has, the zone's first.
    case union
}

/// One of the two sides of a merge.
public enum MergeSide: String, Hashable, Sendable {
    case local, remote
}

/// A value that both sides changed differently; one change was kept, the other is in the conflict copy.
public struct MergeCollision: Hashable, Sendable {
    /// The keys that lead to the value, from the top level down.
    public var path: [String]
    /// Whose value the merged document has.
    public var kept: MergeSide

    /// A collision at a path.
    public init(path: [String], kept: MergeSide) {
        self.path = path
        self.kept = kept
    }

    /// Two texts are one path only if their bytes are the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.kept == right.kept && left.path.elementsEqual(right.path) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// By what is cheap and no string comparison.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(path.count)
        hasher.combine(kept)
    }
}
