import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOTLS

/// Ends a connection whose client sends a body too slowly, or goes on sending one after it was answered, answers a head
/// that is too large, and lets a client go on that asks before it sends a body (`Expect: 100-continue`).
///
/// A head that never ends is the business of ``HeadDeadline``, an answer that nobody takes that of ``UntakenBytes``, which
/// it puts before the parser; a connection without requests is that of Hummingbird's idle timeout.
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let configuration: WebServicesServer.Configuration
    private let connections: OpenConnections
    private var pace: BodyPace?
    private var paceTimer: Scheduled<Void>?
    /// Set once the request whose body still comes was answered.
    private var unwantedBytesLeft: Int?
    private var unwantedTimer: Scheduled<Void>?
    private var unanswered = 0
    /// The client of the newest request waits to be told that its body is wanted.
    private var owesContinue = false
    private let head: HeadDeadline
    private let untaken: UntakenBytes

    private var limits: WebServicesServer.ConnectionLimits { configuration.connections }

    /// - Parameter connections: Is given every connection that is guarded.
    init(_ configuration: WebServicesServer.Configuration, _ connections: OpenConnections) {
        self.configuration = configuration
        self.connections = connections
        head = HeadDeadline(TimeAmount(configuration.connections.head))
        untaken = UntakenBytes(patience: TimeAmount(configuration.connections.untaken))
    }

    func handlerAdded(context: ChannelHandlerContext) {
        connections.add(context.channel)
        do {
            let handlers = context.pipeline.syncOperations
            try handlers.addHandler(head, position: .first)
            try handlers.addHandler(untaken, position: .first)
            let parser = try handlers.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try handlers.addHandler(LastRequestMark(), position: .after(parser))
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
        case .head(let request):
            unanswered += 1
            owesContinue = request.expectsContinue && configuration.takesBody(of: request)
            sendContinue(context)
            head.requestBegan()
            pace = BodyPace(leastRate: limits.leastBodyRate, grace: TimeAmount(limits.bodyGrace))
        case .body(let bytes):
            owesContinue = false
            pace?.receive(bytes.readableBytes, at: .now())
            if let left = unwantedBytesLeft {
                unwantedBytesLeft = left - bytes.readableBytes
                guard left >= bytes.readableBytes else { return context.close(promise: nil) }
            }
        case .end:
            owesContinue = false
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
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        unanswered -= 1
        head.requestAnswered()
        if unanswered == 0, pace != nil {
            unwantedBytesLeft = limits.unwantedBytes
            unwantedTimer = close(context, in: TimeAmount(limits.unwantedTime))
        }
        context.write(data, promise: promise)
        sendContinue(context)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        context.close(mode: mode, promise: promise)
        // With TLS, the goodbye is written now. A client that has nothing to say need not be there to answer it.
        if mode == .all { untaken.closeSocket() }
    }

    /// Asks for the body that a client waits with, once nothing stands between it and the answers before it.
    private func sendContinue(_ context: ChannelHandlerContext) {
        guard owesContinue, unanswered == 1 else { return }
        owesContinue = false
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
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

extension HTTPRequest {
    /// RFC 9110, 10.1.1.
    fileprivate var expectsContinue: Bool { headerFields[.expect]?.lowercased() == "100-continue" }
}

extension WebServicesServer.Configuration {
    /// Whether a body of this length is read, as far as the head tells. One that is too large is answered before it comes.
    fileprivate func takesBody(of request: HTTPRequest) -> Bool {
        guard let length = request.headerFields[.contentLength].flatMap({ Int64($0) }) else { return true }
        let path = String((request.path ?? "").prefix { $0 != "?" })
        guard case .assetUpload? = RequestTarget(path: path) else { return length <= Int64(largestRequest) }
        // A form has a head and a tail around the bytes.
        return length <= largestAsset + 65_536
    }
}
