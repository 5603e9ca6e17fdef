public import SystemPackage

/// What whoever runs a server does with its accounts, whether the server runs or not: a running one sees it at once. Only
/// adding makes a data directory that is missing; looking leaves no trace.
extension WebServicesServer {
    /// Adds a user to a data directory.
    public static func addUser(
        name: String, container: String, environment: String, password: String? = nil,
        options: APITokenOptions = APITokenOptions(), in dataDirectory: FilePath
    ) throws -> NewUser {
        try DataDirectory.change(dataDirectory, makes: true) {
            try $0.addUser(
                name: name, container: container, environment: environment, password: password, options: options)
        }
    }

    /// What an invitation to a container can be for; see ``RecordStore/invitationGround(container:environment:)``.
    public static func invitationGround(
        container: String, environment: String, in dataDirectory: FilePath
    ) throws -> InvitationGround {
        try DataDirectory.change(dataDirectory, makes: true) {
            try $0.invitationGround(container: container, environment: environment)
        }
    }

    /// Makes an invitation; see ``RecordStore/invite(_:container:environment:)``.
    public static func invite(
        _ offer: InvitationOffer, container: String, environment: String, in dataDirectory: FilePath
    ) throws -> NewInvitation {
        try DataDirectory.change(dataDirectory, makes: true) {
            try $0.invite(offer, container: container, environment: environment)
        }
    }

    /// Takes back what somebody was invited to; see ``RecordStore/withdrawInvitations(ofUser:container:)``.
    /// - Returns: How many invitations could still have been redeemed.
    public static func withdrawInvitations(
        ofUser name: String, container: String, in dataDirectory: FilePath
    ) throws -> Int {
        try DataDirectory.change(dataDirectory, makes: false) {
            try $0.withdrawInvitations(ofUser: name, container: container)
        }
    }

    /// Gives a person a password.
    /// - Returns: `false` where the container has no such person.
    public static func setPassword(
        _ password: String, ofUser name: String, container: String, in dataDirectory: FilePath
    ) throws -> Bool {
        try DataDirectory.change(dataDirectory, makes: false) {
            try $0.setPassword(password, ofUser: name, container: container)
        }
    }

    /// Every person of a container, by name.
    public static func userNames(container: String, in dataDirectory: FilePath) throws -> [String] {
        try DataDirectory.look(at: dataDirectory) { try $0.userNames(container: container) }
    }

    /// Gives a role to a user or takes it away, as ``RecordStore/setRole(_:isGiven:toUser:container:environment:)``.
    public static func setRole(
        _ role: String, isGiven: Bool, toUser name: String, container: String, environment: String,
        in dataDirectory: FilePath
    ) throws -> Bool {
        try DataDirectory.change(dataDirectory, makes: false) {
            try $0.setRole(role, isGiven: isGiven, toUser: name, container: container, environment: environment)
        }
    }

    /// The roles of a user, by name; `nil` where the container has no such user.
    public static func roles(
        ofUser name: String, container: String, environment: String, in dataDirectory: FilePath
    ) throws -> [String]? {
        try DataDirectory.look(at: dataDirectory) {
            try $0.roles(ofUser: name, container: container, environment: environment)
        }
    }

    /// What there is of a person; `nil` where the container has no such person.
    public static func summary(
        ofUser name: String, container: String, in dataDirectory: FilePath
    ) throws -> UserSummary? {
        try DataDirectory.look(at: dataDirectory) { try $0.summary(ofUser: name, container: container) }
    }

    /// Removes a person; see ``RecordStore/removeUser(_:container:)``.
    /// - Returns: `false` where the container has no such person.
    public static func removeUser(_ name: String, container: String, in dataDirectory: FilePath) throws -> Bool {
        try DataDirectory.change(dataDirectory, makes: false) { try $0.removeUser(name, container: container) }
    }

    /// Ends every sign-in of a person; see ``RecordStore/signOutUser(_:container:)``.
    /// - Returns: How many sign-ins ended; `nil` where the container has no such person.
    public static func signOutUser(_ name: String, container: String, in dataDirectory: FilePath) throws -> Int? {
        try DataDirectory.change(dataDirectory, makes: false) { try $0.signOutUser(name, container: container) }
    }

    /// Makes an API token.
    public static func addAPIToken(
        container: String, environment: String, options: APITokenOptions, in dataDirectory: FilePath
    ) throws -> String {
        try DataDirectory.change(dataDirectory, makes: true) {
            try $0.addAPIToken(container: container, environment: environment, options: options)
        }
    }

    /// Registers a server-to-server key by its public half.
    public static func addServerKey(
        container: String, environment: String, publicKeyPEM: String, in dataDirectory: FilePath
    ) throws -> NewServerKey {
        try DataDirectory.change(dataDirectory, makes: true) {
            try $0.addServerKey(container: container, environment: environment, publicKeyPEM: publicKeyPEM)
        }
    }
}
