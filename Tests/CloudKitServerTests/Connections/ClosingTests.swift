import GRDB
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import SystemPackage
import Testing

@testable import CloudKitServer

@Suite("How connections are closed", .timeLimit(.minutes(30)))
struct ClosingTests {
    /// More than the system keeps of what a client does not read.
    private static let size = 40 << 20

    /// Says goodbye when it is to be closed, and then waits for the client to do so, as TLS does; this one for ever.
    private final class PatientGoodbye: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "goodbye")), promise: promise)
        }
    }

    /// Gives a connection to a client, and the server's end of it.
    private func withConnection(
        reads: Bool, _ handlers: @escaping @Sendable () -> [any ChannelHandler],
        _ body: (_ client: RawConnection, _ server: any Channel) async throws -> Void
    ) async throws {
        let (accepted, accepts) = AsyncStream<any Channel>.makeStream()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(handlers())
                    accepts.yield(channel)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let client = try await RawConnection(port: try #require(listener.localAddress?.port), reads: reads)
        for await server in accepted {
            try await body(client, server)
            break
        }
        await client.close()
        try await listener.close()
    }

    private func guarded() -> [any ChannelHandler] {
        [
            PatientGoodbye(), ByteToMessageHandler(HTTPRequestDecoder()),
            RequestGuard(WebServicesServer.Configuration(dataDirectory: "/nowhere"), OpenConnections()),
        ]
    }

    @Test("A client that does not answer the goodbye of TLS is not waited for")
    func goodbye() async throws {
        try await withConnection(reads: true, guarded) { client, server in
            server.close(promise: nil)
            let said = try await client.closed()
            #expect(said == "goodbye")
        }
    }

    @Test(
        "A connection is closed once its slow client has taken all, and not before",
        arguments: [CloseMode.all, .output])
    func slowClient(mode: CloseMode) async throws {
        try await withConnection(reads: false) {
            [UntakenBytes(patience: .hours(1))]
        } _: { client, server in
            server.writeAndFlush(ByteBuffer(repeating: 0x61, count: Self.size), promise: nil)
            server.close(mode: mode, promise: nil)
            try await client.read()
            let taken = try await client.closed().utf8.count
            #expect(taken == Self.size)
        }
    }

    @Test("Nor does a client that has nothing more to say lose what it has not taken")
    func halfClosedClient() async throws {
        let detector = HangUpDetector()
        let (saidAll, saysAll) = AsyncStream<Void>.makeStream()
        detector.onHangUp { saysAll.finish() }
        try await withConnection(reads: false) {
            [UntakenBytes(patience: .hours(1)), detector]
        } _: { client, server in
            server.writeAndFlush(ByteBuffer(repeating: 0x61, count: Self.size), promise: nil)
            try await client.endSending()
            for await _ in saidAll {}
            server.close(mode: .output, promise: nil)
            try await client.read()
            let taken = try await client.closed().utf8.count
            #expect(taken == Self.size)
        }
    }

    @Test("A client that takes nothing is waited for until its time is over")
    func patience() async throws {
        try await withConnection(reads: false) {
            [UntakenBytes(patience: .milliseconds(200))]
        } _: { _, server in
            server.writeAndFlush(ByteBuffer(repeating: 0x61, count: Self.size), promise: nil)
            server.close(promise: nil)
            try await server.closeFuture.get()
        }
    }

    @Test("When a server ends, a connection is cut off whatever waits in it, before it was to be closed or after")
    func cutOff() async throws {
        for isClosing in [false, true] {
            try await withConnection(reads: false) {
                [UntakenBytes(patience: .hours(1)), PatientGoodbye()]
            } _: { _, server in
                let connections = OpenConnections()
                connections.add(server)
                server.writeAndFlush(ByteBuffer(repeating: 0x61, count: Self.size), promise: nil)
                if isClosing { server.close(promise: nil) }
                #expect(connections.closeAll() == 1)
                try await server.closeFuture.get()
            }
        }
    }

    @Test("A request that takes for ever does not keep the server from ending")
    func endlessRequest() async throws {
        let (begins, begun) = AsyncStream<Void>.makeStream()
        try await withServer(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) {
            $0.connections.farewell = .milliseconds(50)
        } _: { server in
            try await server.makeZone()
            try await makeSavesEndless(server) { begun.finish() }
            try await save(server)
            for await _ in begins {}
        }
    }

    @Test("Nor does one that has its place when the server stops, and begins only then")
    func lateRequest() async throws {
        let (begins, begun) = AsyncStream<Void>.makeStream()
        try await withServer(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) {
            $0.connections.farewell = .milliseconds(50)
        } _: { server in
            try await server.makeZone()
            let store = server.server.store
            let caller = try #require(
                try store.caller(
                    userRecordName: server.user.userRecordName, container: TestServer.container,
                    environment: "development"))
            try await makeSavesEndless(server) {}
            // Its end is the first interruption. The requests wait for it with a place each, their user's share.
            store.writer.asyncWriteWithoutTransaction { db in
                begun.finish()
                _ = try? db.execute(sql: Self.endless)
            }
            for await _ in begins {}
            for _ in 0..<2 { try await save(server) }
            while server.server.writingTurns.now(TurnOwner(caller), { true }) != nil {
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    private static let endless =
        "SELECT count(*) FROM many a, many b, many c, many d, many e WHERE a.n + b.n + c.n + d.n + e.n < 0"

    private func makeSavesEndless(_ server: TestServer, _ begin: @escaping @Sendable () -> Void) async throws {
        try await server.server.store.writer.writeWithoutTransaction { db in
            db.add(
                function: DatabaseFunction("begins", argumentCount: 0) { _ in
                    begin()
                    return nil
                })
            try db.execute(
                sql: """
                    CREATE TEMP TABLE many AS
                        WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000) SELECT n FROM c;
                    CREATE TEMP TRIGGER endless BEFORE INSERT ON records BEGIN SELECT begins(); \(Self.endless); END
                    """)
        }
    }

    /// Sends a request that saves a record.
    private func save(_ server: TestServer) async throws {
        let body = #"""
            {"zoneID":{"zoneName":"Folder"},"operations":[
                {"operationType":"create","record":{"recordType":"Note","recordName":"a"}}]}
            """#
        let path = "/database/1/\(TestServer.container)/development/private/records/modify?\(server.credentials())"
        let request = try await RawConnection(port: server.port)
        let head = "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        #expect(await request.send(head + body))
    }
}
