/// The pages of a sign-in, as HTML: plain, without outside parts, and usable without JavaScript.
///
/// Every text that comes from outside goes through ``escaped(_:)``. The policy allows what the page itself holds and
/// nothing else: no script but the one with the answer's nonce, no frame around it, no other target of its form.
struct SignInPage {
    var status: Int
    var html: String
    /// The `Content-Security-Policy`.
    var policy: String

    private init(
        status: Int, title: String, body: String, nonce: String, formTargets: [String] = [], hasScript: Bool = false
    ) {
        self.status = status
        html = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(Self.escaped(title))</title>
            <style nonce="\(nonce)">
            body { font: 1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 3rem auto; padding: 0 1rem; }
            label { display: block; margin-top: 1rem; }
            input[type=text], input[type=password], textarea { box-sizing: border-box; font: inherit; padding: .4rem; width: 100%; }
            button { font: inherit; margin-top: 1.5rem; padding: .4rem 1.5rem; }
            .problem { border-left: .3rem solid #c00; padding-left: .7rem; }
            </style>
            </head>
            <body>
            <main>
            <h1>\(Self.escaped(title))</h1>
            \(body)
            </main>
            </body>
            </html>

            """
        let form = formTargets.isEmpty ? "'none'" : formTargets.joined(separator: " ")
        policy =
            "default-src 'none'; style-src 'nonce-\(nonce)'; \(hasScript ? "script-src 'nonce-\(nonce)'; " : "")"
            + "form-action \(form); frame-ancestors 'none'; base-uri 'none'"
    }

    /// Name, password, and whether to stay signed in.
    /// - Parameters:
    ///   - problem: What was wrong with the last try.
    ///   - formToken: Proves that the form was made for this browser.
    static func form(
        _ subject: SignInSubject, request: String, formToken: String, name: String = "", problem: String? = nil,
        status: Int = 200, nonce: String
    ) -> Self {
        let trouble = problem.map { "<p class=\"problem\" role=\"alert\" id=\"problem\">\(escaped($0))</p>" } ?? ""
        let described = problem == nil ? "" : " aria-describedby=\"problem\""
        // Browsers hold a redirect after a form to `form-action`, too.
        let callback = subject.callback.flatMap { WebOrigin($0)?.text }
        return Self(
            status: status, title: "Sign in",
            body: """
                <p>to the container <strong>\(escaped(subject.container))</strong></p>
                <p>\(recipient(of: subject))</p>
                \(trouble)
                <form method="post" action="sign-in">
                <input type="hidden" name="request" value="\(escaped(request))">
                <input type="hidden" name="form" value="\(escaped(formToken))">
                <label for="name">Name</label>
                <input type="text" id="name" name="name" value="\(escaped(name))" autocomplete="username" \
                autocapitalize="none" required\(described)>
                <label for="password">Password</label>
                <input type="password" id="password" name="password" autocomplete="current-password" required\(described)>
                <label><input type="checkbox" name="stay" value="yes"> Stay signed in for two weeks</label>
                <button type="submit">Sign in</button>
                </form>
                """,
            nonce: nonce, formTargets: ["'self'"] + (callback.map { [$0] } ?? []))
    }

    /// Who gets the web auth token: a person should know before she types her password.
    private static func recipient(of subject: SignInSubject) -> String {
        let warning = "can use your account then. Go on only if it sent you here."
        guard let place = subject.callback ?? subject.request.origin else {
            return "The next page shows a web auth token to copy. Whoever has it can use your account."
        }
        let origin = WebOrigin(place)
        let name = "<strong>\(escaped(origin?.text ?? place))</strong>"
        return origin?.isLoopback == true
            ? "A program on the computer in front of you, at \(name), \(warning)"
            : "The website \(name) \(warning)"
    }

    /// The end of a sign-in whose API token has no callback: posts the token to the page that asked, and shows it.
    static func token(_ token: String, postedTo origin: String?, nonce: String) -> Self {
        // What the page says is read from its attributes, so nothing from outside stands in the script.
        let script = """
            <script nonce="\(nonce)">
            const said = document.getElementById("token").dataset;
            if (window.opener) {
              window.opener.postMessage({ckSession: said.token, ckWebAuthToken: said.token}, said.origin);
              window.close();
            }
            </script>
            """
        return Self(
            status: 200, title: "Signed in",
            body: """
                <p>If the program that sent you here does not go on by itself, give it this web auth token. Whoever has it \
                can use your account.</p>
                <label for="token">Web auth token</label>
                <textarea id="token" rows="5" readonly data-token="\(escaped(token))" \
                data-origin="\(escaped(origin ?? ""))">\(escaped(token))</textarea>
                \(origin == nil ? "" : script)
                """,
            nonce: nonce, hasScript: origin != nil)
    }

    /// A dead end, with the way out.
    static func problem(_ status: Int, _ text: String, nonce: String) -> Self {
        Self(
            status: status, title: "Sign in", body: "<p class=\"problem\" role=\"alert\">\(escaped(text))</p>",
            nonce: nonce)
    }

    /// Text as HTML's text or as the value of an attribute in quotes.
    static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += Array("&amp;".utf8)
            case UInt8(ascii: "<"): bytes += Array("&lt;".utf8)
            case UInt8(ascii: ">"): bytes += Array("&gt;".utf8)
            case UInt8(ascii: "\""): bytes += Array("&quot;".utf8)
            case UInt8(ascii: "'"): bytes += Array("&#39;".utf8)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
