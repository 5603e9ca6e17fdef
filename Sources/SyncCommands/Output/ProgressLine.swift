import SyncEngine

/// Shows on a terminal how far a long work is, and nothing in a pipe.
enum ProgressLine {
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
                        StandardError.printUnended("\r\u{1B}[K" + StatusText.line(of: report))
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
