import Testing

@testable import SyncCommands

@Suite("Whoever answers where the server should")
struct ServerFactsTests {
    @Test(
        "An answer that is not in CloudKit's form is something else's, whatever its status; a gateway's fault is its own",
        arguments: [
            (200, false, Finding.Level.problem), (302, false, .problem), (401, false, .problem), (403, false, .problem),
            (404, false, .problem), (421, false, .problem), (401, true, .ok), (421, true, .ok), (502, false, .degraded),
            (503, true, .degraded),
        ] as [(Int, Bool, Finding.Level)])
    func answers(status: Int, isCloudKit: Bool, level: Finding.Level) {
        let outcome = ServerFacts.Outcome.answered(
            status: status, isCloudKit: isCloudKit, afterMilliseconds: 3, skewMilliseconds: 0)
        let finding = ServerFacts(server: "https://sync.example.org", outcome: outcome).findings[0]
        #expect(finding.level == level)
        #expect(finding.message.contains("something else answers there: status \(status)") == (level == .problem))
        #expect((finding.remedy == nil) == (level == .ok))
        #expect(!finding.anonymous.contains("example"))
    }

    @Test("A setting that keeps the server from being asked is named as that, not as the network's fault")
    func setting() {
        let reason = "config.toml: 'tls_ca' names /ca.pem, which cannot be read: No such file or directory."
        let findings = ServerFacts(server: "https://sync.example.org", outcome: .notAsked(reason)).findings
        #expect(findings.map(\.level) == [.problem, .degraded])
        #expect(findings[0].message.contains("'tls_ca' names /ca.pem"))
        #expect(findings[0].remedy?.contains("network") == false)
        #expect(findings.allSatisfy { !$0.anonymous.contains("example") && !$0.anonymous.contains("/ca.pem") })
    }
}
