import ArgumentParser
import FolderSettings
import StateStorage
import SystemPackage

/// How a server that is named by its URL may be spoken to.
struct ConnectionOptions: ParsableArguments {
    @Option(
        name: .customLong("tls-ca"),
        help: ArgumentHelp(
            "A file in PEM with the certificate of an authority of your own that vouches for the server.",
            valueName: "file"),
        completion: .file())
    var authorityFile: String?

    @Flag(
        name: .customLong("plain-http"),
        help:
            "Speak to a server on another machine without TLS, where whoever sees the traffic can read tokens and files."
    )
    var allowsPlainHTTP = false

    /// Puts what was given into a configuration with its server.
    /// - Throws: ``CommandFailure`` where the server may not be spoken to so, or the authority cannot be read.
    func apply(to configuration: inout FolderConfiguration) throws {
        if !allowsPlainHTTP, let url = ServerURL(configuration.server), url.isExposed {
            throw CommandFailure.plainHTTP(
                configuration.server, way: "Use its https URL; `zonefolder serve` speaks TLS with --tls-certificate.")
        }
        configuration.allowsPlainHTTP = allowsPlainHTTP
        configuration.authorityFile = try authorityFile.map { try AbsolutePath.unresolved($0).string }
        try configuration.checkAsGiven()
    }
}
