/// By what a user is looked for (protocol §3.9). One of the three is enough.
public struct UserLookupInfo: Hashable, Sendable {
    /// As the person gave it to the service.
    public var emailAddress: String?
    /// As the person gave it to the service.
    public var phoneNumber: String?
    /// Of the container asked.
    public var userRecordName: String?

    /// What is known of a user.
    public init(emailAddress: String? = nil, phoneNumber: String? = nil, userRecordName: String? = nil) {
        self.emailAddress = emailAddress
        self.phoneNumber = phoneNumber
        self.userRecordName = userRecordName
    }
}

/// The request of `users/discover`.
public struct UsersDiscoverRequest: Hashable, Sendable {
    /// Whom to look for.
    public var lookupInfos: [UserLookupInfo]

    /// Asks for some users.
    public init(lookupInfos: [UserLookupInfo]) {
        self.lookupInfos = lookupInfos
    }
}

/// The answer of `users/discover`: those who were found.
public struct UsersDiscoverResponse: Hashable, Sendable {
    /// Each with the ``UserIdentity/lookupInfo`` that found it.
    public var users: [UserIdentity]

    /// The users that were found.
    public init(users: [UserIdentity]) {
        self.users = users
    }
}

/// A user as the deprecated operations tell of them: `users/current` and `users/lookup/…`.
public struct User: Hashable, Sendable {
    /// Stable for each container; `_` and 32 hexadecimal digits.
    public var userRecordName: String
    /// As the person spells it.
    public var firstName: String?
    /// As the person spells it.
    public var lastName: String?
    /// Only where it was looked for.
    public var emailAddress: String?

    /// A user by record name.
    public init(
        userRecordName: String, firstName: String? = nil, lastName: String? = nil, emailAddress: String? = nil
    ) {
        self.userRecordName = userRecordName
        self.firstName = firstName
        self.lastName = lastName
        self.emailAddress = emailAddress
    }
}

/// The request of `users/lookup/email` and `users/lookup/id`.
public struct UsersLookupRequest: Hashable, Sendable {
    /// Whom to look for: each by e-mail address, or each by record name.
    public var users: [UserLookupInfo]

    /// Asks for some users.
    public init(users: [UserLookupInfo]) {
        self.users = users
    }
}

/// The answer of `users/lookup/…`: those who were found.
public struct UsersLookupResponse: Hashable, Sendable {
    /// In the order of the request.
    public var users: [User]

    /// The users that were found.
    public init(users: [User]) {
        self.users = users
    }
}
