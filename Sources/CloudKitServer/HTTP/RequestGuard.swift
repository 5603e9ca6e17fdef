import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOTLS

/// Ends a connection whose client sends a body too slowly, or goes on sending one after it was answered, and answers a
/// head that is too large.
///
/// A head that never ends is the business of ``HeadDeadline``, which it puts before the parser; a connection without
/// requests is that of Hummingbird's idle timeout.
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: WebServicesServer.ConnectionLimits
    private var pace: BodyPace?
    private var paceTimer: Scheduled<Void>?
    /// Set once the request whose body still comes was answered.
    private var unwantedBytesLeft: Int?
    private var unwantedTimer: Scheduled<Void>?
    private var unanswered = 0
    private let head: HeadDeadline

    init(_ limits: WebServicesServer.ConnectionLimits) {
        self.limits = limits
        head = HeadDeadline(TimeAmount(limits.head))
    }

    func handlerAdded(context: ChannelHandlerContext) {
        do {
            try context.pipeline.syncOperations.addHandler(head, position: .first)
        } catch {
            // Without its guard no connection is served.
            context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { head.handshakeEnded() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            unanswered += 1
            head.requestBegan()
            pace = BodyPace(leastRate: limits.leastBodyRate, grace: TimeAmount(limits.bodyGrace))
        case .body(let bytes):
            pace?.receive(bytes.readableBytes, at: .now())
            if let left = unwantedBytesLeft {
                unwantedBytesLeft = left - bytes.readableBytes
                guard left >= bytes.readableBytes else { return context.close(promise: nil) }
            }
        case .end:
            head.requestEnded()
            pace = nil
            unwantedBytesLeft = nil
            unwantedTimer?.cancel()
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        pace?.wait(at: .now())
        schedulePaceTimer(context)
        context.read()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            unanswered -= 1
            head.requestAnswered()
            if unanswered == 0, pace != nil {
                unwantedBytesLeft = limits.unwantedBytes
                unwantedTimer = close(context, in: TimeAmount(limits.unwantedTime))
            }
        }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard case HTTPParserError.headerOverflow = error, unanswered == 0 else {
            return context.fireErrorCaught(error)
        }
        let head = HTTPResponse(
            status: .requestHeaderFieldsTooLarge, headerFields: [.contentLength: "0", .connection: "close"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        // Closing at once would take the answer back from a client that is still sending.
        context.close(mode: .output, promise: nil)
        unwantedTimer = close(context, in: .seconds(2))
    }

    func channelInactive(context: ChannelHandlerContext) {
        cancelTimers()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        cancelTimers()
    }

    private func cancelTimers() {
        paceTimer?.cancel()
        unwantedTimer?.cancel()
        (paceTimer, unwantedTimer) = (nil, nil)
    }

    private func schedulePaceTimer(_ context: ChannelHandlerContext) {
        guard paceTimer == nil, let deadline = pace?.deadline else { return }
        paceTimer = context.eventLoop.assumeIsolatedUnsafeUnchecked().scheduleTask(deadline: deadline) {
            self.paceTimer = nil
            guard let deadline = self.pace?.deadline else { return }
            guard deadline > .now() else { return context.close(promise: nil) }
            self.schedulePaceTimer(context)
        }
    }

    private func close(_ context: ChannelHandlerContext, in time: TimeAmount) -> Scheduled<Void> {
        context.eventLoop.assumeIsolatedUnsafeUnchecked().scheduleTask(in: time) { context.close(promise: nil) }
    }
}
