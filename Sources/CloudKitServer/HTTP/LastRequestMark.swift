import NIOCore
import NIOHTTP1

/// Marks each request that is the last one of its connection with `Connection: close`, upon which the server closes after
/// its answer.
///
/// Which one is the last depends on the version of HTTP, of which nobody behind this place is told: before HTTP/1.1 each
/// is, unless its client asks to keep the connection (RFC 9112, 9.3). Nor is there `Expect` before HTTP/1.1.
final class LastRequestMark: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        if !head.isKeepAlive { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        if head.version == HTTPVersion(major: 1, minor: 0) { head.headers.remove(name: "Expect") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}
