import Crypto
import Foundation
import Testing

@testable import CloudKitServer

/// A key made with `openssl ecparam -name prime256v1 -genkey -noout` for these tests, and what `openssl dgst -sha256 -sign`
/// signed with it.
private enum Sample {
    static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE3mWXps4OPUer3dLgXCiEFWmb9Bur
        XdJWSsUPIwQX19LBVPcszCfXrGMN6NVnaMD6i9bgqE8a9dGcD0xMgcLRuw==
        -----END PUBLIC KEY-----

        """
    static let privateKey = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIFZtgjSGna67hGD68+RAWiaCtIL4eFCEAFyskRUyBxCxoAoGCCqGSM49
        AwEHoUQDQgAE3mWXps4OPUer3dLgXCiEFWmb9BurXdJWSsUPIwQX19LBVPcszCfX
        rGMN6NVnaMD6i9bgqE8a9dGcD0xMgcLRuw==
        -----END EC PRIVATE KEY-----

        """
    static let date = "2026-09-21T14:13:20Z"
    static let body = #"{"records":[]}"#
    static let lookup = "/database/1/iCloud.example/development/public/records/lookup"
    static let caller = "/database/1/iCloud.example/development/public/users/caller"

    static let rows: [(what: String, target: String, body: String, signature: String)] = [
        (
            "path", lookup, body,
            "MEQCIE50D88HlvLoCY6P4v3n0TzHdR6KaAZna1qnv+8mb0+LAiB5rdDSgnvSfOWuYyB5M3yBR1VwoImMxF6P4Zj9hxpyRg=="
        ),
        (
            "path without the query that was sent", lookup + "?a=b", body,
            "MEQCIE50D88HlvLoCY6P4v3n0TzHdR6KaAZna1qnv+8mb0+LAiB5rdDSgnvSfOWuYyB5M3yBR1VwoImMxF6P4Zj9hxpyRg=="
        ),
        (
            "path and query", lookup + "?a=b", body,
            "MEUCIATjQXdgRE8krgx7c9kSNXnhHmLhrLLjRoxxhZmk67rPAiEAvwYSpAbc6zsgoM/T1lERgL0/3X+val/9qYc9nWsGpOs="
        ),
        (
            "hash of an empty body", caller, "",
            "MEYCIQCg7bMRnoOA61vv69MNk4yHUM/F0+NZca3ZZglwAKlo9AIhAL4G58LwzhzzaP+spkxblN+ElBdBsjADvKnmGpnrYNYE"
        ),
        (
            "no hash for an empty body", caller, "",
            "MEUCIFLSGgSRh1kZOLLjzpWczwEL4ZVRwmEhCZHtPyGGSertAiEAgIq+UJE9WquSVn1NQl3JKbK/OjukJHjxR5OiMInouKo="
        ),
    ]
}

@Suite("Server-to-server keys (protocol §2.2)")
struct ServerKeyTests {
    /// Requests as a script signs them, to a server with the sample key whose clock stands at the sample's date.
    private func withKey(
        clock: ManualClock = ManualClock(),
        _ body: @escaping @Sendable (TestServer, _ keyID: String) async throws -> Void
    ) async throws {
        try await withServer(clock: clock) { server in
            let key = try server.server.store.addServerKey(
                container: TestServer.container, environment: "development", publicKeyPEM: Sample.publicKey)
            try await body(server, key.keyID)
        }
    }

    private func send(
        _ server: TestServer, _ target: String, _ body: String, keyID: String, date: String = Sample.date,
        signature: String
    ) async throws -> TestServer.Reply {
        try await server.sendRaw(
            body.isEmpty ? "GET" : "POST", target, body.isEmpty ? nil : Array(body.utf8),
            headers: [
                "X-Apple-CloudKit-Request-KeyID": keyID, "X-Apple-CloudKit-Request-ISO8601Date": date,
                "X-Apple-CloudKit-Request-SignatureV1": signature,
            ])
    }

    @Test("What openssl signed is verified, in each of the two readings", arguments: 0..<5)
    func vectors(_ index: Int) throws {
        let row = Sample.rows[index]
        let key = try P256.Signing.PublicKey(pemRepresentation: Sample.publicKey)
        var signature = ServerSignature(
            keyID: "", date: Sample.date, signature: row.signature, target: row.target, body: Array(row.body.utf8))
        #expect(signature.isSigned(by: key), "\(row.what)")
        signature.body.append(0)
        #expect(!signature.isSigned(by: key))
        signature.body.removeLast()
        signature.target += "x"
        #expect(!signature.isSigned(by: key) || row.target.contains("?"))
        signature.target = row.target
        signature.date = "2026-09-21T14:13:21Z"
        #expect(!signature.isSigned(by: key))
        signature.date = Sample.date
        #expect(!signature.isSigned(by: P256.Signing.PrivateKey().publicKey))
    }

    @Test("A key passes into the public database, and into nothing that needs a person")
    func places() async throws {
        try await withKey { server, keyID in
            let row = Sample.rows[0]
            let reply = try await send(server, row.target, row.body, keyID: keyID, signature: row.signature)
            #expect(reply.status != 401 && reply.status != 421)
            #expect(reply.nextToken == nil)
            let caller = Sample.rows[3]
            let refused = try await send(server, caller.target, "", keyID: keyID, signature: caller.signature)
            #expect(refused.status == 401 && refused.code == "AUTHENTICATION_FAILED" && refused["redirectURL"].isAbsent)
        }
    }

    @Test("Whatever is wrong, the answer is the same")
    func sameRefusal() async throws {
        try await withKey { server, keyID in
            let row = Sample.rows[0]
            func reply(
                target: String? = nil, body: String? = nil, keyID other: String? = nil, date: String? = nil,
                signature: String? = nil
            ) async throws -> TestServer.Reply {
                try await send(
                    server, target ?? row.target, body ?? row.body, keyID: other ?? keyID, date: date ?? Sample.date,
                    signature: signature ?? row.signature)
            }
            let otherKey = P256.Signing.PrivateKey()
            let hash = Data(SHA256.hash(data: Array(row.body.utf8))).base64EncodedString()
            let foreign = try otherKey.signature(for: Array("\(Sample.date):\(hash):\(row.target)".utf8))
            let replies = [
                try await reply(body: row.body + " "), try await reply(keyID: String(repeating: "0", count: 64)),
                try await reply(keyID: ""), try await reply(date: "2026-09-21T14:13:19Z"), try await reply(date: ""),
                try await reply(date: "2026-09-21 14:13:20"), try await reply(signature: ""),
                try await reply(signature: "nonsense"), try await reply(signature: "AAAA"),
                try await reply(signature: foreign.derRepresentation.base64EncodedString()),
                try await reply(target: row.target.replacing("lookup", with: "modify")),
                try await reply(target: row.target.replacing("development", with: "production")),
                // Never mixed with a token.
                try await reply(target: row.target + "?ckAPIToken=\(server.user.apiToken)"),
            ]
            for reply in replies {
                #expect(reply.status == 401 && reply.code == "AUTHENTICATION_FAILED")
                #expect(reply.reason == replies[0].reason)
            }
        }
    }

    @Test(
        "A signature is good for ten minutes, and a clock may be a minute ahead",
        arguments: [
            (-61, false), (-60, true), (0, true), (600, true), (601, false),
        ])
    func time(_ seconds: Int64, _ isGood: Bool) async throws {
        let clock = ManualClock()
        clock.advance(seconds: seconds)
        try await withKey(clock: clock) { server, keyID in
            let row = Sample.rows[0]
            let reply = try await send(server, row.target, row.body, keyID: keyID, signature: row.signature)
            #expect((reply.status != 401) == isGood)
        }
    }

    @Test(
        "Dates have one spelling",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-09-21T14:13:20Z", 1_790_000_000_000),
            ("2024-02-29T23:59:59Z", 1_709_251_199_000), ("2000-03-01T00:00:00Z", 951_868_800_000),
            ("2026-13-01T00:00:00Z", nil), ("2026-09-21T24:00:00Z", nil), ("2026-09-21T14:13:20.5Z", nil),
            ("2026-09-21T14:13:20+00:00", nil), ("2026-9-21T14:13:20Z", nil), ("", nil),
        ] as [(String, Int64?)])
    func dates(_ text: String, _ milliseconds: Int64?) {
        #expect(ServerSignature.milliseconds(of: text) == milliseconds)
    }

    @Test("The same key again is the same key; another environment's is another one; what is no public key is refused")
    func registration() async throws {
        try await withServer { server in
            let store = server.server.store
            func add(_ environment: String, _ pem: String = Sample.publicKey) throws -> NewServerKey {
                try store.addServerKey(container: TestServer.container, environment: environment, publicKeyPEM: pem)
            }
            let key = try add("development")
            #expect(key.keyID.wholeMatch(of: /[0-9a-f]{64}/) != nil)
            #expect(key.userRecordName.wholeMatch(of: /_[0-9a-f]{32}/) != nil)
            #expect(try add("development") == key)
            #expect(try add("production").keyID != key.keyID)
            #expect(try store.userNames(container: TestServer.container) == ["ada"])
            for wrong in ["", "key", Sample.privateKey] {
                let error = #expect(throws: ServerError.self) { try add("development", wrong) }
                #expect(error?.code == .key && error?.message.contains("MHcCAQ") == false)
            }
            // No person becomes a key by taking its name.
            let error = #expect(throws: ServerError.self) {
                try store.addUser(
                    name: "server-to-server key \(key.keyID)", container: TestServer.container,
                    environment: "development")
            }
            #expect(error?.code == .name)
        }
    }
}
