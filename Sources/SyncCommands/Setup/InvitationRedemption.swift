import CloudKitClient
import CloudKitWire
import FolderSettings
import HTTPTypes
import StateStorage
import SyncService
import WireCoding

/// Turns an invitation's link into an account, once.
enum InvitationRedemption {
    /// Reads what was given as a link: the link, or `-` for standard input.
    /// - Throws: ``CommandFailure`` where it is none.
    static func link(_ given: String) throws -> InvitationLink {
        let text = given == "-" ? try SecretSource.read("-") : given
        guard let link = InvitationLink(text) else { throw CommandFailure.noInvitation }
        return link
    }

    /// Asks the link's server for the account. What it answers is not given again.
    /// - Parameter configuration: Says how the server may be spoken to.
    /// - Throws: ``CommandFailure`` that says whether the link is still good.
    static func redeem(_ link: InvitationLink, _ configuration: FolderConfiguration) async throws -> InvitedAccount {
        let authority = try configuration.privateAuthority
        let transport = HTTPTransport()
        let request = TransportRequest(
            lane: .api, method: .post, url: link.endpoint, headers: [.contentType: "application/json"],
            body: .bytes(InvitationRequest(secret: link.secret).encoded()))
        let outcome: Result<TransportResponse, TransportError>
        do throws(TransportError) {
            outcome = .success(try await transport.trusting(authority).send(request))
        } catch {
            outcome = .failure(error)
        }
        try await transport.shutdown()
        return try account(outcome, of: link)
    }

    /// What an answer, or none, says.
    static func account(
        _ outcome: Result<TransportResponse, TransportError>, of link: InvitationLink
    ) throws(CommandFailure) -> InvitedAccount {
        switch outcome {
        case .success(let response):
            if response.status == 200, let account = try? InvitedAccount.decode(response.body) { return account }
            if let refusal = try? InvitationRefusal.decode(response.body) {
                throw .refusedInvitation(refusal, server: link.server)
            }
            throw .noInvitations(link.server, status: response.status)
        case .failure(let error) where error.code == .untrusted: throw .untrusted(error.message)
        case .failure(let error):
            throw .invitationUnanswered(
                error.message, server: link.server, mayBeUsed: error.requestMayHaveArrived)
        }
    }
}

extension CommandFailure {
    private static let anotherLink = "Ask whoever runs the server for another one: `zonefolder serve invite`."

    static let noInvitation = Self(
        status: .usage,
        message:
            "That is no invitation: a link such as https://HOST/invite#SECRET is expected, whole and in quotes, or - "
            + "for one on standard input. `zonefolder serve invite` prints one. Nothing was changed.")

    static let linkWithoutFolder = Self(
        status: .usage,
        message: "The folder comes before the link: `zonefolder init FOLDER LINK`. Nothing was changed.")

    static func invitationElsewhere(_ server: String, folder: String) -> Self {
        Self(
            status: .usage,
            message:
                "The link is of \(server), and the folder is synced with \(folder). Nothing was changed; the link is still "
                + "good. Ask for one with `zonefolder serve invite USER --url \(folder)`.")
    }

    static func invitationToAnother(_ container: String, folder: String) -> Self {
        Self(
            status: .error,
            message:
                "The link was for \(container), and the folder is of \(folder). It is used up all the same. Ask for one with "
                + "`zonefolder serve invite USER` and that container. Nothing was changed here.")
    }

    static func refusedInvitation(_ refusal: InvitationRefusal, server: String) -> Self {
        let reason =
            switch refusal {
            case .used: "was used already: it is good once, for one folder"
            case .expired: "is too old"
            case .unknown: "is not known to \(server), or was taken back; see that it was copied as a whole"
            }
        return Self(status: .configuration, message: "The link \(reason). \(anotherLink) Nothing was changed here.")
    }

    static func noInvitations(_ server: String, status: Int) -> Self {
        Self(
            status: .error,
            message:
                "\(server) answered with HTTP \(status), which is nothing that `zonefolder serve` says of an invitation. "
                + "See that the link is right, and what else may answer there. Nothing was changed here.")
    }

    static func invitationUnanswered(_ message: String, server: String, mayBeUsed: Bool) -> Self {
        let way =
            mayBeUsed
            ? "The link may be used up by that. Try it once more; where it is, ask for another one."
            : "See that the server runs and can be reached from here; the link is still good."
        return Self(status: .error, message: "\(server) did not answer: \(Sentence.ended(once(message))) \(way)")
    }

    static func failedAfterRedemption(_ error: any Error) -> Self {
        Self(
            status: ExitStatus(of: error),
            message: "\(Sentence.ended("\(error)")) The link is used up all the same. \(anotherLink)")
    }
}
