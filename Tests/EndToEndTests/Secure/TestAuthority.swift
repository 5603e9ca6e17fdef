import Foundation

/// An authority of the test's own and the files of a server for which it vouches, in a directory that goes with the value.
///
/// Debian's `openssl` makes the certificates.
final class TestAuthority: Sendable {
    /// What a certificate can be at fault for.
    enum Fault: String, CaseIterable, Sendable {
        case expired, wrongName, unknownAuthority
    }

    private let place: URL

    /// Makes the authority, and a good certificate for the server.
    init() async throws {
        place = FileManager.default.temporaryDirectory.appending(path: "zf-authority-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try await makeAuthority("ca")
        try await makeAuthority("other")
        try await renew()
    }

    deinit {
        try? FileManager.default.removeItem(at: place)
    }

    /// The authority's own certificate, for `--tls-ca`.
    var file: String { path("ca.pem") }
    /// The server's files.
    var certificate: String { path("server.pem") }
    var key: String { path("server.key") }

    /// Puts a new certificate and a new key in the places of the server's, as a renewing program does.
    /// - Parameter between: Called when the key is new and the certificate is not.
    func renew(_ fault: Fault? = nil, between: () async throws -> Void = {}) async throws {
        let name = fault == .wrongName ? "DNS:other.example,IP:192.0.2.7" : "IP:127.0.0.1,DNS:localhost"
        try Data("subjectAltName=\(name)\n".utf8).write(to: place.appending(path: "names"))
        try await openssl(
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
            path("server.key.new"), "-out", path("request"), "-subj", "/CN=server")
        let authority = fault == .unknownAuthority ? "other" : "ca"
        try await openssl(
            "x509", "-req", "-in", path("request"), "-CA", path("\(authority).pem"), "-CAkey", path("\(authority).key"),
            "-out", path("server.pem.new"), "-days", fault == .expired ? "-1" : "7", "-extfile", path("names"),
            "-set_serial", "\(UInt32.random(in: 1 ... .max))")
        guard rename(path("server.key.new"), key) == 0 else { throw TestFailure("the key is not renewed") }
        try await between()
        guard rename(path("server.pem.new"), certificate) == 0 else { throw TestFailure("no certificate is renewed") }
    }

    private func makeAuthority(_ name: String) async throws {
        try await openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
            path("\(name).key"), "-out", path("\(name).pem"), "-days", "30", "-subj", "/CN=\(name)")
    }

    private func path(_ name: String) -> String { place.appending(path: name).path }

    private func openssl(_ words: String...) async throws {
        let process = try RunningProgram(arguments: words, executable: URL(filePath: "/usr/bin/openssl"))
        guard try await process.ended(within: .seconds(60)) == 0 else { throw TestFailure(process.errors) }
    }
}
