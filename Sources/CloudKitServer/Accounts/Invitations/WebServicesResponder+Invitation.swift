import CloudKitWire
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import WireCoding

extension WebServicesResponder {
    /// Redeems an invitation (POST), or says to a browser what its link is for (GET).
    ///
    /// It answers no page of another origin: who redeems an invitation is a program.
    func invitation(_ request: Request, over channel: any Channel) async throws -> Response {
        guard request.method == .post else {
            return unstored(.plain(200, Self.explanation))
        }
        guard let body = try await smallBody(of: request), let wish = try? InvitationRequest.decode(body) else {
            return unstored(.plain(400, "A JSON object with the invitation's \"secret\" is expected.\n"))
        }
        let store = server.store
        do {
            // Who has none takes nobody's turn, and waits for no writer.
            try await server.pool.runIfActive { try store.checkInvitation(wish.secret) }
            // Nor is one spent for a client that is gone: it is good once.
            let account = try await unlessHungUp(channel) {
                try await server.writingTurns.inTurn(.invited) {
                    try await server.pool.runIfActive { try store.redeem(wish.secret) }
                }
            }
            return unstored(.json(account))
        } catch let refusal as InvitationRefusal {
            var answer = Answer.json(refusal)
            answer.status = refusal == .unknown ? 404 : 410
            return unstored(answer)
        } catch is TooManyWait {
            return unstored(.plain(503, "The server is busy; try again.\n"))
        }
    }

    /// What a person sees who opens the link in a browser, which keeps the secret to itself.
    private static let explanation = """
        This is an invitation to a zonefolder server. It is good once; redeem it on the device that is to have the folder:

            zonefolder init FOLDER 'LINK' --start

        LINK is this page's whole address, with the part after '#'.

        """

    /// An answer that no cache keeps, and whose address is told to nobody.
    private func unstored(_ answer: Answer) -> Response {
        var answer = answer
        answer.headers[.cacheControl] = "no-store"
        answer.headers[.xContentTypeOptions] = "nosniff"
        answer.headers[.referrerPolicy] = "no-referrer"
        return answer.response
    }
}
