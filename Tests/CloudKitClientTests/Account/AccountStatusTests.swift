import CloudKitClient
import CloudKitWire
import Testing

/// Asks a server that answers `users/caller` so, as a folder of Ada's.
private func status(_ answer: TransportResponse, known: String? = "_ada") async -> AccountStatus {
    let database = database(ScriptedTransport(answer))
    do {
        return AccountStatus(.success(try await database.caller()), known: known)
    } catch {
        return AccountStatus(.failure(error), known: known)
    }
}

private func refusal(_ code: String, _ reason: String = "r", status: Int) -> TransportResponse {
    .json(#"{ "serverErrorCode": "\#(code)", "reason": "\#(reason)" }"#, status: status)
}

@Suite("The five account statuses, and the other account (protocol §7.5, S1.4 to S1.11)")
struct AccountStatusTests {
    @Test("The known user: available, also in the documented list form")
    func available() async {
        #expect(await status(.json(#"{ "userRecordName": "_ada" }"#)) == .available(userRecordName: "_ada"))
        let list = TransportResponse.json(#"{ "users": [ { "userRecordName": "_ada" } ] }"#)
        #expect(await status(list) == .available(userRecordName: "_ada"))
        #expect(await status(list, known: nil) == .available(userRecordName: "_ada"))
    }

    @Test("Another user: switched")
    func switched() async {
        #expect(await status(.json(#"{ "userRecordName": "_bob" }"#)) == .switched(from: "_ada", to: "_bob"))
    }

    @Test("Signed out: noAccount, with the sign-in page")
    func noAccount() async {
        let page = "https://idmsa.example/auth?oauth_token=secret"
        #expect(await status(.signInNeeded()) == .noAccount(redirectURL: page))
        #expect(await status(refusal("AUTHENTICATION_FAILED", status: 401)) == .noAccount(redirectURL: nil))
        #expect(await status(refusal("INVENTED", status: 401)) == .noAccount(redirectURL: nil))
    }

    @Test("No access: restricted")
    func restricted() async {
        #expect(await status(refusal("ACCESS_DENIED", status: 403)) == .restricted(reason: "r"))
    }

    @Test("An account that needs attention: temporarilyUnavailable")
    func temporarilyUnavailable() async {
        let answer = refusal("TRY_AGAIN_LATER", "Account temporarily unavailable", status: 503)
        #expect(await status(answer) == .temporarilyUnavailable(reason: "Account temporarily unavailable"))
    }

    @Test(
        "No answer to the question is no answer about the account",
        arguments: [
            .json("<html>", status: 401), .json("", status: 401), .json("<html>", status: 403),
            .json("Misdirected", status: 421), .json("", status: 503), .json("<html>"),
            refusal("THROTTLED", status: 429), refusal("INTERNAL_ERROR", status: 500), .json("", status: 302),
            refusal("TRY_AGAIN_LATER", status: 503), refusal("INVENTED", status: 500),
        ])
    func couldNotDetermine(answer: TransportResponse) async {
        let status = await status(answer)
        guard case .couldNotDetermine = status else {
            Issue.record("\(answer.status): \(status)")
            return
        }
    }

    @Test("No network: couldNotDetermine")
    func offline() async {
        let transport = ScriptedTransport { _, _ in throw TransportError.unreachable("no route") }
        let outcome = await failure { () throws(CloudKitError) in try await database(transport).caller() }
        guard let outcome, case .couldNotDetermine = AccountStatus(.failure(outcome), known: "_ada") else {
            Issue.record("An unreachable server says nothing about the account")
            return
        }
    }
}
