import CloudKitWire
import Crypto
import Foundation
import HTTPTypes
import Logging
import Testing

@testable import CloudKitClient

@Suite("Requests signed with a server-to-server key (protocol §2.2)")
struct ServerKeySessionTests {
    /// Made with `openssl ecparam -name prime256v1 -genkey -noout` for these tests.
    private static let pem = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIFZtgjSGna67hGD68+RAWiaCtIL4eFCEAFyskRUyBxCxoAoGCCqGSM49
        AwEHoUQDQgAE3mWXps4OPUer3dLgXCiEFWmb9BurXdJWSsUPIwQX19LBVPcszCfX
        rGMN6NVnaMD6i9bgqE8a9dGcD0xMgcLRuw==
        -----END EC PRIVATE KEY-----

        """

    private func session(at seconds: Int64 = 1_790_000_000) throws -> ServerKeySession {
        try ServerKeySession(keyID: "ab12", privateKeyPEM: Self.pem, now: { seconds })
    }

    @Test("What is signed: date, hash of the body, path")
    func message() {
        let path = "/database/1/iCloud.example/development/public/records/lookup"
        #expect(
            ServerKeySession.message(date: "2026-09-21T14:13:20Z", path: path, body: Array(#"{"records":[]}"#.utf8))
                == "2026-09-21T14:13:20Z:G4tMC29q0dMlZZUnILwATusfGI9iBF5NVSWuKvjHhDI=:\(path)")
        #expect(
            ServerKeySession.message(date: "d", path: "/p", body: [])
                == "d:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:/p")
    }

    @Test("A request to the public database carries three headers and no token, and its signature holds")
    func request() async throws {
        let transport = ScriptedTransport(.json(#"{"records":[]}"#))
        let address = DatabaseAddress(
            container: "iCloud.example", environment: .development, scope: .public, baseURL: "http://server.example")
        let database = CloudKitDatabase(
            address, serverKey: try session(), transport: transport,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }), now: { .zero })
        let body = Array(#"{"records":[]}"#.utf8)
        _ = try await database.call(CloudKitOperation(rawValue: "records/lookup"), body: body)
        let request = try #require(transport.requests.first)
        let path = "/database/1/iCloud.example/development/public/records/lookup"
        #expect(request.url == "http://server.example" + path)
        let headers = request.headers
        #expect(headers[HTTPField.Name("X-Apple-CloudKit-Request-KeyID")!] == "ab12")
        let date = try #require(headers[HTTPField.Name("X-Apple-CloudKit-Request-ISO8601Date")!])
        #expect(date == "2026-09-21T14:13:20Z")
        let text = try #require(headers[HTTPField.Name("X-Apple-CloudKit-Request-SignatureV1")!])
        let signature = try P256.Signing.ECDSASignature(derRepresentation: try #require(Data(base64Encoded: text)))
        let key = try P256.Signing.PrivateKey(pemRepresentation: Self.pem).publicKey
        let message = ServerKeySession.message(date: date, path: path, body: body)
        #expect(key.isValidSignature(signature, for: Array(message.utf8)))
    }

    @Test("A refusal is told, and nothing is tried again")
    func refusal() async throws {
        let transport = ScriptedTransport(
            .json(#"{"uuid":"6f0b","serverErrorCode":"AUTHENTICATION_FAILED","reason":"no"}"#, status: 401))
        let database = CloudKitDatabase(
            testAddress.with(scope: .public), serverKey: try session(), transport: transport,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }), now: { .zero })
        let error = await failure { () throws(CloudKitError) in
            try await database.call(CloudKitOperation(rawValue: "records/query"), body: [])
        }
        #expect(error?.code == .server(.authenticationFailed) && transport.requests.count == 1)
    }

    @Test(
        "Dates have one spelling",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_868_800, "2000-03-01T00:00:00Z"), (1_709_251_199, "2024-02-29T23:59:59Z"),
        ]
    )
    func dates(_ seconds: Int64, _ text: String) {
        #expect(ServerKeySession.text(ofSeconds: seconds) == text)
    }

    @Test("What is no private key is refused without being shown; a key shows in no description")
    func secret() throws {
        for wrong in ["", "-----BEGIN EC PRIVATE KEY-----\nc2VjcmV0\n-----END EC PRIVATE KEY-----\n"] {
            let error = #expect(throws: ServerKeyError.self) {
                try ServerKeySession(keyID: "ab12", privateKeyPEM: wrong)
            }
            #expect(error.map { "\($0)".contains("c2VjcmV0") } == false)
        }
        let session = try session()
        #expect(
            "\(session) \(String(reflecting: session))" == "<server-to-server key ab12> <server-to-server key ab12>")
    }
}
