import ArgumentParser
import StateStorage
import SyncEngine
import SystemPackage

/// Which container of which server.
struct ServedContainer: ParsableArguments {
    @Option(help: ArgumentHelp("The server's data.", valueName: "dir"), completion: .directory)
    var data: String

    @Option(help: "The container that is opened.")
    var container = "iCloud.zonefolder"

    @Option(help: "The container's environment: development or production.")
    var environment = FolderConfiguration.Environment.development

    /// The data's directory, which must be there: a wrong name is not to make a new one.
    var directory: FilePath {
        get throws { try ServerContainer.of(data, container).directory }
    }

    /// The data's directory, for what can be the first that is put there; says so where it is new.
    var newOrKnownDirectory: FilePath {
        get throws {
            try FolderConfiguration(container: container, zone: "Zone", device: "device").checkAsGiven()
            let directory = try AbsolutePath.of(data)
            if !PlainFiles.exists(directory) {
                StandardError.print(
                    "\(directory) is new. Serve it with: zonefolder serve --data \(ShellWord.quoted(directory.string))")
            }
            return directory
        }
    }
}
