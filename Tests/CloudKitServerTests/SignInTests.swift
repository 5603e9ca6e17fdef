import CloudKitServer
import Foundation
import Testing

@testable import CloudKitServer

/// A browser that looks at a server's sign-in page: it keeps the cookie and sends what the form holds.
private struct Browser {
    let server: TestServer
    var cookie: String?
    /// The sign-in page's path and query.
    var page: String
    var fields: [String: String] = [:]

    /// Asks for a page to sign in at, as a program with an API token does.
    init(_ server: TestServer, apiToken: String, origin: String? = nil) async throws {
        self.server = server
        let reply = try await server.sendRaw(
            "GET", "/database/1/\(TestServer.container)/development/public/users/caller?ckAPIToken=\(apiToken)", nil,
            headers: origin.map { ["Origin": $0] } ?? [:])
        let url = try #require(reply["redirectURL"].string)
        page = String(url.dropFirst("http://127.0.0.1:\(server.port)".count))
    }

    mutating func open() async throws -> TestServer.Reply {
        take(try await server.sendRaw("GET", page, nil, headers: cookie.map { ["Cookie": $0] } ?? [:]))
    }

    mutating func send(
        _ name: String, _ password: String, stay: Bool = false, with headers: [String: String] = [:]
    ) async throws -> TestServer.Reply {
        var fields = fields
        fields["name"] = name
        fields["password"] = password
        if stay { fields["stay"] = "yes" }
        let body = fields.map { "\($0.key)=\(encoded($0.value))" }.joined(separator: "&")
        var headers = headers
        headers["Cookie"] = cookie
        return take(
            try await server.sendRaw(
                "POST", "/sign-in", Array(body.utf8), contentType: "application/x-www-form-urlencoded",
                headers: headers))
    }

    private mutating func take(_ reply: TestServer.Reply) -> TestServer.Reply {
        if let set = reply.header("Set-Cookie") { cookie = String(set.prefix { $0 != ";" }) }
        for match in reply.text.matches(of: /name="(request|form)" value="([^"]*)"/) {
            fields[String(match.1)] = String(match.2)
        }
        return reply
    }
}

@Suite("The sign-in page (protocol §2.1)")
struct SignInTests {
    private static let quick = PasswordHash.Cost(rounds: 16, blockSize: 1, parallelism: 1)
    private static let callback = "http://127.0.0.1:7437/"

    /// A server of which Ada has the password "open, sesame".
    private func withSignIn(
        clock: ManualClock? = nil, callback: String? = Self.callback, origins: [String] = [],
        _ body: @escaping @Sendable (TestServer, _ apiToken: String) async throws -> Void
    ) async throws {
        try await withServer(clock: clock) {
            $0.store.passwordCost = Self.quick
        } _: { server in
            let store = server.server.store
            #expect(try store.setPassword("open, sesame", ofUser: "ada", container: TestServer.container))
            let token = try store.addAPIToken(
                container: TestServer.container, environment: "development",
                options: APITokenOptions(callback: callback, origins: origins.compactMap { WebOrigin($0) }))
            try await body(server, token)
        }
    }

    private func token(in reply: TestServer.Reply) throws -> String {
        let location = try #require(reply.header("Location"))
        #expect(location.hasPrefix(Self.callback + "?ckWebAuthToken="))
        let parameters = queryParameters(location.dropFirst(Self.callback.count + 1))
        #expect(parameters["ckWebAuthToken"] == parameters["ckSession"])
        return try #require(parameters["ckSession"])
    }

    @Test("421, page, password, callback with both parameters, and the same call answers 200")
    func wholeFlow() async throws {
        try await withSignIn { server, apiToken in
            var browser = try await Browser(server, apiToken: apiToken)
            let page = try await browser.open()
            #expect(page.status == 200 && page.header("Content-Type") == "text/html; charset=UTF-8")
            #expect(page.header("Cache-Control") == "no-store" && page.header("Referrer-Policy") == "no-referrer")
            #expect(page.text.contains("<label for=\"password\">") && !page.text.contains("<script"))
            let policy = try #require(page.header("Content-Security-Policy"))
            #expect(policy.hasPrefix("default-src 'none'; ") && policy.contains("frame-ancestors 'none'"))
            #expect(policy.contains("form-action 'self' http://127.0.0.1:7437;"))

            let signedIn = try await browser.send("ada", "open, sesame")
            #expect(signedIn.status == 303)
            let caller = try await server.sendRaw(
                "GET",
                "/database/1/\(TestServer.container)/development/public/users/caller?ckAPIToken=\(apiToken)"
                    + "&ckWebAuthToken=\(encoded(try token(in: signedIn)))", nil)
            #expect(caller.status == 200 && caller["userRecordName"].string == server.user.userRecordName)
        }
    }

    @Test("A wrong password, an unknown name and a name without a password are refused in the same words")
    func refusals() async throws {
        try await withSignIn { server, apiToken in
            _ = try server.server.store.addUser(
                name: "bob", container: TestServer.container, environment: "development")
            var texts: Set<String> = []
            for (name, password) in [("ada", "wrong"), ("nobody", "open, sesame"), ("bob", "")] {
                var browser = try await Browser(server, apiToken: apiToken)
                _ = try await browser.open()
                let reply = try await browser.send(name, password)
                #expect(reply.status == 403 && reply.header("Location") == nil)
                texts.insert(String(reply.text.split(separator: "role=\"alert\"").last?.prefix(60) ?? ""))
            }
            #expect(texts.count == 1)
        }
    }

    @Test(
        "A token lives 30 minutes from its issue, or two weeks for a person who stays signed in",
        arguments: [false, true])
    func lifetime(stays: Bool) async throws {
        let clock = ManualClock()
        try await withSignIn(clock: clock) { server, apiToken in
            var browser = try await Browser(server, apiToken: apiToken)
            _ = try await browser.open()
            let first = try token(in: try await browser.send("ada", "open, sesame", stay: stays))
            @Sendable func call(_ token: String) async throws -> TestServer.Reply {
                try await server.sendRaw(
                    "GET",
                    "/database/1/\(TestServer.container)/development/public/users/caller?ckAPIToken=\(apiToken)"
                        + "&ckWebAuthToken=\(encoded(token))", nil)
            }
            let lifetime: Int64 = stays ? 14 * 24 * 3600 : 30 * 60
            clock.advance(seconds: lifetime - 1)
            let reply = try await call(first)
            let next = try #require(reply.nextToken)
            try await server.server.store.sessionsAreSaved()
            clock.advance(seconds: lifetime * 59 / 60)
            #expect(try await call(next).status == 200)
            try await server.server.store.sessionsAreSaved()
            clock.advance(seconds: lifetime)
            #expect(try await call(next).status == 421)
            // What `serve user add` makes does not end.
            #expect(try await server.get("users/caller").status == 200)
        }
    }

    @Test("A link is good for 15 minutes, and only as this server sealed it")
    func links() async throws {
        let clock = ManualClock()
        try await withSignIn(clock: clock) { server, apiToken in
            var browser = try await Browser(server, apiToken: apiToken)
            clock.advance(seconds: 899)
            #expect(try await browser.open().status == 200)
            clock.advance(seconds: 1)
            #expect(try await browser.open().status == 400)
            #expect(try await browser.send("ada", "open, sesame").status == 400)
            for forged in ["", "?request=", "?request=AAAA", "?request=" + encoded(server.user.webAuthToken)] {
                #expect(try await server.sendRaw("GET", "/sign-in" + forged, nil).status == 400)
            }
        }
    }

    @Test("A form that was not made for this browser signs nobody in, whatever it holds")
    func crossSite() async throws {
        try await withSignIn { server, apiToken in
            var browser = try await Browser(server, apiToken: apiToken)
            _ = try await browser.open()
            var other = try await Browser(server, apiToken: apiToken)
            _ = try await other.open()

            var withoutCookie = browser
            withoutCookie.cookie = nil
            #expect(try await withoutCookie.send("ada", "open, sesame").status == 403)
            var othersForm = browser
            othersForm.cookie = other.cookie
            #expect(try await othersForm.send("ada", "open, sesame").status == 403)
            var othersRequest = browser
            othersRequest.fields["request"] = other.fields["request"]
            let isSameRequest = browser.fields["request"] == other.fields["request"]
            #expect(try await othersRequest.send("ada", "open, sesame").status == (isSameRequest ? 303 : 403))
            #expect(try await browser.send("ada", "open, sesame").status == 303)
            let cookie = try await server.sendRaw("GET", browser.page, nil).header("Set-Cookie")
            #expect(cookie?.contains("HttpOnly; SameSite=Strict") == true)
        }
    }

    @Test("No parameter changes where a sign-in ends")
    func noOpenRedirect() async throws {
        try await withSignIn { server, apiToken in
            var browser = try await Browser(server, apiToken: apiToken)
            browser.page += "&callback=https://evil.example/&redirect=https://evil.example/"
            _ = try await browser.open()
            browser.fields["callback"] = "https://evil.example/"
            browser.fields["redirectURL"] = "https://evil.example/"
            let reply = try await browser.send("ada", "open, sesame")
            #expect(reply.header("Location")?.hasPrefix(Self.callback) == true)
        }
    }

    @Test(
        "A callback that others could read is refused when the API token is made",
        arguments: [
            "http://example.org/", "javascript:alert(1)", "https://", "https://a@b/", "https://x/#f", "//x/",
            "https://x\r\nSet-Cookie: a=b", "",
        ])
    func callbacks(_ callback: String) async throws {
        try await withServer { server in
            let error = #expect(throws: ServerError.self) {
                try server.server.store.addAPIToken(
                    container: TestServer.container, environment: "development",
                    options: APITokenOptions(callback: callback))
            }
            #expect(error?.code == .callback)
        }
    }

    @Test("What a person typed comes back as text, never as a page's part")
    func escaping() async throws {
        try await withSignIn { server, apiToken in
            var browser = try await Browser(server, apiToken: apiToken)
            _ = try await browser.open()
            let reply = try await browser.send("\"><script>alert(1)</script>'&", "x")
            #expect(reply.text.contains("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;"))
            #expect(!reply.text.contains("<script>"))
        }
    }

    @Test("Without a callback the token is shown, and posted only to the page that asked")
    func postMessage() async throws {
        try await withSignIn(callback: nil) { server, apiToken in
            for origin in ["https://app.example", nil] {
                var browser = try await Browser(server, apiToken: apiToken, origin: origin)
                _ = try await browser.open()
                let reply = try await browser.send("ada", "open, sesame")
                #expect(reply.status == 200)
                #expect(reply.text.contains("106__54__"))
                let policy = reply.header("Content-Security-Policy") ?? ""
                if let origin {
                    #expect(reply.text.contains("data-origin=\"\(origin)\"") && reply.text.contains("ckSession"))
                    let nonce = try #require(policy.firstMatch(of: /script-src 'nonce-([^']+)'/)?.1)
                    #expect(reply.text.contains("<script nonce=\"\(nonce)\">"))
                } else {
                    #expect(!reply.text.contains("<script") && !policy.contains("script-src"))
                }
            }
        }
    }

    @Test(
        "The page says who gets the token, and whatever that is, it is text",
        arguments: [
            ("https://app.example/signed-in?a=1", nil, "The website <strong>https://app.example</strong> can use"),
            (
                "https://APP.example:443/", "https://other.example",
                "The website <strong>https://app.example</strong> can"
            ),
            (
                "http://127.0.0.1:7437/", nil,
                "on the computer in front of you, at <strong>http://127.0.0.1:7437</strong>,"
            ),
            (nil, "https://app.example", "The website <strong>https://app.example</strong> can use"),
            (nil, nil, "The next page shows a web auth token"),
            ("https://x/\"><script>alert(1)</script>", nil, "The website <strong>https://x</strong> can use"),
            ("odd:<b>'\"&", nil, "<strong>odd:&lt;b&gt;&#39;&quot;&amp;</strong>"),
        ] as [(String?, String?, String)])
    func recipient(callback: String?, origin: String?, text: String) {
        let request = SignInRequest(apiToken: [1], origin: origin, expiry: 0)
        let page = SignInPage.form(
            SignInSubject(request: request, container: "iCloud.example", callback: callback), request: "r",
            formToken: "f", nonce: "n")
        #expect(page.html.contains(text), "\(page.html)")
        #expect(!page.html.contains("<script"))
    }

    @Test("After five wrong passwords each further try waits longer; the right one counts after the pause")
    func limit() async throws {
        let clock = ManualClock()
        try await withSignIn(clock: clock) { server, apiToken in
            var browser = try await Browser(server, apiToken: apiToken)
            _ = try await browser.open()
            for _ in 0..<5 { #expect(try await browser.send("ada", "wrong").status == 403) }
            let refused = try await browser.send("ada", "open, sesame")
            #expect(refused.status == 429 && refused.header("Retry-After") == "1")
            clock.advance(seconds: 1)
            #expect(try await browser.send("ada", "wrong").status == 403)
            clock.advance(seconds: 1)
            #expect(try await browser.send("ada", "open, sesame").status == 429)
            clock.advance(seconds: 1)
            #expect(try await browser.send("ada", "open, sesame").status == 303)
        }
    }

    @Test("An API token for some origins takes no page of another one, and every program that is no page")
    func origins() async throws {
        try await withSignIn(origins: ["https://app.example"]) { server, apiToken in
            let path = "/database/1/\(TestServer.container)/development/public/users/caller?ckAPIToken=\(apiToken)"
            for (origin, status) in [
                (nil, 421), ("https://app.example", 421), ("https://APP.example:443", 421),
                ("https://evil.example", 401),
                ("http://app.example", 401), ("https://app.example.evil", 401), ("null", 401), ("", 401),
            ] {
                let reply = try await server.sendRaw("GET", path, nil, headers: origin.map { ["Origin": $0] } ?? [:])
                #expect(reply.status == status, "\(origin ?? "none")")
            }
        }
    }
}
