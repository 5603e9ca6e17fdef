import CloudKitClient
import FolderSettings
import StateRows
import StateStorage
import SyncService

/// How the server answered, and what its clock said.
struct ServerFacts: Hashable, Sendable {
    /// What came back.
    enum Outcome: Hashable, Sendable {
        /// - Parameters:
        ///   - afterMilliseconds: How long the answer took.
        ///   - skewMilliseconds: How far this machine's clock is ahead of the server's, which tells whole seconds; `nil`
        ///     where the answer told no time.
        ///   - isCloudKit: Whether it was in CloudKit's own form.
        case answered(
            status: Int, isCloudKit: Bool = true, afterMilliseconds: Int64, skewMilliseconds: Int64?)
        case failed(String)
        /// It was not asked: what of the settings keeps everybody from that.
        case notAsked(String)
    }

    var server: String
    var outcome: Outcome

    /// Beyond it certificates, signed requests and the policy `newest` go wrong.
    private static let largestSkew: Int64 = 60_000

    var findings: [Finding] {
        switch outcome {
        case .failed(let reason):
            return [
                Finding(
                    .server, .problem, "\(server) does not answer: \(reason)",
                    remedy: "See to the network, and to `server` in config.toml. Edits are kept meanwhile.",
                    anonymous: "The server (\(kind)) does not answer."),
                Finding(.clock, .degraded, "Without the server's time nothing is known of this clock."),
            ]
        case .notAsked(let reason):
            return [
                Finding(
                    .server, .problem, "\(server) cannot be asked. \(reason)",
                    remedy: "Correct that setting: zonefolder config edit",
                    anonymous: "The server (\(kind)) cannot be asked, for `tls_ca` in config.toml."),
                Finding(.clock, .degraded, "Without the server's time nothing is known of this clock."),
            ]
        // What fails here may be a gateway before a server that is down, and is told as that.
        case .answered(let status, false, _, let skew) where status < 500:
            let what = "something else answers there: status \(status), and nothing in CloudKit's form."
            return [
                Finding(
                    .server, .problem, "\(server): \(what)",
                    remedy:
                        "A network may want to be logged in to first: open any page in a browser. Else see to `server` in "
                        + "config.toml, and to what stands before the server, such as a proxy.",
                    anonymous: "The server (\(kind)): \(what)"),
                Self.clock(skew),
            ]
        case .answered(let status, _, let after, let skew):
            let answers = "answers in \(after) ms\(status >= 500 ? ", with HTTP \(status)" : "")."
            let answer = Finding(
                .server, status >= 500 ? .degraded : .ok, "\(server) \(answers)",
                remedy: status >= 500 ? "It is tried again by itself; if it stays, ask who runs the server." : nil,
                anonymous: "The server (\(kind)) \(answers)")
            return [answer, Self.clock(skew)]
        }
    }

    private static func clock(_ skew: Int64?) -> Finding {
        guard let skew else { return Finding(.clock, .degraded, "The server's answer tells no time.") }
        guard abs(skew) > largestSkew else { return Finding(.clock, .ok, "This clock and the server's agree.") }
        return Finding(
            .clock, .problem,
            "This clock is \(Amounts.span(abs(skew))) \(skew > 0 ? "ahead of" : "behind") the server's: certificates "
                + "may be refused, and names of conflict copies tell the wrong time.",
            remedy: "sudo timedatectl set-ntp true")
    }

    /// The server for strangers.
    private var kind: String {
        if server == FolderConfiguration.appleServer { return "Apple's" }
        guard let url = ServerURL(server) else { return "no URL" }
        if ServerURL.isLoopback(url.host) { return "on this machine" }
        return url.isPlain ? "elsewhere, without TLS" : "elsewhere, with TLS"
    }
}

extension ServerFacts {
    /// Asks the server, without a sign-in.
    init(asking configuration: FolderConfiguration) async {
        server = configuration.server
        let authority: PrivateAuthority?
        do {
            authority = try configuration.privateAuthority
        } catch {
            outcome = .notAsked(error.message)
            return
        }
        var timeouts = HTTPTransport.Timeouts()
        timeouts.request = .seconds(15)
        let transport = HTTPTransport(timeouts: timeouts)
        let clock = ContinuousClock()
        let (began, start) = (WallClock.now, clock.now)
        do throws(TransportError) {
            let answer = try await transport.trusting(authority).probe(configuration.databaseAddress)
            let after = Int64(start.duration(to: clock.now) / .milliseconds(1))
            let skew = answer.date.flatMap { HTTPDate(header: $0) }.map {
                Self.skew(between: began, began + after, server: $0.milliseconds)
            }
            outcome = .answered(
                status: answer.status, isCloudKit: answer.isCloudKit, afterMilliseconds: after, skewMilliseconds: skew)
        } catch {
            outcome = .failed(error.message.replacing(" It is tried again by itself.", with: ""))
        }
        try? await transport.shutdown()  // The answer is there.
    }

    /// How far this clock is ahead; 0 where both can be right: the server's time is one between, cut to its second.
    static func skew(between asked: Int64, _ answered: Int64, server: Int64) -> Int64 {
        if server + 999 < asked { return asked - (server + 999) }
        if server > answered { return answered - server }
        return 0
    }
}
