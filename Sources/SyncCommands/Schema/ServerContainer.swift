import ArgumentParser
import CloudKitSchema
import CloudKitServer
import FolderSettings
import StateStorage
import SyncService
import SystemPackage

/// A container in a server's data directory.
struct ServerContainer: ParsableArguments {
    @OptionGroup var data: ServerDataPlace

    @Option(help: "The container.")
    var container = Self.standard

    /// The container that commands mean where none is named.
    static let standard = "iCloud.zonefolder"

    /// The data directory, which must be there: a wrong name is not to make a new one.
    var directory: FilePath {
        get throws { try Self.directory(data, container) }
    }

    /// As ``directory``, for commands with options of their own.
    static func directory(_ data: ServerDataPlace, _ container: String) throws -> FilePath {
        try FolderConfiguration(container: container, zone: "Zone", device: "device").checkAsGiven()
        return try directory(data)
    }

    /// The data directory, which must be there.
    static func directory(_ data: ServerDataPlace) throws -> FilePath {
        let directory = try data.directory
        if let (hidden, owner) = HiddenPath.above(directory.appending("server.sqlite")) {
            throw CommandFailure.hidden(directory, behind: hidden, owner)
        }
        guard WebServicesServer.hasData(in: directory) else { throw CommandFailure.noServerData(directory) }
        return directory
    }

    /// As the options would give it, for commands that need no data.
    static func of(_ data: String, _ container: String) throws -> Self {
        try parse(["--data", data, "--container", container])
    }

    func schema(in environment: FolderConfiguration.Environment) throws -> Schema {
        try WebServicesServer.schema(of: container, in: environment.rawValue, dataDirectory: directory)
    }
}
