import Glibc
import NIOCore

/// What is written to a connection, until its client takes it. Ends a connection whose client takes nothing of it, see
/// ``TakingPace``; and lets no connection be closed before all of it is taken, unless somebody cuts it off.
///
/// A socket that is closed throws away what the system has not taken over: the rest of an answer, where the client is slow.
///
/// Stands next to the socket, where bytes are what goes over the network: above TLS nobody knows what became of them.
final class UntakenBytes: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Closes a connection whatever waits in it. As an event it passes by TLS, which takes its time with a close.
    struct CutOff: Sendable {}

    private var pace: TakingPace
    private var timer: Scheduled<Void>?
    private var context: ChannelHandlerContext?
    private var isClosing = false

    /// Bytes that the system holds for a client and has not sent. It takes more only when half of them are gone, and by
    /// its own measure those can be megabytes, in which a client that lives and is slow seems to be dead for minutes.
    private static let unsentBytes = 131_072

    init(patience: TimeAmount) {
        pace = TakingPace(patience: patience)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let option = ChannelOptions.tcpOption(NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT))
        // A system that does not have it lets very slow clients wait in vain, and serves all others as well.
        try? context.channel.syncOptions?.setOption(option, value: Self.unsentBytes)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        self.context = nil
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        pace.write(unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        watch(context)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .all {
            guard !isClosing else { return context.channel.closeFuture.cascade(to: promise) }
            isClosing = true
        }
        guard mode != .input, untaken(context) > 0 else { return context.close(mode: mode, promise: promise) }
        let taken = context.eventLoop.makePromise(of: Void.self)
        taken.futureResult.assumeIsolatedUnsafeUnchecked().whenComplete { _ in
            context.close(mode: mode, promise: promise)
        }
        // Nothing, behind all that waits.
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: taken)
        watch(context)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is CutOff else { return context.triggerUserOutboundEvent(event, promise: promise) }
        context.close(promise: promise)
    }

    /// Closes the connection once all is taken, whatever stands between: TLS waits for the client to say goodbye, too.
    func closeSocket() {
        guard let context else { return }
        close(context: context, mode: .all, promise: nil)
    }

    /// Looks again while there are bytes that wait, some times before the client's time is over.
    private func watch(_ context: ChannelHandlerContext) {
        guard timer == nil else { return }
        pace.look(untaken: untaken(context), at: .now())
        guard let deadline = pace.deadline else { return }
        guard deadline > .now() else { return context.close(promise: nil) }
        let pause = TimeAmount.nanoseconds(pace.patience.nanoseconds / 4)
        timer = context.eventLoop.assumeIsolatedUnsafeUnchecked().scheduleTask(in: pause) {
            self.timer = nil
            self.watch(context)
        }
    }

    /// Bytes that wait in this process; none of a connection that is closed.
    private func untaken(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
