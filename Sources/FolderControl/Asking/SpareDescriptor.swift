import NIOCore

#if canImport(Glibc)
    import Glibc
#endif

/// Lets commands be answered in a process that can open no file any more: exactly then `status` has something to say.
///
/// A descriptor is kept for the connection that finds none left, and taken back as soon as there is one again. Where it is
/// in use already, nobody is let in for a second: the connection that waits would wake the listener without end. NIO's own
/// back-off does not prevent that, for it only delays the read after one that succeeded.
final class SpareDescriptor: ChannelDuplexHandler {
    typealias InboundIn = Channel
    typealias OutboundIn = Never

    private static let pause = TimeAmount.seconds(1)

    private var spare: Int32 = -1
    private var isPaused = false
    private var refill: Scheduled<Void>?

    func handlerAdded(context: ChannelHandlerContext) {
        take()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        refill?.cancel()
        give()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, [EMFILE, ENFILE].contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        if spare >= 0 {
            give()
        } else {
            isPaused = true
            setReading(false, context)
        }
        refillLater(context)
    }

    func read(context: ChannelHandlerContext) {
        if !isPaused { context.read() }
    }

    private func refillLater(_ context: ChannelHandlerContext) {
        guard refill == nil else { return }
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        refill = context.eventLoop.scheduleTask(in: Self.pause) {
            bound.value.handler.refill(bound.value.context)
        }
    }

    private func refill(_ context: ChannelHandlerContext) {
        refill = nil
        guard context.channel.isActive else { return }
        take()
        if isPaused {
            isPaused = false
            setReading(true, context)
        }
        if spare < 0 { refillLater(context) }
    }

    private func take() {
        if spare < 0 { spare = open("/dev/null", O_RDONLY | O_CLOEXEC) }
    }

    private func give() {
        if spare >= 0 { Glibc.close(spare) }
        spare = -1
    }

    private func setReading(_ isReading: Bool, _ context: ChannelHandlerContext) {
        // It fails only for a channel that is closed.
        try? context.channel.syncOptions?.setOption(.autoRead, value: isReading)
    }
}
