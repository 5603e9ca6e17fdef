import CloudKitServer
import Testing

/// What a web page of another origin may ask for, as CloudKit JS does.
@Suite("Web pages of other origins (protocol §9)")
struct CrossOriginTests {
    private static let operation = "/database/1/\(TestServer.container)/development/private/records/modify"
    private static let page = ["Origin": "https://app.example"]

    private func expectReadable(_ reply: TestServer.Reply, _ location: SourceLocation = #_sourceLocation) {
        #expect(reply.header("Access-Control-Allow-Origin") == "*", sourceLocation: location)
        #expect(reply.header("Access-Control-Allow-Credentials") == nil, sourceLocation: location)
        let exposed = reply.header("Access-Control-Expose-Headers")?.split(separator: ",") ?? []
        for name in ["X-Apple-Request-UUID", "X-Apple-CloudKit-Web-Auth-Token", "Retry-After"] {
            #expect(exposed.contains { $0 == name }, "\(name)", sourceLocation: location)
        }
    }

    @Test(
        "A browser's question before a request is answered wherever pages ask, without credentials",
        arguments: [
            Self.operation, "/device/1/\(TestServer.container)/development/tokens/create",
            "/assets/upload?t=x", "/assets/00/name.bin?e=1&s=0", "/courier/aps?tok=x", "/nowhere",
        ])
    func preflight(path: String) async throws {
        try await withServer { server in
            var headers = Self.page
            headers["Access-Control-Request-Method"] = "POST"
            headers["Access-Control-Request-Headers"] = "content-type"
            let reply = try await server.sendRaw("OPTIONS", path, nil, headers: headers)
            #expect(reply.status == 200 && reply.body.isEmpty)
            #expect(reply.header("Allow") == "GET, POST, PUT, DELETE")
            #expect(reply.header("Access-Control-Allow-Methods") == "GET, POST, PUT, DELETE")
            #expect(reply.header("Access-Control-Allow-Headers")?.contains("Content-Type") == true)
            #expect(reply.header("Access-Control-Max-Age") == "600")
            expectReadable(reply)
        }
    }

    @Test("A page reads what it stored and what it is told, of whatever size")
    func assets() async throws {
        try await withServer { server in
            try await server.makeZone()
            for size in [3, 1_000_000] {
                let bytes = [UInt8](repeating: 7, count: size)
                let url = try await server.uploadURL(for: "a")
                let stored = try await server.sendRaw(
                    "POST", url, bytes, contentType: "image/png", headers: Self.page)
                #expect(stored.status == 200)
                expectReadable(stored)
                let saved = try await server.save(stored["singleFile"], as: "a")
                let down = try await server.sendRaw("GET", TestServer.link(saved), nil, headers: Self.page)
                #expect(down.status == 200 && down.body == bytes)
                expectReadable(down)
            }
        }
    }

    @Test("A page is told by the courier, too")
    func courier() async throws {
        try await withServer {
            $0.courierTimeout = .milliseconds(1)
        } _: { server in
            let tokens = try await server.send(
                "POST", "/device/1/\(TestServer.container)/development/tokens/create",
                #"{"apnsEnvironment":"development","clientId":"device"}"#)
            let url = try #require(tokens["webcourierURL"].string)
            let told = try await server.sendRaw("GET", url, nil, headers: Self.page)
            #expect(told.status == 200)
            expectReadable(told)
        }
    }

    @Test("A page reads why it was refused, whatever refused it")
    func refusals() async throws {
        try await withServer {
            $0.faultSecret = "s3cret"
            $0.largestAsset = 10
            $0.largestRequest = 1000
        } _: { server in
            try await server.makeZone()
            let credentials = server.credentials()
            let upload = try await server.uploadURL(for: "a")
            let large = [UInt8](repeating: 7, count: 2000)
            func expect(_ status: Int, _ method: String, _ path: String, _ body: [UInt8]? = nil) async throws {
                let reply = try await server.sendRaw(method, path, body, headers: Self.page)
                #expect(reply.status == status, "\(method) \(path): \(reply.text)")
                expectReadable(reply)
            }
            try await expect(400, "POST", "\(Self.operation)?\(credentials)", Array("nonsense".utf8))
            try await expect(400, "POST", "\(Self.operation)?\(credentials)", large)
            try await expect(401, "POST", "\(Self.operation)?ckAPIToken=x", Array("{}".utf8))
            try await expect(421, "POST", "\(Self.operation)?ckAPIToken=\(server.user.apiToken)", Array("{}".utf8))
            try await expect(404, "GET", "/nowhere")
            try await expect(405, "GET", "\(Self.operation)?\(credentials)")
            try await expect(403, "POST", "/assets/upload?t=x", large)
            try await expect(413, "POST", upload, large)
            try await expect(410, "GET", "/assets/00/name.bin?e=1&s=0")
            try await expect(410, "GET", "/courier/aps?tok=x")
            for (code, status) in [("THROTTLED", 429), ("TRY_AGAIN_LATER", 503)] {
                let rule =
                    #"{"match":{"operation":"*"},"fault":{"kind":"refuse","code":"\#(code)","retryAfter":3},"times":3}"#
                let set = try await server.sendRaw("POST", "/faults/s3cret", Array(rule.utf8))
                #expect(set.status == 200)
                try await expect(status, "POST", "\(Self.operation)?\(credentials)", Array("{}".utf8))
                try await expect(status, "POST", upload, [1])
                try await expect(status, "GET", "/assets/00/name.bin?e=1&s=0")
            }
        }
    }

    @Test(
        "This server's own pages, invitations and the control of faults are for no page of another origin",
        arguments: ["/sign-in", "/invite", "/faults/s3cret"])
    func closed(path: String) async throws {
        try await withServer {
            $0.faultSecret = "s3cret"
        } _: { server in
            for method in ["OPTIONS", "GET", "POST"] {
                let body = method == "POST" ? Array("x".utf8) : nil
                let reply = try await server.sendRaw(method, path, body, headers: Self.page)
                #expect(method != "OPTIONS" || reply.status == 405)
                #expect(!reply.headers.contains { $0.name.lowercased().hasPrefix("access-control-") }, "\(method)")
            }
        }
    }
}
