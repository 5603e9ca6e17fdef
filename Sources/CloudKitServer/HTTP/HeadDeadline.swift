import NIOCore

/// Ends a connection whose request's head, or whose TLS handshake, does not come to its end in time, however its bytes drip.
///
/// Stands before the parser, which says nothing of a head until it is whole; what became of the bytes, ``RequestGuard``
/// tells.
final class HeadDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let limit: TimeAmount
    private var timer: Scheduled<Void>?
    /// Between a request's head and its end, bytes are its body's.
    private var isInRequest = false
    /// Requests whose answers are under way.
    private var owed = 0

    init(_ limit: TimeAmount) {
        self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isInRequest, timer == nil { start(context) }
        context.fireChannelRead(data)
    }

    /// A TLS handshake is over: what came until now was no head.
    func handshakeEnded() {
        stop()
    }

    /// A head is whole.
    func requestBegan() {
        isInRequest = true
        owed += 1
        stop()
    }

    /// A body is whole: what comes now is the next request's head.
    func requestEnded() {
        isInRequest = false
    }

    /// An answer is whole.
    func requestAnswered() {
        owed -= 1
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stop()
    }

    private func start(_ context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolatedUnsafeUnchecked().scheduleTask(in: limit) {
            self.timer = nil
            // Behind a request that is not answered yet, a whole head may wait for its turn.
            guard self.owed > 0 else { return context.close(promise: nil) }
            self.start(context)
        }
    }

    private func stop() {
        timer?.cancel()
        timer = nil
    }
}
