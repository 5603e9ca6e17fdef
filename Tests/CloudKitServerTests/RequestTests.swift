import Synchronization
import Testing

@testable import CloudKitServer

@Suite("Requests, whatever the operation (protocol §1, §5)")
struct RequestTests {
    @Test(
        "Paths that lead nowhere",
        arguments: [
            "/", "/database/1/iCloud.example/development/private/records/frobnicate",
            "/database/2/iCloud.example/development/private/zones/list",
            "/database/1/iCloud.example/staging/private/zones/list",
            "/database/1/iCloud.example/development/private/tokens/create",
        ])
    func unknownPaths(path: String) async throws {
        try await withServer { server in
            let reply = try await server.send("POST", path, "{}")
            #expect(reply.status == 404 && reply.code == "NOT_FOUND")
            #expect(reply.reason?.hasPrefix("could not find handler for endpoint") == true)
        }
    }

    @Test(
        "Nothing deletes or empties a container: there is no such operation, and records go one by one (S3.3)",
        arguments: ["containers/delete", "containers/modify", "environments/reset", "zones/deleteAll"],
        ["private", "public", "shared"])
    func noContainerDeletion(operation: String, database: String) async throws {
        try await withServer { server in
            try await server.makeZone()
            for method in ["POST", "DELETE"] {
                let path = "/database/1/\(TestServer.container)/development/\(database)/\(operation)"
                let reply = try await server.send(method, path, "{}")
                #expect(reply.status == 404 || reply.status == 405, "\(reply.status) \(reply.text)")
                let whole = try await server.send(method, "/database/1/\(TestServer.container)", "{}")
                #expect(whole.status == 404 || whole.status == 405, "\(whole.status) \(whole.text)")
            }
            #expect(try await server.get("zones/list")["zones"].count == 2)
        }
    }

    @Test("An operation that is called with the wrong method says which it takes")
    func methods() async throws {
        try await withServer { server in
            let reply = try await server.get("records/modify")
            #expect(reply.status == 405 && reply.header("Allow") == "POST")
        }
    }

    @Test(
        "Bodies that are no message are refused in the service's words",
        arguments: ["", "nonsense", "[]", "{}", #"{"operations":7}"#])
    func malformed(body: String) async throws {
        try await withServer { server in
            let reply = try await server.post("records/modify", body)
            #expect(reply.status == 400 && reply.code == "BAD_REQUEST")
            #expect(reply.reason?.hasPrefix("BadRequestException: ") == true)
            #expect(reply.header("Content-Type") == "application/json; charset=UTF-8")
            #expect(reply.header("X-Apple-Request-UUID") == reply["uuid"].string)
        }
    }

    @Test("What a database does not have is not applicable")
    func notApplicable() async throws {
        try await withServer { server in
            let reply = try await server.send(
                "POST", "/database/1/\(TestServer.container)/development/shared/zones/modify", "{}")
            #expect(reply.status == 400 && reply.code == "BAD_REQUEST")
            #expect(reply.reason == "endpoint not applicable in the database type 'shareddb'")
        }
    }

    @Test("Query parameters and body keys that are unknown are ignored")
    func unknownKeys() async throws {
        try await withServer { server in
            let path =
                "/database/1/\(TestServer.container)/development/private/changes/database?ckjsVersion=2&clientId=x&"
            let reply = try await server.sendRaw("POST", path + server.credentials(), Array(#"{"synctoken":"x"}"#.utf8))
            #expect(reply.status == 200)
        }
    }

    @Test("An observer sees each request, its size and its items, and nothing at rest")
    func observer() async throws {
        let seen = Log()
        try await withServer {
            $0.observe = { seen.append($0) }
        } _: { server in
            try await server.makeZone()
            let body =
                #"{"zoneID":{"zoneName":"Folder"},"operations":[{"operationType":"forceDelete","record":{"recordName":"n"}}]}"#
            _ = try await server.post("records/modify", body)
            let events = seen.all
            #expect(events.count == 4)
            guard case .answered(let request, let status) = events[3] else { return #expect(Bool(false)) }
            #expect(request.method == "POST" && request.operation == "records/modify" && status == 200)
            #expect(request.bodyBytes == body.utf8.count && request.items == 1)
            #expect(request.container == TestServer.container && request.database == .private)

            let tokens = try await server.post(
                "assets/upload",
                #"{"zoneID":{"zoneName":"Folder"},"tokens":[{"recordType":"File","recordName":"a","fieldName":"content"}]}"#
            )
            _ = try await server.sendRaw("POST", tokens["tokens"][0]["url"].string!, [1, 2, 3])
            guard case .answered(let upload, _) = seen.all.last else { return #expect(Bool(false)) }
            #expect(upload.operation == "assets/upload-bytes" && upload.bodyBytes == 3)
        }
    }

    private final class Log: Sendable {
        private let events = Mutex<[RequestEvent]>([])
        var all: [RequestEvent] { events.withLock { $0 } }
        func append(_ event: RequestEvent) { events.withLock { $0.append(event) } }
    }
}
