import CloudKitClient
import HTTPTypes
import Testing

@Suite("A question without credentials")
struct ServerAnswerTests {
    @Test(
        "CloudKit's own refusal is told from any other answer",
        arguments: [
            (TransportResponse.json(#"{ "serverErrorCode": "AUTHENTICATION_FAILED" }"#, status: 401), true),
            (.signInNeeded(), true), (.json("<html>", status: 401), false), (.json("", status: 404), false),
            (.json("<html>"), false), (.json(#"{ "ok": true }"#), false), (.json("{}", status: 403), false),
        ] as [(TransportResponse, Bool)])
    func form(answer: TransportResponse, isCloudKit: Bool) async throws {
        let transport = ScriptedTransport(answer)
        let told = try await transport.probe(testAddress)
        #expect(told.status == answer.status && told.isCloudKit == isCloudKit)
        #expect(transport.requests.map(\.method) == [.get])
        #expect(
            transport.requests.map(\.url) == [
                "http://server.example:8080/database/1/iCloud.example/development/public/users/caller"
            ])
    }
}
