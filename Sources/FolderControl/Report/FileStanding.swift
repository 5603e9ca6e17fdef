/// What can be told of one path without asking the zone.
public enum FileStanding: Hashable, Sendable {
    case present
    /// Nothing is there.
    case absent
    /// A directory in which no file is, at any depth, that would be synced.
    case empty
    /// A rule leaves it out: the rule, or the reason of a built-in one.
    case ignored(by: String)
    /// No file of it is here that would be synced, and the zone has some: the rule that leaves them out, or the reason of a
    /// built-in one.
    case leftInZone(by: String)
    /// It is never synced, or lies below what never is: the sentence that says so.
    case skipped(String)
}
