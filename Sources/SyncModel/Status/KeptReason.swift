/// Why an earlier version of a file is kept: what took its place, and who did that.
public enum KeptReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// A change in the zone.
    case changedThere = "changed-there"
    /// The deletion of its record in the zone.
    case deletedThere = "deleted-there"
    /// An edit in this folder.
    case changedHere = "changed-here"
    /// A deletion in this folder.
    case deletedHere = "deleted-here"
    /// Another version that was restored.
    case restored
}
