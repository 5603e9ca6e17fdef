public import SystemPackage

/// Backups, which are data directories themselves: a server can serve one, and one can be put where the data was.
extension WebServicesServer {
    /// Copies a server's data, whether the server runs or not, and leaves no trace of that in it.
    ///
    /// All that was answered with success before the call is in the backup; what comes later may be. Where there is a backup of
    /// the same server already, only what it lacks is copied. Whatever ends the copying, what stands at the target is what was
    /// there before, or the new backup.
    /// - Parameters:
    ///   - dataDirectory: Absolute.
    ///   - target: A name that is free, an empty directory, or an earlier backup that nobody has served since. Absolute.
    ///   - observe: Is told how far it is; ends it by throwing.
    /// - Throws: ``ServerError`` where there is no data, none that this program can read, or damaged data; where the target must
    ///   not be written; and where it was not finished.
    public static func backUp(
        _ dataDirectory: FilePath, to target: FilePath,
        observing observe: @escaping (BackupStep) throws -> Void = { _ in }
    ) throws -> BackupReport {
        try ServerBackup(data: dataDirectory, target: target, observe: observe).run()
    }
}
