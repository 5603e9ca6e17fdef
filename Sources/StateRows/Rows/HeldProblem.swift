public import SyncModel

/// A problem, what it is about, and since when.
public struct HeldProblem: Hashable, Sendable {
    /// What a problem is about.
    public enum Subject: Hashable, Sendable {
        /// The folder as a whole, or its account or zone.
        case folder
        case path(FolderPath)
        case record(RecordName)
    }

    public var subject: Subject
    public var problem: Problem
    /// When it was first seen, in milliseconds since 1970; a new wording keeps it, a new code does not.
    public var sinceMilliseconds: Int64

    /// A problem with its subject.
    public init(subject: Subject, problem: Problem, sinceMilliseconds: Int64) {
        self.subject = subject
        self.problem = problem
        self.sinceMilliseconds = sinceMilliseconds
    }
}
