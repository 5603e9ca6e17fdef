import GRDB

@testable import CloudKitServer

extension RecordStore {
    /// Comes back when what was to be written of sessions so far is written, or could not be.
    func sessionsAreSaved() async throws {
        try await writer.writeWithoutTransaction { _ in }
    }
}
