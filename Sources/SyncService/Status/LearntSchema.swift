import FolderKnowledge
import RecordMapping
public import StateRows

/// What a folder has learnt of its container's schema, for people.
public enum LearntSchema {
    /// The record types that cannot carry the reserved field `zonefolder`, as the server said, sorted; `nil` where nothing
    /// was learnt yet.
    public static func typesWithoutHints(_ facts: FolderFacts) -> [String]? {
        guard let schema = facts.schema.flatMap({ ZoneSchema(stored: $0) }) else { return nil }
        return schema.types.filter { !$0.value.hasHintsField }.keys.sorted()
    }
}
