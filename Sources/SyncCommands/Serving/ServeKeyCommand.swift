import ArgumentParser
import CloudKitServer
import FolderSettings
import StateStorage

struct ServeKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Manage server-to-server keys.",
        subcommands: [ServeKeyAddCommand.self, ServeKeyListCommand.self, ServeKeyRevokeCommand.self])
}

struct ServeKeyAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Register a server-to-server key for the public database, and print its ID.",
        discussion: """
            Make a key with `openssl ecparam -name prime256v1 -genkey -noout -out key.pem`, and its public half with \
            `openssl ec -in key.pem -pubout -out public.pem`. The server is given the public half only.
            """)

    @OptionGroup var place: ServedContainer

    @Option(
        name: .customLong("public-key"), help: ArgumentHelp("The public key, in PEM.", valueName: "file"),
        completion: .file())
    var publicKeyFile: String

    func run() async throws {
        let pem = String(decoding: try PlainFiles.readNamed(publicKeyFile), as: UTF8.self)
        let key = try WebServicesServer.addServerKey(
            container: place.container, environment: place.environment.rawValue, publicKeyPEM: pem,
            in: place.newOrKnownDirectory)
        StandardOutput.print(key.keyID)
    }
}
