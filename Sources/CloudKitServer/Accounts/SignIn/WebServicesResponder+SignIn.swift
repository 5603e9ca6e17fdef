import Glibc
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import Synchronization

extension WebServicesResponder {
    /// The sign-in page, and what its form sends.
    ///
    /// The form carries a token that is bound to a cookie of the browser that it was made for. Without it, another page
    /// could sign a person in as somebody else, into whose account her files would go.
    func signIn(_ request: Request, _ query: [String: String], from address: SocketAddress?) async throws -> Response {
        let store = server.store
        let nonce = base64(server.configuration.surroundings.randomBytes(18))
        let isPost = request.method == .post
        var form = query
        if isPost {
            guard let read = try await self.form(of: request) else {
                return page(.problem(413, "What was sent is no sign-in form.", nonce: nonce))
            }
            form = read
        }
        let text = form["request"] ?? ""
        guard let subject = try await server.pool.runIfActive({ try store.signInSubject(text) }) else {
            return page(
                .problem(
                    400,
                    "This link is not valid, or older than 15 minutes. Go back to the program that sent you here, "
                        + "and let it begin again.", nonce: nonce))
        }
        let cookie = SignInCookie(of: request) ?? SignInCookie(server.configuration.surroundings)
        let formToken = cookie.formToken(for: text, store.key)
        func again(_ problem: String?, status: Int, retryAfter: Int64? = nil) -> Response {
            var response = page(
                .form(
                    subject, request: text, formToken: formToken, name: isPost ? form["name"] ?? "" : "",
                    problem: problem, status: status, nonce: nonce))
            response.headers[.setCookie] = cookie.header(isSecure: baseURL(of: request).hasPrefix("https:"))
            response.headers[.retryAfter] = retryAfter.map(String.init)
            return response
        }
        guard isPost else { return again(nil, status: 200) }
        guard SignInCookie(of: request) != nil, cookie.isValid(formToken: form["form"] ?? "", for: text, store.key)
        else { return again("This form was not made for this browser, or cookies are off. Try again.", status: 403) }

        let name = form["name"] ?? ""
        let userSlot = store.signInSlot(of: "user \(subject.container) \(name)")
        let addressSlot = self.address(of: request, address).map { store.signInSlot(of: "address \($0)") }
        let now = server.configuration.surroundings.now()
        if let wait = server.signInLimit.withLock({ $0.begin(user: userSlot, address: addressSlot, now: now) }) {
            let seconds = (wait + 999) / 1000
            return again(
                "Too many tries. Wait \(seconds) \(seconds == 1 ? "second" : "seconds"), then try again.", status: 429,
                retryAfter: seconds)
        }
        let (password, stays) = (form["password"] ?? "", form["stay"] == "yes")
        let signedIn = try await server.passwordPool.runIfActive {
            try store.signIn(subject.request, name: name, password: password, stays: stays)
        }
        guard let signedIn else { return again("Name or password are wrong.", status: 403) }
        server.signInLimit.withLock { $0.succeeded(user: userSlot, address: addressSlot) }
        guard let callback = signedIn.callback else {
            return page(.token(signedIn.webAuthToken, postedTo: subject.request.origin, nonce: nonce))
        }
        var response = page(.problem(303, "Signed in.", nonce: nonce))
        response.headers[.location] = Self.callback(callback, with: signedIn.webAuthToken)
        return response
    }

    /// A callback with the token under both of its names (protocol §2.1).
    static func callback(_ callback: String, with token: String) -> String {
        let value = queryEncoded(token)
        return callback + (callback.contains("?") ? "&" : "?") + "ckWebAuthToken=\(value)&ckSession=\(value)"
    }

    private static let longestForm = 16 << 10

    /// The fields of a form; `nil` where the body is none, or too long for one.
    private func form(of request: Request) async throws -> [String: String]? {
        guard request.headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") == true else { return nil }
        return try await smallBody(of: request).map { queryParameters(String(decoding: $0, as: UTF8.self)) }
    }

    /// A body that anybody may send; `nil` where it is longer than any form.
    func smallBody(of request: Request) async throws -> [UInt8]? {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > Self.longestForm { return nil }
        var body: [UInt8] = []
        for try await chunk in request.body {
            body += chunk.readableBytesView
            guard body.count <= Self.longestForm else { return nil }
        }
        return body
    }

    /// Who sends, as far as an address tells: a proxy on this machine names who asked it. `nil` for this machine itself.
    private func address(of request: Request, _ address: SocketAddress?) -> String? {
        if let network = Self.network(of: address?.ipAddress) { return network }
        return Self.network(of: request.headers[.forwardedFor]?.split(separator: ",").last.map(String.init))
    }

    /// The part of an address that stands for one household: an IPv6 address has a whole /64. `nil` for what is no address
    /// or this machine's own.
    static func network(of address: String?) -> String? {
        let text = (address ?? "").filter { !$0.isWhitespace }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 { return bytes[0] == 127 ? nil : hex(bytes.prefix(4)) }
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
        if bytes.prefix(10).allSatisfy({ $0 == 0 }) {
            // IPv4 in IPv6's clothes, or the loopback.
            return bytes[10] == 0xFF && bytes[12] != 127 ? hex(bytes[12...]) : nil
        }
        return hex(bytes.prefix(8))
    }

    private func page(_ page: SignInPage) -> Response {
        var answer = Answer(status: page.status, contentType: "text/html; charset=UTF-8", body: Array(page.html.utf8))
        answer.headers[.contentSecurityPolicy] = page.policy
        answer.headers[.cacheControl] = "no-store"
        answer.headers[.xContentTypeOptions] = "nosniff"
        // The address has the request in it, and the callback's the token.
        answer.headers[.referrerPolicy] = "no-referrer"
        return answer.response
    }
}

/// Tells the browser that a form was made for from any other.
struct SignInCookie: Hashable, Sendable {
    private let value: String

    private static let name = "zonefolder-sign-in"

    init(_ surroundings: StoreSurroundings) {
        value = hex(surroundings.randomBytes(16))
    }

    /// The one that a browser sends; `nil` where it has none.
    init?(of request: Request) {
        for pair in (request.headers[.cookie] ?? "").split(separator: ";") {
            let parts = pair.drop(while: \.isWhitespace).split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0] == Self.name, bytes(hex: parts[1])?.count == 16 else { continue }
            value = String(parts[1])
            return
        }
        return nil
    }

    func header(isSecure: Bool) -> String {
        "\(Self.name)=\(value); Max-Age=\(SignInRequest.seconds); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }

    /// What a form for this browser and this request carries.
    func formToken(for request: String, _ key: ServerKey) -> String {
        hex(key.code(for: .signInForm, Array("\(value) \(request)".utf8)))
    }

    func isValid(formToken: String, for request: String, _ key: ServerKey) -> Bool {
        bytes(hex: formToken).map { key.isValid($0, for: .signInForm, Array("\(value) \(request)".utf8)) } ?? false
    }
}

extension HTTPField.Name {
    static let forwardedFor = Self("X-Forwarded-For")!
    static let referrerPolicy = Self("Referrer-Policy")!
}
