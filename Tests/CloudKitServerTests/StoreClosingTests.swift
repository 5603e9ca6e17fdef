import Foundation
import GRDB
import SystemPackage
import Testing

@testable import CloudKitServer

@Suite("The end of a store")
struct StoreClosingTests {
    @Test("After a clean end the database file alone has all that was saved")
    func wholeFile() async throws {
        try await withTemporaryDirectory { directory in
            try DataDirectory.make(directory)
            let path = directory.appending("server.sqlite").string
            let store = try RecordStore(writer: RecordStore.openPool(at: path))
            _ = try store.addUser(name: "ada", container: "iCloud.example", environment: "development")
            // Opens a reader, which is closed after the writer.
            #expect(try store.userNames(container: "iCloud.example") == ["ada"])
            try store.close()

            let copy = directory.appending("copy.sqlite").string
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            let copied = try RecordStore(writer: DatabaseQueue(path: copy))
            #expect(try copied.userNames(container: "iCloud.example") == ["ada"])
        }
    }
}
