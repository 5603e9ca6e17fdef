import Foundation
import Testing

@Suite("A server that speaks TLS, with real processes and sockets")
struct SecureServerTests {
    /// A server with a certificate, and two folders whose daemons run and hear of changes by pushes alone.
    private struct SecureWorld {
        let authority: TestAuthority
        let world: RealWorld
        let laptop: RealFolder
        let desk: RealFolder
        let daemons: [RunningProgram]

        init() async throws {
            authority = try await TestAuthority()
            world = try await RealWorld("--tls-certificate", authority.certificate, "--tls-key", authority.key)
            laptop = try await world.addFolder("laptop", options: ["--tls-ca", authority.file])
            desk = try await world.addFolder("desk", options: ["--tls-ca", authority.file])
            for folder in [laptop, desk] { try folder.set("poll_seconds", to: "3600") }
            daemons = try [laptop.run(), desk.run()]
            try await laptop.untilDaemonAnswers(daemons[0])
            try await desk.untilDaemonAnswers(daemons[1])
        }

        func untilDeskHas(_ names: [String], _ text: String) async throws {
            let hasAll = try await eventually { names.allSatisfy { desk.read($0) == text } }
            guard hasAll else { throw TestFailure("not all of \(names) came\n\(daemons.map(\.errors))") }
        }

        /// How often the server could not use what it read.
        var refusals: Int { world.serverErrors.split(separator: "\n").count { $0.contains("cannot be used") } }

        /// The serial number of the certificate that a new connection is shown, once something holds of it.
        func shownSerial(when holds: ([UInt8]) -> Bool) async throws -> [UInt8] {
            let deadline = ContinuousClock.now + .seconds(120)
            while ContinuousClock.now < deadline {
                let serial = try await SecureConnection.with(world.url, authority) { connection in
                    #expect(try await connection.ask() == "HTTP/1.1 404")
                    return try await connection.serial
                }
                if holds(serial) { return serial }
            }
            throw TestFailure("the certificate is not shown\n\(world.serverErrors)")
        }
    }

    @Test("Records, assets and pushes travel with TLS where an authority of one's own vouches for the server")
    func privateAuthority() async throws {
        let secure = try await SecureWorld()
        #expect(secure.world.url.hasPrefix("https://"))
        #expect(try await secure.laptop.settledVerdict() == "in-sync")
        #expect(try await secure.desk.settledVerdict() == "in-sync")
        let text = String(repeating: "a long text of many words\n", count: 100_000)
        try secure.laptop.write(text, to: "long.txt")
        try secure.laptop.write(#"{"title": "by TLS"}"#, to: "Note/a.json")
        try await secure.untilDeskHas(["long.txt"], text)
        try await secure.untilDeskHas(["Note/a.json"], #"{"title": "by TLS"}"#)
    }

    @Test("A certificate renewed under load is shown to new connections; no request fails, no connection ends")
    func renewed() async throws {
        let secure = try await SecureWorld()
        try secure.laptop.write("first", to: "first.txt")
        try await secure.untilDeskHas(["first.txt"], "first")
        try await SecureConnection.with(secure.world.url, secure.authority) { old in
            #expect(try await old.ask() == "HTTP/1.1 404")
            let first = try await old.serial
            var newest = first
            for round in 0..<4 {
                let names = (0..<15).map { "\(round)/\($0).txt" }
                for name in names { try secure.laptop.write("round \(round)", to: name) }
                let before = newest
                try await secure.authority.renew {
                    // Two files that do not belong together are not shown: the server goes on with the ones before.
                    let shown = try await secure.shownSerial { _ in secure.refusals == round + 1 }
                    #expect(shown == before)
                }
                newest = try await secure.shownSerial { $0 != before }
                try await secure.untilDeskHas(names, "round \(round)")
                #expect(try await old.ask() == "HTTP/1.1 404")
            }
            #expect(try await old.serial == first)
        }
        for daemon in secure.daemons { #expect(!daemon.errors.contains("failed"), "\(daemon.errors)") }
        #expect(try await secure.desk.settledVerdict() == "in-sync")
    }

    @Test(
        "A certificate that cannot be believed is one sentence in the status; once renewed, what waits goes by itself",
        arguments: [
            (TestAuthority.Fault.expired, "expired on 20"), (.wrongName, "but to other.example, 192.0.2.7"),
            (.unknownAuthority, "no authority that this machine trusts"),
        ])
    func faults(_ fault: TestAuthority.Fault, sentence: String) async throws {
        let secure = try await SecureWorld()
        #expect(try await secure.laptop.settledVerdict() == "in-sync")
        try await secure.world.killServer()
        try await secure.authority.renew(fault)
        try await secure.world.startServer()
        try secure.laptop.write("waits", to: "waits.txt")
        var report = try await secure.laptop.report()
        for _ in 0..<500 where report.held.isEmpty { report = try await secure.laptop.report() }
        #expect(report.verdict == "attention")
        #expect(report.held.map(\.code) == ["serverUntrusted"])
        #expect(report.reason.contains("The certificate of 127.0.0.1:"), "\(report)")
        #expect(report.reason.contains(sentence), "\(report)")
        #expect(report.held.first?.message == report.reason)

        try await secure.authority.renew()
        try await secure.untilDeskHas(["waits.txt"], "waits")
        #expect(try await secure.laptop.settledVerdict() == "in-sync")
    }

    @Test(
        "A server for which nobody vouches is refused by `init`, and a file without a certificate for `--tls-ca` as well"
    )
    func initialization() async throws {
        let authority = try await TestAuthority()
        let world = try await RealWorld("--tls-certificate", authority.certificate, "--tls-key", authority.key)
        let folder = RealFolder(url: world.place.appending(path: "laptop"))
        let refused = try await world.initialize(folder)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("vouched for by no authority"))
        #expect(refused.errors.contains("--tls-ca"))
        let noCertificate = try await world.initialize(folder, options: ["--tls-ca", authority.key])
        #expect(noCertificate.status == 78)
        #expect(noCertificate.errors.contains("holds no certificate in PEM"), "\(noCertificate.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        #expect(try await world.initialize(folder, options: ["--tls-ca", authority.file]).status == 0)
    }

    @Test("A client that is idle, and does not answer the goodbye of TLS, does not keep the server from ending")
    func silentClient() async throws {
        let authority = try await TestAuthority()
        let world = try await RealWorld("--tls-certificate", authority.certificate, "--tls-key", authority.key)
        try await SecureConnection.with(world.url, authority) { connection in
            let answer = try await connection.ask()
            #expect(answer == "HTTP/1.1 404")
            try await connection.stopListening()
            let start = ContinuousClock.now
            let status = try await world.stopServer()
            // The library would wait for five.
            #expect(status == 0 && ContinuousClock.now - start < .seconds(4))
        }
    }

    @Test("A key that is not the certificate's keeps the server from starting, with both files named")
    func foreignKey() async throws {
        let (authority, other) = (try await TestAuthority(), try await TestAuthority())
        let outcome = try await RealProgram.run(
            "serve", "--data", FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path,
            "--listen", "127.0.0.1:0", "--tls-certificate", authority.certificate, "--tls-key", other.key)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(other.key))
        #expect(outcome.errors.contains(authority.certificate))
    }
}
