/// What can be told of one path without asking the zone.
public enum FileStanding: Hashable, Sendable {
    case present
    /// Nothing is there.
    case absent
    /// A directory in which no file is, at any depth, that would be synced.
    case empty
    /// A rule leaves it out: the rule, or the reason of a built-in one.
    case ignored(by: String)
    /// It is never synced, or lies below what never is: the sentence that says so.
    case skipped(String)
}
