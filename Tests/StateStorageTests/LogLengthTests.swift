import FolderSettings
import StateRows
import SyncModel
import SystemPackage
import Testing

@testable import StateStorage

@Suite("The log of the store")
struct LogLengthTests {
    private func logBytes(_ folder: TemporaryFolder) throws -> Int {
        let log = folder.state.path.appending("state.sqlite-wal")
        let descriptor = try FileDescriptor.open(log, .readOnly)
        defer { try? descriptor.close() }
        return Int(try descriptor.seek(offset: 0, from: .end))
    }

    @Test("It is long while much is written, and short once there is rest")
    func rest() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let text = String(repeating: "0123456789", count: 300_000)
        for number in 1...4 {
            try store.beginEvent(
                SyncEvent(
                    kind: .export, author: .person, beganMilliseconds: Int64(number),
                    outcome: .error(code: "test", message: text)))
        }
        #expect(try logBytes(folder) > 2 * StateStore.restingLogBytes)
        store.releaseMemory()
        try store.beginEvent(SyncEvent(kind: .export, author: .person, beganMilliseconds: 5))
        #expect(try logBytes(folder) <= StateStore.restingLogBytes)
        #expect(try store.events(limit: .max).map(\.beganMilliseconds) == [1, 2, 3, 4, 5])
        try store.verify()
    }
}
