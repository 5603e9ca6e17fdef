import CloudKitClient
public import FolderControl
public import Logging
import SessionCore
import StateRows
import StateStorage
import SyncEngine
import SyncTiming
public import SystemPackage

/// One pass over a folder of which no daemon runs.
public enum SyncOnce {
    /// Looks at both sides, does all that can be done now, and tells how the folder stands.
    /// - Parameter onProgress: Is told several times a second what is moving; `nil`: nothing.
    /// - Throws: `StateError` with the code `locked` while a daemon runs; ``FolderIsPaused``.
    public static func run(
        folder: FilePath, logger: Logger, onProgress: (@Sendable (StatusReport.Progress?) -> Void)? = nil
    ) async throws -> StatusReport {
        let transport = HTTPTransport()
        let result: Result<StatusReport, any Error>
        do {
            let open = try OpenFolder(folder, transport: transport, watches: false, logger: logger)
            // Only now: a state that was lost is made, and an older one brought up to date.
            try FolderPausing.check(try open.store.facts().pause)
            let meter = open.progress
            let telling = onProgress.map { tell in
                Task {
                    while !Task.isCancelled {
                        tell(meter.current(at: SteadyInstant(offset: SessionClock.system.steady())))
                        try? await Task.sleep(for: .milliseconds(200))  // Ends at once where it was cancelled.
                    }
                }
            }
            await open.session.settle()
            telling?.cancel()
            await telling?.value
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
