import CloudKitClient
import CloudKitWire
import FolderControl
import FolderSettings
import Logging
import StateStorage
import SyncService
import WireCoding
import ZoneFetching

/// Whether the folder's account may be used.
enum AccountFacts: Hashable, Sendable {
    /// The server was asked just now, or the daemon tells what it said.
    case told(status: String, user: String?, remedy: String?)
    /// There are no credentials, or they cannot be read.
    case noCredentials(String)
    /// Credentials without a sign-in.
    case signedOut
    /// The server did not answer, or was not asked: why.
    case unknown(String)

    var finding: Finding {
        switch self {
        case .told("available", let user, _):
            return Finding(
                .account, .ok, "Signed in as \(user ?? "somebody").", anonymous: "Signed in.")
        case .told(let status, _, let remedy):
            return Finding(
                .account, status == "couldNotDetermine" || status == "unknown" ? .degraded : .problem,
                remedy ?? "The account's status is \(status).", anonymous: "The account's status is \(status).")
        case .noCredentials(let message):
            return Finding(
                .account, .problem, message, anonymous: "There are no credentials, or they cannot be read.")
        case .signedOut:
            return Finding(.account, .problem, "Nobody is signed in.", remedy: "zonefolder login")
        case .unknown(let reason):
            return Finding(
                .account, .degraded, "The account is not known: \(reason)", anonymous: "The account is not known.")
        }
    }
}

extension AccountFacts {
    /// Asks the server with the folder's credentials, where no daemon has done so.
    /// - Parameter known: Whom the folder belongs to; `nil` before its first sync.
    init(asking directory: StateDirectory, known: String?) async {
        do throws(StateError) {
            guard try CredentialsFile.look(in: directory).webAuthToken != nil else {
                self = .signedOut
                return
            }
        } catch {
            self = .noCredentials(error.message)
            return
        }
        let access = DatabaseAccess(to: directory, logger: ProgramLog.silent)
        let outcome: Result<UserIdentity, any Error>
        do {
            let body = try await access.call(
                DatabaseCall(
                    database: "private", operation: CloudKitOperation.usersCaller.rawValue, body: nil))
            outcome = .success(try UserIdentity.decode(Array(body.utf8)))
        } catch {
            outcome = .failure(error)
        }
        do {
            try await access.close()
            self.init(outcome, known: known)
        } catch {
            self = .unknown("\(error)")
        }
    }

    private init(_ outcome: Result<UserIdentity, any Error>, known: String?) {
        let answer: Result<UserIdentity, CloudKitError>
        switch outcome {
        case .success(let identity): answer = .success(identity)
        case .failure(let error as CloudKitError): answer = .failure(error)
        case .failure(let error):
            self = .unknown("\(error)")
            return
        }
        switch AccountStatus(answer, known: known) {
        case .available(let user): self = .told(status: "available", user: user, remedy: nil)
        case .couldNotDetermine(let reason): self = .unknown(reason)
        // Only a folder with a sign-in is asked about.
        case let status: self = .told(status: status.word, user: nil, remedy: status.sentence(hasSignIn: true))
        }
    }
}
