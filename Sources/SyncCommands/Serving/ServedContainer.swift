import ArgumentParser
import FolderSettings
import StateStorage
import SyncService
import SystemPackage

/// Which container of which server.
struct ServedContainer: ParsableArguments {
    @OptionGroup var data: ServerDataPlace

    @Option(help: "The container that is opened.")
    var container = "iCloud.zonefolder"

    @Option(help: "The container's environment: development or production.")
    var environment = FolderConfiguration.Environment.development

    /// The data's directory, which must be there: a wrong name is not to make a new one.
    var directory: FilePath {
        get throws { try ServerContainer.directory(data, container) }
    }

    /// The data's directory, for what can be the first that is put there; says so where it is new.
    var newOrKnownDirectory: FilePath {
        get throws {
            try FolderConfiguration(container: container, zone: "Zone", device: "device").checkAsGiven()
            let directory = try data.directory
            if !PlainFiles.exists(directory) {
                StandardError.print(
                    "\(directory) is new. Serve it with: zonefolder serve\(ServerDataPlace.argument(for: directory))")
            }
            return directory
        }
    }
}
