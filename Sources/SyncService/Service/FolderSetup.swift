public import FolderSettings
import StateStorage
public import SystemPackage

/// Makes a folder one that is synced.
public enum FolderSetup {
    /// Writes the state directory: credentials, an empty store, and last the configuration, whose presence says that
    /// the folder is set up.
    public static func initialize(
        folder: FilePath, configuration: FolderConfiguration, credentials: Credentials
    ) throws {
        let directory = try StateDirectory.create(in: folder)
        let lock = try FolderLock(of: directory)
        try CredentialsFile.create(credentials, in: directory)
        try StateStore(of: directory).close()
        try configuration.write(to: directory)
        withExtendedLifetime(lock) {}
    }
}
