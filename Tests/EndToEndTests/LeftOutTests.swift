import Foundation
import Testing

@Suite("What is left out and told, as a person sees it", .timeLimit(.minutes(30)))
struct LeftOutTests {
    @Test("A copy of the state directory and a person's keys are sent by nobody, and status names them (invariant 29)")
    func secrets() async throws {
        let world = try await RealWorld()
        let proxy = try await RecordingProxy(to: world.url)
        let laptop = try await world.addFolder("laptop", server: proxy.url)
        try laptop.write("text\n", to: "a.txt")
        try laptop.write("PRIVATE\n", to: "home/.ssh/id_ed25519")
        try laptop.write("PRIVATE\n", to: "keys/site.pem")
        try laptop.write("*.log\n", to: ".zonefolderignore.old")
        let (state, copy) = (laptop.path + "/.zonefolder", laptop.path + "/.zonefolder.bak")
        try FileManager.default.copyItem(atPath: state, toPath: copy)
        let daemon = try laptop.run()
        try await laptop.untilDaemonAnswers(daemon)
        #expect(try await laptop.settledVerdict() == "in-sync")
        let sent = proxy.exchanges(since: 0).map(\.text)
        #expect(sent.contains { $0.contains("a.txt") })
        for secret in ["PRIVATE", "api_token =", "web_auth_token =", ".zonefolder.bak", "id_ed25519", "site.pem"] {
            #expect(!sent.contains { $0.contains(secret) }, "\(secret)")
        }
        let held = try await laptop.report().held
        #expect(held.map(\.path) == [".zonefolder.bak", ".zonefolderignore.old", "home/.ssh", "keys/site.pem"])
        #expect(held.allSatisfy { $0.code == "leftOut" && !$0.remedy.isEmpty })
        #expect(laptop.read(".zonefolderignore.old") == "*.log\n")
        let text = try await RealProgram.run("status", laptop.path + "/keys/site.pem")
        #expect(text.status == 4 && text.output.hasPrefix("not-synced: keys/site.pem is not synced"), "\(text.output)")

        try laptop.write("!*.pem\n", to: ".zonefolderignore")
        #expect(try await laptop.settledVerdict() == "in-sync")
        #expect(proxy.exchanges(since: 0).contains { $0.text.contains("site.pem") })
        #expect(daemon.isRunning)
    }
}
