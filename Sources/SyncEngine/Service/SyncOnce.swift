import CloudKitClient
public import Logging
import StateStorage
public import SystemPackage

/// One pass over a folder of which no daemon runs.
public enum SyncOnce {
    /// Looks at both sides, does all that can be done now, and tells how the folder stands.
    /// - Throws: `StateError` with the code `locked` while a daemon runs.
    public static func run(folder: FilePath, logger: Logger) async throws -> StatusReport {
        let transport = HTTPTransport()
        let result: Result<StatusReport, any Error>
        do {
            let open = try OpenFolder(folder, transport: transport, watches: false, logger: logger)
            await open.session.settle()
            let report = try await open.session.report(daemon: nil, watch: nil)
            try open.store.close()
            result = .success(report)
        } catch {
            result = .failure(error)
        }
        try? await transport.shutdown()  // Nothing is under way any more that could be lost.
        return try result.get()
    }
}
