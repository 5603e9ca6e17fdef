import FolderControl
import FolderSettings
import StateStorage
import SyncService
import SystemPackage

/// Shows on a terminal how far a long work is, and nothing in a pipe.
enum ProgressLine {
    /// The line in the place of the last one, cut to the terminal's width: of a longer one a part would stay.
    static func text(_ line: String, width: Int) -> String {
        "\r\u{1B}[K" + TextLine.broken(line, width: max(20, width - 1), hang: 0)[0]
    }

    private static func text(of report: StatusReport) -> String {
        text(StatusText.line(of: report), width: Terminal.errors.width ?? 80)
    }

    /// Shows on a terminal what daemons that have just started do, until all that can be done is done, and how each folder
    /// stands then. An interrupt ends the showing, not the daemons; in a pipe nobody waits.
    static func showUntilSettled(_ folders: [FilePath]) async throws {
        guard StandardError.isTerminal else { return }
        for folder in folders {
            let daemon = try ControlClient(for: StateDirectory.open(in: folder))
            let report = try await show(
                { try await daemon.status() }, during: { try await daemon.settledStatus(timeout: nil) })
            let name = folders.count == 1 ? "" : "\(folder): "
            StandardError.print(TextLine(name + StatusText.line(of: report)))
        }
    }

    /// Does some work while the line is kept up to date.
    /// - Parameter report: Asked several times a second; its failures are the work's affair.
    static func show<Value: Sendable>(
        _ report: @escaping @Sendable () async throws -> StatusReport,
        during work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard StandardError.isTerminal else { return try await work() }
        defer { StandardError.printUnended("\r\u{1B}[K") }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                while !Task.isCancelled {
                    if let report = try? await report() {
                        StandardError.printUnended(text(of: report))
                    }
                    try? await Task.sleep(for: .milliseconds(200))
                }
                return nil
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }
}
