import NIOCore
import SystemPackage
import Testing

@testable import CloudKitServer

@Suite("Downloads that are not taken")
struct AssetDownloadTests {
    @Test("However early a client goes away, the file of its download is closed")
    func leavingClients() async throws {
        try await withTemporaryDirectory { directory in
            try await withServer(in: directory) { server in
                try await server.makeZone()
                let bytes = [UInt8](repeating: 7, count: 4 << 20)
                let saved = try await server.save(server.upload(bytes, for: "a"), as: "a")
                let path = try #require(TestServer.link(saved).firstMatch(of: /\/assets\/.*/)).output
                for _ in 0..<100 {
                    let connection = try await RawConnection(port: server.port)
                    _ = await connection.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
                    await connection.close()
                }
            }
            // With the server all of its connections have ended.
            #expect(try openAssets(in: directory) == 0)
        }
    }

    @Test("A file that was opened for an answer is closed when the answer is dropped")
    func droppedReader() async throws {
        try await withTemporaryDirectory { directory in
            try DataDirectory.make(directory)
            let files = try AssetFiles(in: directory)
            let path = files.path(try files.store([1, 2, 3]))
            let open = try openFiles(while: AssetReader(path), in: directory)
            #expect(open == 1)
            #expect(try openAssets(in: directory) == 0)
        }
    }

    private func openFiles(while reader: AssetReader, in directory: FilePath) throws -> Int {
        #expect(try reader.readPiece(2) == ByteBuffer(bytes: [1, 2]))
        let count = try openAssets(in: directory)
        #expect(try reader.readPiece(2) == ByteBuffer(bytes: [3]))
        return count
    }
}
