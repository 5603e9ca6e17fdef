import AsyncHTTPClient
import Foundation
import Glibc
import NIOCore
import NIOHTTP1
import Testing

/// A browser without JavaScript: it opens a sign-in page, fills in the form, and goes where the answer leads.
private struct FormBrowser {
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.redirectConfiguration = .disallow
        return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }()

    /// Signs in, and gives the URL at which that ends.
    static func signIn(at page: String, name: String, password: String) async throws -> String {
        let opened = try await answer(to: HTTPClientRequest(url: page))
        guard let cookie = opened.headers.first(name: "Set-Cookie")?.split(separator: ";").first else {
            throw TestFailure("no form: \(opened.text)")
        }
        var fields = ["name": name, "password": password]
        for match in opened.text.matches(of: /name="(request|form)" value="([^"]*)"/) {
            fields[String(match.1)] = String(match.2)
        }
        var request = HTTPClientRequest(url: String(page.prefix { $0 != "?" }))
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.headers.add(name: "Cookie", value: String(cookie))
        let body = fields.map {
            "\($0.key)=\($0.value.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!)"
        }
        request.body = .bytes(ByteBuffer(string: body.joined(separator: "&")))
        let sent = try await answer(to: request)
        guard let location = sent.headers.first(name: "Location") else {
            throw TestFailure("no way back: \(sent.text)")
        }
        return location
    }

    static func visit(_ url: String) async throws -> (status: Int, text: String) {
        let answer = try await answer(to: HTTPClientRequest(url: url))
        return (answer.status, answer.text)
    }

    private static func answer(
        to request: HTTPClientRequest
    ) async throws -> (status: Int, headers: HTTPHeaders, text: String) {
        let response = try await client.execute(request, timeout: .seconds(120))
        let body = try await response.body.collect(upTo: 1 << 20)
        return (Int(response.status.code), response.headers, String(buffer: body))
    }
}

@Suite("Signing in and out", .timeLimit(.minutes(30)))
struct LoginTests {
    private static let password = "open, sesame"

    /// A port that was free a moment ago.
    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let done = withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
            return bind(descriptor, pointer, size) == 0 && getsockname(descriptor, pointer, &size) == 0
        }
        guard done else { throw TestFailure("no port is free") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// A person with a password, whose API token's callback is a port of this machine.
    private func addUser(
        _ name: String, callback port: UInt16, in world: RealWorld
    ) async throws -> RealWorld.Account {
        let outcome = try await RealProgram.run(
            "serve", "user", "add", name, "--data", world.place.appending(path: "server").path, "--container",
            RealWorld.container, "--password-file", "-", "--callback", "http://127.0.0.1:\(port)/done", "--json",
            input: Self.password + "\n")
        guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
        return try JSONDecoder().decode(RealWorld.Account.self, from: Data(outcome.output.utf8))
    }

    private func makeFolder(_ account: RealWorld.Account, in world: RealWorld) async throws -> RealFolder {
        let folder = RealFolder(url: world.place.appending(path: "notes"))
        let outcome = try await RealProgram.run(
            "init", folder.path, "--server", world.url, "--container", RealWorld.container, "--zone", "Notes",
            "--api-token", account.apiToken, "--web-auth-token-file", "-", input: account.webAuthToken + "\n")
        guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
        return folder
    }

    private func page(of login: RunningProgram) async throws -> String {
        func found() -> Substring? {
            login.errors.split(whereSeparator: \.isWhitespace).first { $0.contains("/sign-in?request=") }
        }
        guard try await eventually(within: .seconds(120), { found() != nil || !login.isRunning }), let page = found()
        else { throw TestFailure("no page is named: \(login.errors)") }
        return String(page)
    }

    private func account(of folder: RealFolder) async throws -> (status: String, remedy: String?) {
        struct Report: Decodable {
            struct Account: Decodable {
                var status: String
                var remedy: String?
            }
            var account: Account
        }
        let outcome = try await RealProgram.run("status", folder.path, "--json")
        let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
        return (report.account.status, report.account.remedy)
    }

    /// Waits until the daemon knows it. The limit only ends a test that has failed already.
    private func accountBecomes(_ status: String, of folder: RealFolder) async throws {
        let deadline = ContinuousClock.now + .seconds(300)
        var last = ""
        while ContinuousClock.now < deadline {
            last = try await account(of: folder).status
            if last == status { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw TestFailure("the account is \(last), not \(status)")
    }

    @Test(
        "Signed out, edits wait; a sign-in through the browser sends them, and the daemon never restarts (S1.8, S1.9)")
    func whileTheDaemonRuns() async throws {
        let world = try await RealWorld()
        let port = try Self.freePort()
        let user = try await addUser("ada", callback: port, in: world)
        let folder = try await makeFolder(user, in: world)
        let daemon = try folder.run()
        try await folder.untilDaemonAnswers(daemon)
        try folder.write(#"{"text":"one"}"#, to: "Note/a.json")
        #expect(try await folder.settledVerdict() == "in-sync")

        let logout = try await RealProgram.run("logout", folder.path)
        #expect(logout.status == 0, "\(logout.errors)")
        try await accountBecomes("noAccount", of: folder)
        #expect(try await account(of: folder).remedy?.contains("zonefolder login") == true)
        let credentials = try String(contentsOfFile: folder.path + "/.zonefolder/credentials", encoding: .utf8)
        #expect(!credentials.contains("web_auth_token") && credentials.contains(user.apiToken))
        try folder.write(#"{"text":"two"}"#, to: "Note/a.json")

        let login = try RunningProgram(arguments: ["login", folder.path, "--port", "\(port)", "--no-browser"])
        let end = try await FormBrowser.signIn(at: try await page(of: login), name: "ada", password: Self.password)
        #expect(end.hasPrefix("http://127.0.0.1:\(port)/done?ckWebAuthToken="))
        // A browser asks for an icon, too, and that must not end it.
        #expect(try await FormBrowser.visit("http://127.0.0.1:\(port)/favicon.ico").status == 404)
        let seen = try await FormBrowser.visit(end)
        #expect(seen.status == 200 && seen.text.contains("Signed in"))
        #expect(try await login.ended(within: .seconds(120)) == 0, "\(login.errors)")
        #expect(login.output.contains(user.userRecordName))

        #expect(try await folder.settledVerdict() == "in-sync")
        #expect(daemon.isRunning)
        #expect(folder.read("Note/a.json")?.contains("two") == true)
        for program in [login, daemon] {
            #expect(!(program.output + program.errors).contains(user.apiToken))
            #expect(!(program.output + program.errors).contains("106__54__"))
        }
        let words = try String(contentsOfFile: "/proc/\(daemon.pid)/cmdline", encoding: .utf8)
        #expect(!words.contains(user.apiToken) && !words.contains("106__54__"))
    }

    @Test("Without a way back the URL or the token is pasted", arguments: ["url", "token"])
    func pasted(what: String) async throws {
        let world = try await RealWorld()
        let user = try await addUser("ada", callback: 9, in: world)
        let folder = try await makeFolder(user, in: world)
        #expect(try await RealProgram.run("logout", folder.path).status == 0)
        #expect(try await account(of: folder).status == "noAccount")
        let asking = try await RealProgram.run(
            "init", world.place.appending(path: "other").path, "--server", world.url, "--container",
            RealWorld.container, "--zone", "Notes", "--api-token", user.apiToken)
        let page = try #require(
            asking.errors.split(whereSeparator: \.isWhitespace).first { $0.contains("/sign-in?request=") })
        var end = try await FormBrowser.signIn(
            at: String(page.prefix { $0 != "," }), name: "ada", password: Self.password)
        if what == "token" {
            end = String(end.split(separator: "ckSession=").last ?? "").removingPercentEncoding ?? ""
        }
        let login = try await RealProgram.run(
            "login", folder.path, "--port", "\(try Self.freePort())", "--no-browser", input: "\nnonsense\n\(end)\n")
        #expect(login.status == 0, "\(login.errors)")
        #expect(login.errors.contains("holds no token"))
        #expect(try await RealProgram.run("sync", folder.path).status == 0)
    }

    @Test("Another account's sign-in is refused, with and without a daemon, and the first one's stays")
    func otherAccount() async throws {
        let world = try await RealWorld()
        let ada = try await addUser("ada", callback: 9, in: world)
        let bob = try await addUser("bob", callback: 9, in: world)
        let folder = try await makeFolder(ada, in: world)
        try folder.write(#"{"text":"one"}"#, to: "Note/a.json")
        #expect(try await RealProgram.run("sync", folder.path).status == 0)
        func login() async throws -> RealProgram.Outcome {
            try await RealProgram.run(
                "login", folder.path, "--api-token", bob.apiToken, "--web-auth-token-file", "-",
                input: bob.webAuthToken + "\n")
        }
        let stopped = try await login()
        #expect(stopped.status == 78 && stopped.errors.contains(ada.userRecordName))
        let daemon = try folder.run()
        try await folder.untilDaemonAnswers(daemon)
        let running = try await login()
        #expect(running.status == 1 && running.errors.contains(ada.userRecordName))
        #expect(running.errors.contains("`zonefolder remove` keeps the files"))
        try folder.write(#"{"text":"two"}"#, to: "Note/a.json")
        #expect(try await folder.settledVerdict() == "in-sync")
    }
}
