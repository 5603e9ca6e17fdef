import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// A connection that sends what it is told, byte by byte if need be, and keeps what comes back.
final class RawConnection: Sendable {
    private let channel: any Channel
    private let collected: Collected

    private final class Collected: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        let text = Mutex("")

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let piece = String(buffer: unwrapInboundIn(data))
            text.withLock { $0 += piece }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // A reset connection is a closed one.
            context.close(promise: nil)
        }
    }

    /// - Parameter reads: Whether it takes what the server says; one that does not keeps the server's bytes waiting.
    init(port: Int, reads: Bool = true) async throws {
        let collected = Collected()
        self.collected = collected
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(ChannelOptions.autoRead, value: reads)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(collected) }
            }
            .connect(host: "127.0.0.1", port: port).get()
    }

    /// What came back so far.
    var received: String { collected.text.withLock { $0 } }

    /// Sends text; a connection that is closed takes none.
    func send(_ text: String) async -> Bool {
        do {
            try await channel.writeAndFlush(ByteBuffer(string: text))
            return true
        } catch {
            return false
        }
    }

    /// Waits until the server ends the connection, and gives all that it said.
    func closed() async throws -> String {
        try await channel.closeFuture.get()
        return received
    }

    /// From now on it takes what the server says.
    func read() async throws {
        try await channel.setOption(.autoRead, value: true).get()
    }

    /// Tells the server that nothing more will be sent.
    func endSending() async throws {
        try await channel.close(mode: .output)
    }

    /// Breaks the connection off: the server is told that nobody is there.
    func reset() async throws {
        // A socket that is closed in no time at all is reset.
        let options = channel as! any SocketOptionProvider
        try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        await close()
    }

    func close() async {
        try? await channel.close()
    }
}
