public import SystemPackage

extension WebServicesServer {
    /// Reads all of a server's data, or of a backup, and tells what is missing or is not as it was stored.
    ///
    /// A server or a backup may be at work there meanwhile. Nothing is written there, so that a read-only disk will do; data
    /// that no server of this version has brought up to date is read as it is.
    /// - Parameters:
    ///   - dataDirectory: Absolute.
    ///   - observe: Is told how far it is; ends it by throwing.
    /// - Throws: ``ServerError`` where there is no data, or none that this program can read. What is damaged is no error.
    public static func check(
        _ dataDirectory: FilePath, observing observe: @escaping (CheckStep) throws -> Void = { _ in }
    ) throws -> CheckReport {
        var check = ServerCheck(of: dataDirectory, observing: observe)
        return try check.run()
    }
}
