import Foundation
import Testing

@Suite("Without TLS, tokens and files leave this machine only where a person allows it")
struct PlainHTTPTests {
    @Test(
        "A command refuses a server on another machine that has no TLS, before it asks it anything",
        arguments: [
            ["init", "f", "--container", "iCloud.a", "--zone", "Z"], ["zones", "--container", "iCloud.a"],
            ["query", "Note", "--container", "iCloud.a"], ["record", "get", "n", "--container", "iCloud.a"],
            ["accept", "abc", "--container", "iCloud.a"],
        ])
    func refused(words: [String]) async throws {
        let outcome = try await RealProgram.run(
            arguments: words + ["--server", "http://192.0.2.1:8080", "--api-token", "token"], limit: .seconds(30))
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains("http://192.0.2.1:8080 has no TLS"), "\(outcome.errors)")
        #expect(outcome.errors.contains("--plain-http"))
    }

    @Test("A server without TLS listens for other machines only with --plain-http")
    func serving() async throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "zf-plain-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        let refused = try await RealProgram.run("serve", "--data", place.path, "--listen", "0.0.0.0:0")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("--tls-certificate"))
        #expect(refused.errors.contains("--plain-http"))
        #expect(!FileManager.default.fileExists(atPath: place.path))
    }

    @Test("What a person allows is kept in the configuration, and taking it out of there ends it with a sentence")
    func configured() async throws {
        // Linux takes this address for one of this machine; it is none by which a machine can be told to be this one.
        let world = try await RealWorld(host: "0.0.0.0")
        let folder = try await world.addFolder("laptop")
        try folder.write("goes", to: "a.txt")
        #expect(try await RealProgram.run("sync", folder.path).status == 0)

        try folder.set("plain_http", to: "false")
        for words in [["sync"], ["run"], ["login", "--web-auth-token-file", "-"]] {
            let outcome = try await RealProgram.run(
                arguments: words + [folder.path], input: "token-token-token\n")
            #expect(outcome.status == 78, "\(words): \(outcome.errors)")
            #expect(outcome.errors.contains("config.toml: 'server'"), "\(outcome.errors)")
            #expect(outcome.errors.contains("plain_http = true"))
        }
    }
}
