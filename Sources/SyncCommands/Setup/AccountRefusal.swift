import CloudKitClient
import CloudKitWire

/// Which of the two tokens a server refused.
enum AccountRefusal {
    /// - Parameters:
    ///   - error: The server's answer to a question that was asked with the API token, and perhaps the other one.
    ///   - server: The server's URL.
    static func failure(_ error: CloudKitError, server: String, hadWebAuthToken: Bool) -> CommandFailure {
        switch (error.code, error.status) {
        case (.server(.authenticationFailed), _), (.http, 401): .wrongAPIToken(error.message, server: server)
        case _ where hadWebAuthToken: .wrongWebAuthToken(error.message, server: server)
        default: .notSignedIn(error.redirectURL)
        }
    }
}

extension CommandFailure {
    static func wrongAPIToken(_ message: String, server: String) -> Self {
        Self(
            status: .configuration,
            message:
                "\(server) does not take the API token: \(Sentence.ended(message)) See that it was copied as a whole, and was "
                + "made for what --server, --container and --environment say. Whether the web auth token is right, nobody asked."
        )
    }

    static func wrongWebAuthToken(_ message: String, server: String) -> Self {
        Self(
            status: .configuration,
            message:
                "\(server) takes the API token, but not the web auth token: \(Sentence.ended(message)) It was "
                + "used already, its sign-in has ended, or it was not copied as a whole. \(wayToSignIn)")
    }

    static let usedWebAuthToken = Self(
        status: .configuration,
        message:
            "The web auth token was used already, by another folder or program that goes on with its successor. One "
            + "sign-in for two would end both. \(wayToSignIn)")

    /// For a folder that is to be set up, and for one that is.
    private static let wayToSignIn =
        "Sign in anew. A new folder: `zonefolder init` with --sign-in, or with the link that `zonefolder serve invite` prints "
        + "on a server of your own. One that is set up: `zonefolder login` through the browser, or with the tokens that "
        + "`zonefolder serve user add NAME` prints on a server of your own."
}
