import Glibc
import NIOCore
import NIOPosix
import Synchronization
import SystemPackage
import Testing

@testable import CloudKitServer

@Suite("Downloads that are not taken", .timeLimit(.minutes(30)))
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

    @Test("A file is read no faster than its connection looks at what was read, however busy the connection's loop is")
    func busyLoop() async throws {
        try await withTemporaryDirectory { directory in
            try DataDirectory.make(directory)
            let files = try AssetFiles(in: directory)
            let size = 5 * AssetReader.pieceSize + 1
            let reader = try AssetReader(files.path(files.store([UInt8](repeating: 7, count: size))))
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let loop = group.next()
            let counts = Counts()
            try await reader.send(size, reading: .singleton, over: loop) { piece in
                counts.wrote(piece.readableBytes)
                loop.execute {
                    // Busy with others for so long that the whole file could be read meanwhile.
                    usleep(20_000)
                    counts.saw(piece.readableBytes)
                }
            }
            try await group.shutdownGracefully()
            #expect(counts.all.seen == size)
            #expect(counts.all.mostUnseen == AssetReader.pieceSize)
        }
    }

    /// Bytes that were written, and what of them an event loop has seen.
    private final class Counts: Sendable {
        private let counts = Mutex((written: 0, seen: 0, mostUnseen: 0))

        var all: (written: Int, seen: Int, mostUnseen: Int) { counts.withLock { $0 } }

        func wrote(_ bytes: Int) {
            counts.withLock { $0.written += bytes }
        }

        func saw(_ bytes: Int) {
            counts.withLock { counts in
                counts.mostUnseen = max(counts.mostUnseen, counts.written - counts.seen)
                counts.seen += bytes
            }
        }
    }

    @Test("Who takes nothing of a download is cut off, and its file is closed")
    func stalledClient() async throws {
        let (answers, answered) = AsyncStream<Void>.makeStream()
        try await withTemporaryDirectory { directory in
            try await withServer(in: directory) {
                $0.connections.untaken = .milliseconds(200)
                $0.observe = { event in
                    if case .answered(let request, status: 200) = event, request.operation == "assets/download" {
                        answered.finish()
                    }
                }
            } _: { server in
                try await server.makeZone()
                // More than the system keeps of what a client does not read.
                let bytes = [UInt8](repeating: 7, count: 40 << 20)
                let saved = try await server.save(server.upload(bytes, for: "a"), as: "a")
                let path = try #require(TestServer.link(saved).firstMatch(of: /\/assets\/.*/)).output
                let connection = try await RawConnection(port: server.port, reads: false)
                #expect(await connection.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n"))
                for await _ in answers {}
                while try openAssets(in: directory) > 0 { try await Task.sleep(for: .milliseconds(5)) }
                await connection.close()
            }
        }
    }
}
