/// A set of actions that waits for a person's word, such as a mass deletion.
public struct BatchAwaitingApproval: Hashable, Sendable {
    /// Names exactly these actions: another set has another id, so that no approval reaches further than it was meant.
    public var id: String
    /// Why it is held, in one word.
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
