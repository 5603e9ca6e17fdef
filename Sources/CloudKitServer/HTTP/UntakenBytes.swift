import Glibc
import NIOCore

/// Ends a connection whose client takes nothing of what is written for it, see ``TakingPace``.
///
/// Stands next to the socket, where bytes are what goes over the network: above TLS nobody knows what became of them.
final class UntakenBytes: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private var pace: TakingPace
    private var timer: Scheduled<Void>?

    /// Bytes that the system holds for a client and has not sent. It takes more only when half of them are gone, and by
    /// its own measure those can be megabytes, in which a client that lives and is slow seems to be dead for minutes.
    private static let unsentBytes = 131_072

    init(patience: TimeAmount) {
        pace = TakingPace(patience: patience)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let option = ChannelOptions.tcpOption(NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT))
        // A system that does not have it lets very slow clients wait in vain, and serves all others as well.
        try? context.channel.syncOptions?.setOption(option, value: Self.unsentBytes)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        pace.write(unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        watch(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
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
