import CloudKitClient
import CloudKitServer
import StateStorage
import Testing

@testable import SyncEngine

@Suite("A sign-in while the daemon runs (S1.10)", .timeLimit(.minutes(10)))
struct AccountChangeTests {
    private static let refusal = TransportResponse(
        status: 421, body: Array(#"{"uuid": "1", "serverErrorCode": "AUTHENTICATION_REQUIRED"}"#.utf8))

    @Test(
        "A refusal of the credentials before it says nothing of the new ones: they are used at once",
        arguments: ["users/caller", "zones/modify", "changes/database", "records/modify"])
    func lateRefusal(operation: String) async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write("text", to: "a.txt")
            let user = try world.server.store.addUser(
                name: "ada", container: EngineWorld.container, environment: "development")
            let (session, account) = (laptop.session, laptop.account)
            laptop.network.next(
                to: operation,
                .answeredAfter(
                    {
                        try await account.replace(
                            with: Credentials(apiToken: user.apiToken, webAuthToken: user.webAuthToken))
                        await session.accountChanged()
                    }, Self.refusal))
            await session.settle()
            laptop.pass(.seconds(1))
            await session.settle()
            #expect(await session.account == .available(userRecordName: user.userRecordName))
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.close()
        }
    }
}
