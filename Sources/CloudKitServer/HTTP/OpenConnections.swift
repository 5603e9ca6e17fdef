import NIOCore
import Synchronization

/// The connections of a server, to be closed where they outlive it.
final class OpenConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var areClosed = false
    }

    private let state = Mutex(State())

    /// Keeps a connection in mind until it ends; one that comes after ``closeAll()`` ends at once.
    func add(_ channel: any Channel) {
        let isLate = state.withLock { state in
            if !state.areClosed { state.channels[ObjectIdentifier(channel)] = channel }
            return state.areClosed
        }
        guard !isLate else { return channel.close(promise: nil) }
        channel.closeFuture.whenComplete { [self] _ in
            state.withLock { $0.channels[ObjectIdentifier(channel)] = nil }
        }
    }

    /// Closes all that are open, whatever is under way on them.
    /// - Returns: How many there were.
    func closeAll() -> Int {
        let left = state.withLock { state in
            state.areClosed = true
            return Array(state.channels.values)
        }
        for channel in left { channel.triggerUserOutboundEvent(UntakenBytes.CutOff(), promise: nil) }
        return left.count
    }
}
