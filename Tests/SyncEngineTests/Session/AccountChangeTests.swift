import CloudKitClient
import CloudKitServer
import FolderControl
import FolderSettings
import StateStorage
import Testing

@testable import StateRows
@testable import SyncEngine
@testable import SyncService

@Suite("A sign-in while the daemon runs (S1.10)", .timeLimit(.minutes(30)))
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
                        try await session.accountWillChange(to: user.userRecordName)
                        try await account.replace(
                            with: Credentials(apiToken: user.apiToken, webAuthToken: user.webAuthToken))
                        await session.accountChanged()
                    }, Self.refusal))
            await session.settle()
            laptop.pass(.seconds(1))
            await session.settle()
            #expect(await session.accountStatus == .available(userRecordName: user.userRecordName))
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.close()
        }
    }

    @Test("An answer to the old credentials binds the folder to nobody while others come")
    func lateAnswer() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write("text", to: "a.txt")
            let store = world.server.store
            let ada = try store.addUser(
                name: "ada", container: EngineWorld.container, environment: "development")
            let bob = try store.addUser(
                name: "bob", container: EngineWorld.container, environment: "development")
            let (session, account) = (laptop.session, laptop.account)
            let answer = TransportResponse(
                status: 200, body: Array(#"{"userRecordName": "\#(ada.userRecordName)"}"#.utf8))
            laptop.network.next(
                to: "users/caller",
                .answeredAfter(
                    {
                        try await session.accountWillChange(to: bob.userRecordName)
                        Task {
                            try await account.replace(
                                with: Credentials(apiToken: bob.apiToken, webAuthToken: bob.webAuthToken))
                            await session.accountChanged()
                        }
                    }, answer))
            await session.settle()
            laptop.pass(.seconds(1))
            await session.settle()
            #expect(await session.accountStatus == .available(userRecordName: bob.userRecordName))
            #expect(await session.facts.account == bob.userRecordName)
            try laptop.close()
        }
    }
}
