import CloudKitClient
public import FolderControl
public import FolderSettings
public import Logging
import StateStorage
import SyncEngine

/// A look at a folder of which no daemon runs, for what the zone lacks of it.
public enum FolderLook {
    /// How the folder stands by what it holds and what was last agreed on; nothing is asked of the server or sent.
    /// - Throws: `StateError` with the code `locked` while a daemon runs.
    public static func report(of directory: StateDirectory, logger: Logger) async throws -> StatusReport {
        let transport = HTTPTransport()
        let result: Result<StatusReport, any Error>
        do {
            let open = try OpenFolder(directory.folder, transport: transport, watches: false, logger: logger)
            let report = try await open.session.lookedReport()
            try open.store.close()
            result = .success(report)
        } catch {
            result = .failure(error)
        }
        try? await transport.shutdown()  // Nothing was asked.
        return try result.get()
    }
}
