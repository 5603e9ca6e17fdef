public import FolderSettings

/// What `login` and `logout` bring to a running daemon.
public struct AccountChange: Hashable, Sendable {
    /// Without a web auth token: signed out.
    public var credentials: Credentials
    /// Whose they are, as the server said; `nil` for a sign-out.
    public var userRecordName: String?

    /// Credentials, and whose they are.
    public init(_ credentials: Credentials, of userRecordName: String?) {
        self.credentials = credentials
        self.userRecordName = userRecordName
    }
}

/// Why a daemon keeps the credentials that it has.
public struct AccountChangeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and the way out.
    public var message: String

    /// The message.
    public var description: String { message }

    /// The folder is another account's.
    package static func otherAccount(_ new: String, _ own: String) -> Self {
        Self(
            message:
                "The folder belongs to the account \(own), and this sign-in is of \(new). One account's files never "
                + "go into another's zone. Sign in as the first one. Where that account is no more, as with a server whose "
                + "data was made anew: `zonefolder remove` keeps the files, and `zonefolder init` makes it a folder of this "
                + "account.")
    }
}
