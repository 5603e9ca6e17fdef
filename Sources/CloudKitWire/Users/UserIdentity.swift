/// Who calls (protocol §3.9). `users/caller` answers it bare, or in a list of one: decoding takes both.
public struct UserIdentity: Hashable, Sendable {
    /// Stable for each container; `_` and 32 hexadecimal digits.
    public var userRecordName: String
    /// As the person spells it.
    public var givenName: String?
    /// As the person spells it.
    public var familyName: String?
    /// By what the user was found.
    public var lookupInfo: UserLookupInfo?

    /// A user by record name.
    public init(userRecordName: String, givenName: String? = nil, familyName: String? = nil) {
        self.userRecordName = userRecordName
        self.givenName = givenName
        self.familyName = familyName
    }
}
