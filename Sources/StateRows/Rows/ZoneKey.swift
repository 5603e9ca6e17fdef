/// Names a zone as the store knows it.
public struct ZoneKey: Hashable, Sendable {
    public var name: String
    /// The owner's user record name; `nil` where the account itself owns the zone. `_defaultOwner` and the account's own
    /// user record name both mean that: the caller spells them `nil`.
    public var owner: String?

    /// Names a zone; leave the owner out for one's own.
    public init(name: String, owner: String? = nil) {
        self.name = name
        self.owner = owner
    }
}
