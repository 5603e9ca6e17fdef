public import SyncModel

/// A set of actions that waits for a person's word, such as a mass deletion.
public struct BatchAwaitingApproval: Hashable, Sendable {
    /// Names exactly these actions: another set has another id, so that no approval reaches further than it was meant.
    public var id: String
    /// What it would take away, and why it is held: "folder", files that are many; "zone", records that are many; "doubt", records
    /// whose files may be where nobody can look.
    public var code: String
    /// Why it is held, for people.
    public var message: String
    /// How many actions it has.
    public var count: Int
    public var sinceMilliseconds: Int64
    /// When a person approved it.
    public var approvedMilliseconds: Int64?

    /// A batch that nobody has approved yet.
    public init(id: String, code: String, message: String, count: Int, sinceMilliseconds: Int64) {
        self.id = id
        self.code = code
        self.message = message
        self.count = count
        self.sinceMilliseconds = sinceMilliseconds
    }
}

extension BatchAwaitingApproval {
    /// The code of deletions of a kind.
    /// - Parameter isAsked: Whether a person is asked about them whatever becomes of a doubt.
    public static func code(of kind: Action.Kind, isAsked: Bool) -> String {
        kind == .deleteFile ? "folder" : isAsked ? "zone" : "doubt"
    }

    /// What its actions do.
    public var deletionKind: Action.Kind { code == "folder" ? .deleteFile : .deleteRecord }

    /// Where they are deleted: `folder` or `zone`.
    public var side: String { deletionKind == .deleteFile ? "folder" : "zone" }

    /// Whether it waits for a person's word whatever becomes of a doubt.
    public var isAsked: Bool { code != "doubt" && approvedMilliseconds == nil }
}
