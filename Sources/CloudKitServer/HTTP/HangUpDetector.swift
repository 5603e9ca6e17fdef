import NIOCore
import Synchronization

/// Notices that a client closed its connection while its request waits for an answer.
///
/// Without it, a courier's request whose client died would swallow the next push, and a client that came back meanwhile
/// would not hear of it; and calls that nobody waits for any more would take others' turns.
final class HangUpDetector: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    // Never unwrapped: what is read passes by.
    typealias InboundIn = Never

    private struct State {
        var isHungUp = false
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var isHungUp: Bool { state.withLock { $0.isHungUp } }

    /// What to do when the client hangs up, at once if it has; `nil`: nothing.
    func onHangUp(_ action: (@Sendable () -> Void)?) {
        let isHungUp = state.withLock { state in
            state.action = action
            return state.isHungUp
        }
        if isHungUp { action?() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { hangUp() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        hangUp()
        context.fireChannelInactive()
    }

    private func hangUp() {
        let action = state.withLock { state in
            state.isHungUp = true
            return state.action
        }
        action?()
    }
}
