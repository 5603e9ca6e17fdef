import NIOCore
import NIOPosix

/// A TCP server on the loopback device that answers bytes with bytes, so that a test can break every rule of HTTP.
struct RawServer {
    /// What to do with a connection once a whole request has come.
    enum Act: Sendable {
        /// Sends this and keeps the connection.
        case answer(String)
        /// Sends this and closes.
        case answerAndClose(String)
        /// Closes without a byte.
        case close
        /// Says nothing.
        case silence
    }

    let port: Int
    private let channel: any Channel

    /// - Parameter act: Given the requests seen so far, the newest last.
    static func withServer<Value>(
        _ act: @escaping @Sendable (_ requests: [String]) -> Act, _ body: (RawServer) async throws -> Value
    ) async throws -> Value {
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RequestHandler(act: act))
                }
            }
        let channel = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
        let server = RawServer(port: channel.localAddress!.port!, channel: channel)
        do {
            let value = try await body(server)
            try await channel.close()
            return value
        } catch {
            try await channel.close()
            throw error
        }
    }
}

/// Gathers bytes until a request with a `content-length`, or none, is whole.
private final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let act: @Sendable ([String]) -> RawServer.Act
    private var text = ""
    private var requests: [String] = []

    init(act: @escaping @Sendable ([String]) -> RawServer.Act) {
        self.act = act
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        text += String(buffer: unwrapInboundIn(data))
        let parts = text.components(separatedBy: "\r\n\r\n")
        guard parts.count > 1 else { return }
        let length = parts[0].lowercased().components(separatedBy: "content-length: ").dropFirst().first
            .flatMap { Int($0.prefix { $0.isNumber }) }
        guard parts[1].utf8.count >= length ?? 0 else { return }
        requests.append(text)
        text = ""
        switch act(requests) {
        case .answer(let answer): context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
        case .answerAndClose(let answer):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
            context.close(promise: nil)
        case .close: context.close(promise: nil)
        case .silence: break
        }
    }
}

extension String {
    /// The pieces between occurrences of a separator.
    fileprivate func components(separatedBy separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
